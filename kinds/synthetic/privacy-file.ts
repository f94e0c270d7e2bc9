import { z } from 'zod';
import { partitionPath, releasePath } from '../../contracts/names.ts';
import type { DerivedRun } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import type { Attribute } from './attributes.ts';
import { rowParameters } from './certified-rows.ts';
import type { SyntheticPlan } from './mechanism/transcript.ts';
import type { SyntheticSeries } from './series.ts';
import { marginalsOf, sizeProblem } from './synthesis-plan.ts';

const MOST_PLACES = 20;

const parameters = z.strictObject({
  ...rowParameters,
  epsilon: z.string(),
  delta: z.literal('0'),
  rounds: z.int().min(1).max(200),
  passes: z.int().min(0).max(100),
  /** Public number of rows by part; null where it was measured. */
  rows: z.record(z.string(), z.int().min(1)).nullable(),
});

const privacyFile = z.strictObject({
  format: z.literal('opaline-synthetic-privacy/1'),
  release: z.string(),
  parameters,
  domain: z.strictObject({
    timeZone: z.string(),
    days: z.array(z.iso.date()).max(366),
    parts: z.array(z.string()).max(500),
    /** A cell is one value of each, the last attribute changing first. */
    attributes: z
      .array(z.strictObject({ name: z.string(), values: z.array(z.string()).min(1) }))
      .min(1)
      .max(MOST_PLACES),
  }),
  /** Attributes of each marginal, the last changing first; ranges are of the first `ordered` values of the last one. */
  workload: z
    .array(z.strictObject({ attributes: z.array(z.string()).min(1).max(MOST_PLACES), ordered: z.int().min(0) }))
    .min(1),
  /** Partitions without data. */
  holes: z.array(z.string()),
  reading: z.array(z.string()),
});

export type SyntheticPrivacyFile = z.output<typeof privacyFile>;

/** privacy.json: the public parameters of a release of synthetic data (C17), and how to read it. */
export const syntheticPrivacySchema = privacyFile
  // A publication of a stranger takes no longer to check than one that Opaline would make.
  .refine(
    (file) => sizeProblem(planOfFile(file, ''), file.domain.parts.length * file.domain.days.length) === null,
    'the workload is not of the domain, or too large',
  );

/** What is public of the draw of one part, by the file alone. */
export const planOfFile = ({ parameters, domain, workload }: SyntheticPrivacyFile, part: string): SyntheticPlan => ({
  shape: domain.attributes.map(({ values }) => values.length),
  marginals: workload.map(({ attributes, ordered }) => ({
    attributes: attributes.map((name) => domain.attributes.findIndex((one) => one.name === name)),
    ordered,
  })),
  rounds: parameters.rounds,
  passes: parameters.passes,
  rows: parameters.rows?.[part] ?? null,
});

export function syntheticPrivacyFile(
  series: SyntheticSeries,
  attributes: readonly Attribute[],
  input: DerivedRun,
): SyntheticPrivacyFile {
  const { privacy, rounds, passes } = series;
  return {
    format: 'opaline-synthetic-privacy/1',
    release: releasePath(input),
    parameters: parameters.strip().parse({ ...privacy, delta: '0', rounds, passes, rows: privacy.rows ?? null }),
    domain: {
      timeZone: series.timeZone,
      days: windowDays(series, input.window),
      parts: [...series.parts].sort(),
      attributes: attributes.map(({ name, values }) => ({ name, values: [...values] })),
    },
    workload: marginalsOf(series, series.shape).map(({ attributes: places, ordered }) => ({
      attributes: places.map((place) => attributes[place]!.name),
      ordered,
    })),
    holes: input.holes.map(partitionPath).sort(),
    reading: [...READING],
  };
}

const READING = [
  'synthetic.csv has a row for every cell of the public domain, whether anybody was there or not: no row proves that somebody was present, and none proves that nobody was.',
  'weight is a whole number; rows = rows of the partition · weight / sum of the weights of the partition, to six decimals. Add rows up; never read a single small cell as a count.',
  'What the workload asks about is fitted best. Where attributes are combined that the workload never asks about together, the table holds what independence and the measurements give, and not what was in the data.',
  'measurements.csv has all that was drawn: for each part and day the number of rows, and for each round the query and its value with noise. The weights follow from it exactly; opaline verify computes them again.',
  'A measured value is an unbiased view of its query; which queries were measured was chosen by chance, and the more likely the worse they fitted before.',
];
