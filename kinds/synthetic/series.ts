import { z } from 'zod';
import {
  amount,
  binMinutes,
  budgetFields,
  dayOfFile,
  seriesFields,
  seriesName,
  sourceFields,
  storedFields,
  windowOfDays,
} from '../../contracts/series.ts';
import { seriesReader } from '../../services/stores/series-objects.ts';
import { rowParameters } from './certified-rows.ts';
import { MOST_ROUNDS } from './mechanism/synthetic-check.ts';
import { MOST_ROWS } from './mechanism/transcript.ts';

/** The series file of synthetic data: the rows of each partition become weights of the cells of a public domain. */

const source = z.strictObject({ ...sourceFields, format: z.literal('csv').default('csv') });

const attributeName = z.string().regex(/^[a-z][a-z0-9_]{0,30}$/, 'use lower-case letters, digits and underscores');

const attribute = z.strictObject({
  name: attributeName,
  /** Column of the source. */
  column: z.string().min(1),
  /** Its values: times of day in bins of this many minutes; these words; or the locations of a public list. */
  minutes: binMinutes.optional(),
  values: z.array(z.string().min(1).max(200)).min(1).max(10_000).optional(),
  list: z.string().min(1).optional(),
  /** The value of everything else; the last of the attribute. */
  unknown: z.string().min(1).max(200).default('UNKNOWN'),
});

const marginal = z.strictObject({
  /** Attributes whose cells are asked together. */
  cells: z.array(attributeName).min(1).max(10),
  /** One of them whose values are in order: ranges of them are asked too. */
  ranges: attributeName.optional(),
});

const rows = z.int().min(1).max(MOST_ROWS);

const privacy = z.strictObject({
  ...budgetFields,
  ...rowParameters,
  mechanism: z.literal('mwem').default('mwem'),
  neighbours: rowParameters.neighbours.default('replace-one'),
  /** Public number of rows of a partition of each part, never a count of the data; where rows are replaced. */
  rows: z.record(seriesName, rows).optional(),
  /** Share of ε for the noisy number of rows; where rows come and go. A tenth of ε unless it is named. */
  split: z.strictObject({ rows: amount.optional() }).prefault({}),
});

/** The series file as people write it, after parsing. Cross-field rules are in file/rules.ts. */
export const syntheticFileSchema = z.strictObject({
  ...seriesFields,
  window: windowOfDays,
  kind: z.literal('synthetic'),
  source,
  day: dayOfFile,
  /** What is drawn at once: what `{mode}` of the pattern stands for, or one name for everything. */
  parts: z.array(seriesName).min(1).max(500),
  attributes: z.array(attribute).min(1).max(20),
  workload: z.array(marginal).min(1).max(20),
  rounds: z.int().min(1).max(MOST_ROUNDS),
  /** How often all measurements are fitted again after each round. */
  passes: z.int().min(0).max(100).default(10),
  privacy,
});

export type SyntheticFile = z.output<typeof syntheticFileSchema>;

/**
 * A series of synthetic data as it is stored: a list is named by the SHA-256 of its bytes, and `shape` is how many
 * values each attribute has, so that what a draw costs is a function of the series alone.
 */
export const syntheticSeriesSchema = syntheticFileSchema.extend({ ...storedFields, shape: z.array(z.int().min(1)) });

export type SyntheticSeries = z.output<typeof syntheticSeriesSchema>;

/** A stored series as one of synthetic data. Throws when it is of another kind. */
export const syntheticSeries = seriesReader(syntheticSeriesSchema);
