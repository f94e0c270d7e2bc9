import type { Partition } from '../../../contracts/names.ts';
import type { RandomSource } from '../../../core/random/random-source.ts';
import { amountTexts } from '../amount-texts.ts';
import { roundAmounts } from '../mechanism/synthetic-privacy.ts';
import { drawTranscript, exactChoices } from '../mechanism/transcript.ts';
import { cellsOf } from '../mechanism/workload.ts';
import { planOf, syntheticPrivacy } from '../plan.ts';
import type { SyntheticSeries } from '../series.ts';
import type { SyntheticTable } from '../synthetic-table.ts';
import { type CellCounts, everyCell } from './cell-counts.ts';

/** Draws the measurements of a partition; each call draws anew. */
export function drawMeasurements(
  { part, day }: Partition,
  counts: CellCounts,
  series: SyntheticSeries,
  source: RandomSource,
): SyntheticTable {
  const plan = planOf(series, part);
  const amounts = roundAmounts(syntheticPrivacy(series));
  const drawn = drawTranscript(plan, everyCell(counts, cellsOf(plan.shape)), exactChoices(amounts, source));
  return { format: 'opaline-synthetic-table/1', part, day, amounts: amountTexts(amounts), ...drawn };
}
