import { dayEnds } from '../../core/calendar/day-ends.ts';
import type { ClientKind } from '../client-kind.ts';
import { readLocationDictionary } from '../taps/location-dictionary.ts';
import { attributeOf } from './attributes.ts';
import { syntheticDifferences } from './differences.ts';
import { loadLists } from './file/attribute-lists.ts';
import { SYNTHETIC_RULES } from './file/rules.ts';
import { certificateOfSynthesis, marginalsOf, sizeProblem } from './plan.ts';
import { type SyntheticFile, syntheticFileSchema, syntheticSeries, syntheticSeriesSchema } from './series.ts';
import { syntheticKind } from './series-kind.ts';
import { rowInWords, rowsInWords } from './words.ts';

/** Synthetic data on the side of people. */
export const syntheticForClients: ClientKind = {
  ...syntheticKind,
  fileSchema: syntheticFileSchema,
  check: async (fields, path, report, issues) => {
    const parts: Partial<SyntheticFile> = fields;
    let mistakes = 0;
    const counted: typeof report = (...issue) => {
      mistakes += 1;
      report(...issue);
    };
    for (const rule of SYNTHETIC_RULES) rule(parts, counted);
    const { attributes, workload, rounds, passes, window, day } = parts;
    const lists = await loadLists(path, attributes ?? [], counted, issues);
    const shape = mistakes === 0 && issues.length === 0 && attributes && day ? shapeOf(attributes, day, lists) : null;
    if (shape && attributes && workload && rounds !== undefined && passes !== undefined && parts.parts && window) {
      const marginals = marginalsOf({ attributes, workload }, shape);
      const partitions = parts.parts.length * window.days;
      const problem = sizeProblem({ shape, marginals, rounds, passes, partitions });
      if (problem !== null) counted(['attributes'], problem);
    }
    return {
      lists: [...new Map([...lists.values()].map((list) => [list.digest, list])).values()],
      stored: (file) => {
        const synthetic = file as SyntheticFile;
        const named = synthetic.attributes.map(({ list, ...attribute }) => ({
          ...attribute,
          ...(list !== undefined && { list: lists.get(list)?.digest }),
        }));
        return syntheticSeriesSchema.parse({ ...synthetic, attributes: named, shape });
      },
    };
  },
  certificate: (series) => certificateOfSynthesis(syntheticSeries(series)),
  inWords: (series) => rowInWords(certificateOfSynthesis(syntheticSeries(series))),
  yearInWords: (series) => rowsInWords(syntheticSeries(series).privacy),
  differences: syntheticDifferences,
  attacks: null,
  fileGuide: null,
};

/** How many values each attribute has; null when the day has no end. */
function shapeOf(
  attributes: SyntheticFile['attributes'],
  { starts, ends }: SyntheticFile['day'],
  lists: Awaited<ReturnType<typeof loadLists>>,
): number[] | null {
  const until = dayEnds({ starts, ends });
  if (until === null) return null;
  return attributes.map((field) => {
    const bytes = field.list === undefined ? undefined : lists.get(field.list)?.bytes;
    const list = bytes ? readLocationDictionary(bytes).dictionary : null;
    return attributeOf(field, { starts, ends: until }, list).values.length;
  });
}
