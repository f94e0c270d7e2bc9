import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { type Partition, partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import type { Correction } from '../../contracts/stages.ts';
import { expandToScope } from '../../core/calendar/draw-scope.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { openReserves, overCap, type Reserve, unitCharge } from '../../core/ledger/budget.ts';
import { showAmount } from '../../core/ledger/shown-amount.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { chargeOf, rulesOf } from '../../services/ledger/charge.ts';
import { verifyLedger } from '../../services/ledger/verify-ledger.ts';
import { provideOrder, type SignedOrder } from '../../services/orders/orders.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { listWithRetractions } from './retractions.ts';

/** What a correction would draw and charge, before anything is started, charged or drawn. */
export type CorrectionPlan = Awaited<ReturnType<typeof planCorrection>>;

/**
 * Plans a new version that redraws and charges the named partitions of a release that has ended, and carries the
 * others over byte for byte (C13). It runs under the series file of the version that it corrects, its caps included.
 * Throws USAGE or ACTION_NOT_OFFERED with what to do.
 */
export async function planCorrection(
  client: OpalineClient,
  release: ReleaseReference,
  selection: readonly Partition[],
  reason: Correction['reason'],
) {
  // One that is named twice would be charged twice.
  const partitions = [...new Map(selection.map((one) => [partitionPath(one), one])).values()];
  const { state, partitions: earlier, seriesDigest } = await client.status(release);
  const name = releasePath(release);
  if (!RELEASE_STATE_TABLE[state].final)
    throw new OpalineError('ACTION_NOT_OFFERED', `${name} is ${state}; withdraw or cancel it before you correct it.`);
  const stranger = without(partitions, earlier)[0];
  if (partitions.length === 0 || stranger) throw unfit(`Name partitions of ${name}; ${stranger ?? 'none'} is not one.`);
  const undrawn = earlier.filter(({ state }) => state !== 'drawn');
  const [gap] = without(undrawn, partitions);
  if (gap) throw unfit(`${gap} was never drawn in ${name}, so it cannot be carried over; name it too.`);
  const { window, version: of } = release;
  const series = await readSeries(client.releaseStore, { ...release, seriesDigest });
  const kind = kindOf(CLIENT_KINDS, series);
  const days = windowDays(series, window);
  // The rest of what is drawn together would be of another choice of what is counted (C2).
  const [absent] = without(expandToScope(kind.terms(series), days, partitions), partitions);
  if (absent)
    throw unfit(`Under the unit ${series.privacy.unit} ${absent} is drawn together with what you named; name it too.`);
  const { entries } = await verifyLedger(client, series.population);
  const version = await versionAfter(client, release, openReserves(entries));
  const input = { series: series.series, window, version, seriesDigest, correction: { of, partitions, reason } };
  const draft = chargeOf(kind, series, days, partitions, rulesOf(entries, series));
  return {
    input,
    /** Partitions of the release that it corrects; those that are not named are carried over. */
    partitions: earlier.length,
    /** What it charges to each block that it redraws. */
    cost: showAmount(unitCharge(draft.blocks), draft.caps),
    /** Why the ledger would refuse the charge, or null. */
    overCap: overCap(entries, draft),
  };
}

/**
 * Starts a correction, with its order. Throws BUDGET_EXCEEDED when its plan is over a cap, and ORDER_MISSING: no version
 * is used up then.
 */
export async function startCorrection(
  client: OpalineClient,
  plan: CorrectionPlan,
  order: SignedOrder | null = null,
): Promise<ReleaseReference> {
  const { series, window, version } = plan.input;
  if (plan.overCap !== null)
    throw new OpalineError('BUDGET_EXCEEDED', `${plan.overCap} Nothing was started, charged or drawn.`);
  await provideOrder(client, { kind: 'version', ...plan.input }, order);
  await client.start(plan.input);
  return { series, window, version };
}

const unfit = (sentence: string): OpalineError => wrongUse(sentence);

function without(partitions: readonly Partition[], others: readonly Partition[]): string[] {
  const paths = new Set(others.map(partitionPath));
  return partitions.map(partitionPath).filter((path) => !paths.has(path));
}

/**
 * The version of a correction. Throws ACTION_NOT_OFFERED when a later version than the corrected one is public or may
 * become so: what that one draws again would be taken back, as the correction carries the older draws over.
 */
async function versionAfter(
  client: OpalineClient,
  release: ReleaseReference,
  reserves: readonly Reserve[],
): Promise<number> {
  const versions = (await listWithRetractions(client)).filter(
    ({ series, window }) => series === release.series && window === release.window,
  );
  const mayBePublic = ({ state, ...one }: (typeof versions)[number]): boolean =>
    state === 'ended-outside'
      ? reserves.some((reserve) => reserve.release === releasePath(one))
      : state === 'published' || !RELEASE_STATE_TABLE[state].final;
  const later = versions.find((one) => one.version > release.version && mayBePublic(one));
  if (later)
    throw new OpalineError(
      'ACTION_NOT_OFFERED',
      `${releasePath(later)} came after ${releasePath(release)} and is ${later.state}; correct that one, once it has ended.`,
    );
  return Math.max(...versions.map(({ version }) => version), 0) + 1;
}
