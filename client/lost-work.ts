import type { Backfill } from '../contracts/backfill.ts';
import { nullOn, OpalineError } from '../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import { findOrphans, openExecution } from '../services/temporal/open-execution.ts';
import type { OpalineClient } from './opaline-client.ts';
import { findCharge, listCharges, type ReleaseCharge } from './release/stored-status.ts';
import { findLostBackfills, restoreBackfill } from './schedule/backfills.ts';
import { findLostSchedules, restoreSchedule } from './schedule/schedules.ts';

/** What the stores say is to go on, and Temporal has nothing of. */
export type LostWork = { releases: ReleaseCharge[]; schedules: string[]; backfills: Backfill[] };

const namespaceOf = ({ temporal: { workflowService, options } }: Pick<OpalineClient, 'temporal'>) => ({
  workflowService,
  namespace: options.namespace,
});

/** Looks for it, and changes nothing. */
export async function findLost(client: Pick<OpalineClient, 'temporal' | 'releaseStore' | 'trust'>): Promise<LostWork> {
  const open = async () => (await listCharges(client)).filter(({ ended }) => ended === null);
  const orphans = await findOrphans(
    namespaceOf(client),
    (await open()).map(({ reserve }) => reserve),
  );
  const charges = new Set(orphans.map(({ charge }) => charge));
  return {
    // Looked at again: what ended between the two questions is not lost.
    releases: charges.size === 0 ? [] : (await open()).filter(({ reserve }) => charges.has(reserve.charge)),
    schedules: await findLostSchedules(client),
    backfills: await findLostBackfills(client),
  };
}

/**
 * Brings back all that Temporal has lost: schedules first, then releases and back-fills. It draws and charges nothing,
 * and what is there already is left alone.
 */
export async function resumeAll(client: OpalineClient): Promise<LostWork> {
  const work = await findLost(client);
  for (const name of work.schedules) await restoreSchedule(client, name);
  for (const one of work.releases) await startAgain(client, one).catch(nullOn('RELEASE_EXISTS'));
  for (const backfill of work.backfills) await restoreBackfill(client, backfill);
  return work;
}

/**
 * Goes on with one release. Throws RELEASE_UNKNOWN when it was never charged, and ACTION_NOT_OFFERED when it has ended or
 * is at work.
 */
export async function resumeRelease(client: OpalineClient, release: ReleaseReference): Promise<void> {
  const name = releasePath(release);
  const charge = await findCharge(client, release);
  if (!charge)
    throw new OpalineError('RELEASE_UNKNOWN', `${name} was never charged, so there is nothing to go on with; run it.`);
  if (charge.ended !== null)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is ${charge.ended}, as its ledger says; it has ended.`);
  if ((await openExecution(namespaceOf(client), release)) !== null)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is at work; \`opaline show ${name}\` says where it stands.`);
  await startAgain(client, charge);
}

/** The same workflow under the same id, from what its ledger says of it: what is stored carries it to where it was. */
const startAgain = (client: OpalineClient, { release, reserve: { series, correction } }: ReleaseCharge) =>
  client.start({ ...release, seriesDigest: series.digest, correction }, 'again');
