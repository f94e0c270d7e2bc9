import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import type { PrivateKind } from '../../../custodian/private-context.ts';
import { divergence } from '../../../custodian/risk/measures/distortion.ts';
import { jsonBytes, readJson } from '../../../services/stores/json-objects.ts';
import { roundAmounts } from '../mechanism/synthetic-privacy.ts';
import { drawTranscript, exactChoices, fitOfTranscript } from '../mechanism/transcript.ts';
import { cellsOf } from '../mechanism/workload.ts';
import { syntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { planOf, syntheticPrivacy } from '../synthesis-plan.ts';
import { amountTexts, type SyntheticTable, syntheticTableSchema } from '../synthetic-table.ts';
import { binRows } from './bin.ts';
import { cellCountsSchema, everyCell } from './row-counts.ts';
import { shadowOfSynthesis } from './shadow.ts';

/** Synthetic data on the custodian side. */
export const privateSynthetic: PrivateKind = {
  ...syntheticKind,
  bin: binRows,
  counts: async (context, input, series) => {
    const { partition, round } = input;
    const counts = await readJson(context.privateStore, PRIVATE_KEYS.cells(input, round, partition), cellCountsSchema);
    const synthetic = syntheticSeries(series);
    const { privacy, parts, window, attributes, workload, rounds, passes, shape, day } = synthetic;
    const parameters = { privacy, parts, days: window.days, attributes, workload, rounds, passes, shape, day };
    /** Draws the measurements of the partition; each call draws again. */
    const draw = async (): Promise<Buffer> => {
      const plan = planOf(synthetic, partition.part);
      const amounts = roundAmounts(syntheticPrivacy(synthetic));
      const choices = exactChoices(amounts, context.random);
      const transcript = drawTranscript(plan, everyCell(counts, cellsOf(plan.shape)), choices);
      const format = 'opaline-synthetic-table/1';
      return jsonBytes({ format, ...partition, amounts: amountTexts(amounts), ...transcript } satisfies SyntheticTable);
    };
    return { input: counts, parameters, draw };
  },
  divergence: (document, { part }, input, bytes) => {
    const series = syntheticSeries(document);
    const transcript = syntheticTableSchema.parse(JSON.parse(bytes.toString('utf8')));
    const { weights } = fitOfTranscript(planOf(series, part), transcript);
    return divergence(everyCell(cellCountsSchema.parse(input), weights.length), weights);
  },
  shadow: (world, series) => shadowOfSynthesis(world, syntheticSeries(series)),
};
