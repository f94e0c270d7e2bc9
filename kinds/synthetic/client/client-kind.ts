import { dayEnds } from '../../../core/calendar/day-ends.ts';
import type { ClientKind } from '../../client-kind.ts';
import { attributeOf } from '../attributes.ts';
import { loadLists } from '../file/attribute-lists.ts';
import { SYNTHETIC_RULES } from '../file/rules.ts';
import { type SyntheticFile, syntheticFileSchema, syntheticSeries, syntheticSeriesSchema } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { certificateOfSynthesis, marginalsOf, sizeProblem } from '../synthesis-plan.ts';
import { rowInWords, rowsInWords } from '../words.ts';
import { syntheticDifferences } from './differences.ts';

/** Synthetic data on the side of people. */
export const syntheticForClients: ClientKind = {
  ...syntheticKind,
  fileSchema: syntheticFileSchema,
  check: async (fields, check) => {
    const parts: Partial<SyntheticFile> = fields;
    for (const rule of SYNTHETIC_RULES) rule(parts, check.report);
    const { attributes, workload, rounds, passes, window, day } = parts;
    const lists = await loadLists(check, attributes ?? []);
    const shape = check.isSound() && attributes && day ? shapeOf(attributes, day, lists) : null;
    if (shape && attributes && workload && rounds !== undefined && passes !== undefined && parts.parts && window) {
      const marginals = marginalsOf({ attributes, workload }, shape);
      const partitions = parts.parts.length * window.days;
      const problem = sizeProblem({ shape, marginals, rounds, passes }, partitions);
      if (problem !== null) check.report(['attributes'], problem);
    }
    return {
      lists: [...new Map([...lists.values()].map((list) => [list.digest, list])).values()],
      stored: (file) => {
        const synthetic = file as SyntheticFile;
        const entries = synthetic.attributes.map(({ list, ...attribute }) => ({
          ...attribute,
          ...(list !== undefined && { list: lists.get(list)?.digest }),
        }));
        return syntheticSeriesSchema.parse({ ...synthetic, attributes: entries, shape });
      },
    };
  },
  protection: (series) => {
    const synthetic = syntheticSeries(series);
    const certificate = certificateOfSynthesis(synthetic);
    return { certificate, inWords: rowInWords(certificate), yearInWords: () => rowsInWords(synthetic.privacy) };
  },
  differences: syntheticDifferences,
};

/** How many values each attribute has; null when the day has no end. */
function shapeOf(
  attributes: SyntheticFile['attributes'],
  { starts, ends }: SyntheticFile['day'],
  lists: Awaited<ReturnType<typeof loadLists>>,
): number[] | null {
  const until = dayEnds({ starts, ends });
  if (until === null) return null;
  const bytes = new Map([...lists].map(([name, list]) => [name, list.bytes]));
  return attributes.map((field) => attributeOf(field, { starts, ends: until }, bytes).values.length);
}
