import type { Backfill } from '../contracts/backfill.ts';
import { nullOn, OpalineError } from '../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import { openExecution, orphanedCharges } from '../services/temporal/open-execution.ts';
import type { OpalineClient } from './opaline-client.ts';
import { chargedRelease, chargedReleases, type ReleaseCharge } from './release/stored-status.ts';
import { missingBackfills, restoreBackfill } from './schedule/backfills.ts';
import { missingSchedules, restoreSchedule } from './schedule/schedules.ts';

/** What the stores say is to go on, and Temporal has nothing of. */
export type LostWork = { releases: ReleaseCharge[]; schedules: string[]; backfills: Backfill[] };

const namespaceOf = ({ temporal: { workflowService, options } }: Pick<OpalineClient, 'temporal'>) => ({
  workflowService,
  namespace: options.namespace,
});

/** Looks for it, and changes nothing. */
export async function lostWork(client: Pick<OpalineClient, 'temporal' | 'releaseStore' | 'trust'>): Promise<LostWork> {
  const open = async () => (await chargedReleases(client)).filter(({ ended }) => ended === null);
  const orphaned = await orphanedCharges(
    namespaceOf(client),
    (await open()).map(({ reserve }) => reserve),
  );
  const charges = new Set(orphaned.map(({ charge }) => charge));
  return {
    // Looked at again: what ended between the two questions is not lost.
    releases: charges.size === 0 ? [] : (await open()).filter(({ reserve }) => charges.has(reserve.charge)),
    schedules: await missingSchedules(client),
    backfills: await missingBackfills(client),
  };
}

/**
 * Brings back all that Temporal has lost: schedules first, then releases and back-fills. It draws and charges nothing,
 * and what is there already is left alone.
 */
export async function resumeAll(client: OpalineClient): Promise<LostWork> {
  const lost = await lostWork(client);
  for (const name of lost.schedules) await restoreSchedule(client, name);
  for (const one of lost.releases) await startAgain(client, one).catch(nullOn('RELEASE_EXISTS'));
  for (const backfill of lost.backfills) await restoreBackfill(client, backfill);
  return lost;
}

/**
 * Goes on with one release. Throws RELEASE_UNKNOWN when it was never charged, and ACTION_NOT_OFFERED when it has ended or
 * is at work.
 */
export async function resumeRelease(client: OpalineClient, release: ReleaseReference): Promise<void> {
  const name = releasePath(release);
  const charged = await chargedRelease(client, release);
  if (!charged)
    throw new OpalineError('RELEASE_UNKNOWN', `${name} was never charged, so there is nothing to go on with; run it.`);
  if (charged.ended !== null)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is ${charged.ended}, as its ledger says; it has ended.`);
  if ((await openExecution(namespaceOf(client), release)) !== null)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is at work; \`opaline show ${name}\` says where it stands.`);
  await startAgain(client, charged);
}

/** The same workflow under the same id, from what its ledger says of it: what is stored carries it to where it was. */
const startAgain = (client: OpalineClient, { release, reserve: { series, correction } }: ReleaseCharge) =>
  client.start({ ...release, seriesDigest: series.digest, correction }, 'again');
