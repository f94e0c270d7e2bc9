import { mapAtOnce } from '../../../services/at-once.ts';
import { entropy } from '../measures/entropy.ts';
import type { CodedTable } from './coded-table.ts';

/** Counted rows (n rows each), and their database. */
type Counted = Pick<CodedTable, 'database' | 'codes'>;

/**
 * How many groups of rows with equal values in these columns have how many rows. Rows that do not fit `where` are left
 * out. DuckDB counts, in whole numbers; what it hands over is at most about √(2n) rows.
 */
export async function countsOfCounts({ database, codes }: Counted, columns: readonly string[], where = 'true') {
  const counts = await database.rows(`SELECT CAST(rows AS BIGINT), count(*) FROM (
    SELECT sum(n) AS rows FROM ${codes} WHERE ${where} GROUP BY ${columns.join(', ')}) GROUP BY ALL ORDER BY 1`);
  return counts.map(([count, values]) => [Number(count), Number(values)] as const);
}

/** Entropy, in bits, of each of these groups of columns. */
export const entropies = (table: Counted, groups: readonly (readonly string[])[]): Promise<number[]> =>
  mapAtOnce(groups, 1, async (columns) => entropy(await countsOfCounts(table, columns)));
