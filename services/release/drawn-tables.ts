import type { Envelope } from '../../contracts/decision.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { DeriveInput, StagedInput } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import {
  type Believed,
  type DrawingBuild,
  type ReleaseOfDraws,
  receiptedOutcomes,
  requireReceipts,
  reserveOfCharge,
} from '../draws/require-receipts.ts';
import { believedLedger } from '../ledger/believed-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readSeries } from '../stores/series-objects.ts';
import { settleTrust } from '../trust/newer-trust.ts';
import type { TrustChain } from '../trust/trust-chain.ts';
import type { PublicContext } from './public-context.ts';

/**
 * Refuses a release unless each partition of its window has a receipt of the private worker, of the draw or of the hole
 * that is named; gives the receipts, the builds that drew, and what they were judged by. Throws VERIFICATION_FAILED.
 *
 * @contract C11
 * @contract C16
 */
export async function requireDrawn(
  { releaseStore, trust, kinds }: PublicContext,
  release: ReleaseOfDraws,
  series: Series,
): Promise<Believed & { receipts: ReadonlyMap<string, Envelope>; drawnBy: DrawingBuild[] }> {
  const believed = await believedOf({ releaseStore, trust }, series);
  const drawn = await requireReceipts(releaseStore, believed, release, windowOf(kinds, series, release.window));
  return { ...believed, ...drawn };
}

/** A release with what its receipts say of each partition; requireDrawn believes them, or does not. */
export async function withOutcomes<Input extends StagedInput>(
  { releaseStore, kinds }: PublicContext,
  input: Input,
): Promise<Input & DeriveInput> {
  const window = windowOf(kinds, await readSeries(releaseStore, input), input.window);
  return { ...input, ...(await receiptedOutcomes(releaseStore, input, window)) };
}

/** The partitions of a window of a series. */
export const windowOf = (kinds: PublicContext['kinds'], series: Series, window: string): Partition[] =>
  windowPartitions(series, kindOf(kinds, series).terms(series).parts, window);

/**
 * What documents on the population of a series are judged by: the trust file and the ledger as they are now. Throws
 * TRUST_BEHIND when this worker's trust file is not the newest.
 */
export async function believedOf<One extends Pick<Series, 'population'>>(
  { releaseStore, trust }: Pick<PublicContext, 'releaseStore' | 'trust'>,
  series: One,
): Promise<{ trust: TrustChain; ledger: Ledger; series: One }> {
  const chain = await trust();
  await settleTrust(releaseStore, chain);
  const ledger = await believedLedger({ releaseStore, trust: async () => chain }, series.population);
  return { trust: chain, ledger, series };
}

/** Digest of the policy under which a charge was reserved; null when there is no such entry. */
export const policyDigestOf = (ledger: Ledger, charge: string): string | null =>
  reserveOfCharge(ledger, charge)?.policy.digest ?? null;
