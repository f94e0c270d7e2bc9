import { kindOf } from '../../contracts/kind.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { StagedInput } from '../../contracts/stages.ts';
import { windowPartitions } from '../../core/calendar/window.ts';
import { type Grounds, outcomesOf, requireReceipts } from '../draws/require-receipts.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { readSeries } from '../stores/series-objects.ts';
import { settleTrust } from '../trust/newer-trust.ts';
import type { PublicContext } from './public-context.ts';

/**
 * A release with what became of each partition of its window, as the private worker signed it, its series, and what all
 * of it was judged by. Throws VERIFICATION_FAILED.
 *
 * @contract C11
 * @contract C16
 */
export async function requireDrawn<Input extends StagedInput>(context: PublicContext, input: Input) {
  const series = await readSeries(context.releaseStore, input);
  const grounds = await readGrounds(context, series);
  const window = windowOf(context.kinds, series, input.window);
  const { partitions, drawnBy } = await requireReceipts(grounds, input, window);
  return { series, grounds: { ...grounds, drawnBy }, partitions, release: { ...input, ...outcomesOf(partitions) } };
}

/** The partitions of a window of a series. */
export const windowOf = (kinds: PublicContext['kinds'], series: Series, window: string): Partition[] =>
  windowPartitions(series, kindOf(kinds, series).terms(series).parts, window);

/**
 * What documents on the population of a series are judged by: the trust file and the ledger as they are now. Throws
 * TRUST_BEHIND when this worker's trust file is not the newest.
 */
export async function readGrounds<One extends Pick<Series, 'population'>>(
  { releaseStore, trust }: Pick<PublicContext, 'releaseStore' | 'trust'>,
  series: One,
): Promise<Grounds & { series: One }> {
  const chain = await trust();
  await settleTrust(releaseStore, chain);
  const ledger = await verifyLedger({ releaseStore, trust: async () => chain }, series.population);
  return { releaseStore, trust: chain, ledger, series };
}
