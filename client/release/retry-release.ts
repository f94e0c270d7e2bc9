import { OpalineError } from '../../contracts/errors.ts';
import { type Partition, partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Answer } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { retryCost, STAGE_RETRY_COST } from './explain-release.ts';
import { askRetraction } from './retract-release.ts';
import { statusWithRetraction } from './retractions.ts';

/** What was begun again, what the release answered, and what it costs in plain words. */
export type Retry = { what: 'partitions' | 'stage' | 'retraction'; answer: Answer; cost: string[] };

/**
 * Begins again what holds a release up: the stage that it is stalled in, its failed partitions (those that are named, or
 * all), or the retraction of a publication that is stalled. Throws RELEASE_UNKNOWN, and USAGE for partitions that are
 * named while none of them is what it waits for.
 */
export async function retryRelease(
  client: OpalineClient,
  release: ReleaseReference,
  partitions: Partition[],
  subject: string,
): Promise<Retry> {
  const status = await statusWithRetraction(client, release);
  if (status.retraction?.stall)
    return {
      what: 'retraction',
      answer: await askRetraction(client, release, 'retryStage', { subject }),
      cost: [STAGE_RETRY_COST],
    };
  if (status.stall && partitions.length > 0)
    throw new OpalineError('USAGE', `${releasePath(release)} waits in a stage; leave --partition out.`);
  if (status.stall)
    return { what: 'stage', answer: await client.ask(release, 'retryStage', { subject }), cost: [STAGE_RETRY_COST] };
  const named = new Set(partitions.map(partitionPath));
  const failed = status.partitions.filter(({ state }) => state === 'failed');
  const again = failed.filter((one) => named.size === 0 || named.has(partitionPath(one)));
  return {
    what: 'partitions',
    answer: await client.ask(release, 'retryPartitions', { partitions, subject }),
    cost: retryCost(again),
  };
}
