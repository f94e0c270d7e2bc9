import { mapAtOnce } from '../../../services/at-once.ts';
import type { Database } from '../../../services/sql/duckdb.ts';
import { type Bands, LEVELS, type Level, ranksAt, valueAtRank } from '../measures/quantiles.ts';
import { range } from './coded-table.ts';
import { DECIMALS, gain } from './gains.ts';

/** Values are first counted in this number of equal steps, from the least to the greatest. */
const STEPS = 65_536;

/** A relation of values with the rows that have each of them. */
export type Weighted = { relation: string; value: string; rows: string };

/**
 * Exact quantiles of a weighted column in bounded memory: a first scan counts rows in equal steps, a second one fetches
 * the values of the few steps that the ranks are in. An empty relation has none, and throws RangeError.
 */
export async function quantiles(
  database: Database,
  { relation, value, rows }: Weighted,
  levels: readonly number[],
): Promise<number[]> {
  const [limits] = await database.rows(`SELECT min(${value}), max(${value}), sum(${rows}) FROM ${relation}`);
  const [least, most, total] = (limits ?? []).map(Number) as [number, number, number];
  if (!(total > 0)) throw new RangeError('a column without rows has no quantiles');
  const step =
    most > least
      ? `least(${STEPS - 1}, CAST(floor((${value} - ${least}) / ${most - least} * ${STEPS}) AS INTEGER))`
      : '0';
  const histogram = await database.rows(
    `SELECT ${step} AS step, CAST(sum(${rows}) AS BIGINT) FROM ${relation} GROUP BY ALL ORDER BY step`,
  );
  const steps = histogram.map(([number, count]) => [Number(number), Number(count)] as const);
  const ranks = levels.map((level) => ranksAt(level, total));
  const picks = new Set(ranks.flatMap(({ lower, upper }) => [valueAtRank(steps, lower), valueAtRank(steps, upper)]));
  const details = await database.rows(`SELECT ${step} AS step, ${value} AS each, CAST(sum(${rows}) AS BIGINT)
    FROM ${relation} WHERE ${step} IN (${[...picks].join(', ')}) GROUP BY ALL ORDER BY each`);
  const values = Map.groupBy(details, ([number]) => Number(number));
  const at = (rank: number): number => {
    const own = valueAtRank(steps, rank);
    const before = steps.reduce((sum, [number, count]) => (number < own ? sum + count : sum), 0);
    const runs = values.get(own)!.map(([, each, count]) => [Number(each), Number(count)] as const);
    return valueAtRank(runs, rank, before);
  };
  return ranks.map(({ lower, upper, weight }) => round((1 - weight) * at(lower) + weight * at(upper)));
}

const round = (bits: number): number => Number(bits.toFixed(DECIMALS));

/** Quantiles at the levels of the bands, and the mean. */
export async function bands(database: Database, column: Weighted): Promise<Bands> {
  const values = await quantiles(database, column, Object.values(LEVELS));
  const { relation, value, rows } = column;
  const [row] = await database.rows(`SELECT sum(${rows} * ${value}) / sum(${rows}) FROM ${relation}`);
  const levels = Object.fromEntries(Object.keys(LEVELS).map((name, index) => [name, values[index]!]));
  return { ...(levels as Record<Level, number>), mean: round(Number(row?.[0])) };
}

/** Bands of the gains of each column (g0 …) of a relation in which a row stands for `rows` of them. */
export const gainBands = (database: Database, relation: string, width: number, rows = 'n'): Promise<Bands[]> =>
  mapAtOnce(range(width), 1, (column) => bands(database, { relation, value: gain(column), rows }));
