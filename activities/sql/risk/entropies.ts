import { entropy } from '../../../core/risk/entropy.ts';
import { type Database, literal } from '../duckdb.ts';

/**
 * Entropies, in bits, of the groups of columns of a Parquet file of counted rows (n rows each). DuckDB counts, in whole
 * numbers; what it hands over are counts of counts, at most about √(2n) rows.
 */
export async function entropies(
  database: Database,
  file: string,
  groups: readonly (readonly string[])[],
): Promise<number[]> {
  const bits: number[] = [];
  for (const columns of groups) {
    const counts = await database.rows(`SELECT CAST(rows AS BIGINT), count(*) FROM (
      SELECT sum(n) AS rows FROM read_parquet(${literal(file)}) GROUP BY ${columns.join(', ')}) GROUP BY ALL ORDER BY 1`);
    bits.push(entropy(counts.map(([count, values]) => [Number(count), Number(values)] as const)));
  }
  return bits;
}
