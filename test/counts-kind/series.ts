import { z } from 'zod';
import type { SeriesKind } from '../../contracts/kind.ts';
import { budgetFields, dayOfFile, seriesFields, sourceFields, storedFields } from '../../contracts/series.ts';

/**
 * A kind of series for the test of the seam: how many rows of each day have which value in one column. Every value of a
 * public list is counted with noise, δ = 0; one row is what is protected, neighbours replace one.
 */
export const countsFileSchema = z.strictObject({
  ...seriesFields,
  kind: z.literal('counts'),
  source: z.strictObject({ ...sourceFields, column: z.string() }),
  day: dayOfFile,
  /** The public values; all others are left out. */
  values: z.array(z.string()).min(1),
  privacy: z.strictObject({ ...budgetFields, unit: z.literal('tap') }),
});

const storedSchema = countsFileSchema.extend({
  ...storedFields,
});

export type CountsSeries = z.output<typeof storedSchema>;

export const countsSeries = (series: object): CountsSeries => storedSchema.parse(series);

/** One part a day, and days are drawn apart. */
export const countsKind: SeriesKind = {
  terms: () => ({
    unit: 'tap',
    neighbours: 'replace-one',
    mechanism: 'complete-domain',
    parts: ['all'],
    scope: 'partition',
    overlaps: false,
    lists: {},
  }),
  cost: ({ privacy: { epsilon, delta } }) => ({ epsilon, delta, rho: null }),
};

/** D1 = 2: a row that is replaced leaves one count and comes into another. */
export const scaleOf = ({ privacy }: Pick<CountsSeries, 'privacy'>): string => `2/${privacy.epsilon}`;

/** The draw of one day, as it is stored. */
export type CountsTable = { format: 'counts-table/1'; day: string; counts: [value: string, count: number][] };

/** The files of a publication besides those that every one has. */
export const COUNTS_FILES = { table: 'counts.csv', parameters: 'privacy.json' } as const;

export const countsCsv = (tables: readonly CountsTable[]): string =>
  [
    'date,value,count\r\n',
    ...tables.flatMap(({ day, counts }) => counts.map(([value, n]) => `${day},${value},${n}\r\n`)),
  ].join('');
