import { kindOf } from '../../contracts/kind.ts';
import type { BinInput, ObjectFault } from '../../contracts/stages.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PrivateContext } from './context.ts';

/**
 * Counts the named partitions into cells, one object a partition, empty partitions too, as the kind of the series says.
 * A bad row is a private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is
 * a fault of exactly the partitions that it may feed, and the others are finished (C6).
 *
 * Safe to run twice: cells are a function of the pinned objects, put if absent; a partition that has cells is not
 * counted again.
 *
 * @contract C6
 * @contract safe-to-retry
 */
export async function bin(context: PrivateContext, input: BinInput): Promise<{ faults: ObjectFault[] }> {
  const series = await readSeries(context.releaseStore, input);
  return kindOf(context.kinds, series).bin(context, input, series);
}
