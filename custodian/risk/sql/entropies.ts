import type { Database } from '../../../services/sql/duckdb.ts';
import { type CountsOfCounts, entropy } from '../measures/entropy.ts';

/**
 * How many groups of rows with equal values in these columns have how many rows, of a relation of counted rows (n
 * rows each). Rows that do not fit `where` are left out. DuckDB counts, in whole numbers; what it hands over is at most
 * about √(2n) rows.
 */
export async function countsOfCounts(
  database: Database,
  relation: string,
  columns: readonly string[],
  where = 'true',
): Promise<CountsOfCounts> {
  const counts = await database.rows(`SELECT CAST(rows AS BIGINT), count(*) FROM (
    SELECT sum(n) AS rows FROM ${relation} WHERE ${where} GROUP BY ${columns.join(', ')}) GROUP BY ALL ORDER BY 1`);
  return counts.map(([count, values]) => [Number(count), Number(values)] as const);
}

/** Entropy, in bits, of each of these groups of columns. */
export async function entropies(
  database: Database,
  relation: string,
  groups: readonly (readonly string[])[],
): Promise<number[]> {
  const bits: number[] = [];
  for (const columns of groups) bits.push(entropy(await countsOfCounts(database, relation, columns)));
  return bits;
}
