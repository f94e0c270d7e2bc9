import type { Partition } from '../../contracts/names.ts';
import type { PublishedTable } from '../tables/tap-tables.ts';
import type { CountTable } from './count-table.ts';

/** How many rows there are, and what their counts add up to. */
export type Sum = { rows: number; total: number };

/** The sums of each published table, part by part, in the order of PUBLISHED_TABLES; one that is not there is absent. */
export type TableSums = ReadonlyMap<PublishedTable, readonly (Partition & Sum)[]>;

/** What the counts of each table add up to. */
export type TableTotals = ReadonlyMap<PublishedTable | 'totals', number>;

/** The sums of a table, a partition in several parts where it has several ends of trips. Cost: O(rows). */
export function sumsOfTable({ slices, slice, count }: CountTable): (Partition & Sum)[] {
  const sums = slices.map(({ mode, day }) => ({ part: mode, day, rows: 0, total: 0 }));
  for (const [at, code] of slice.entries()) {
    const sum = sums[code]!;
    sum.rows += 1;
    sum.total += count[at]!;
  }
  return sums;
}

/** Of one table, all partitions or those that are asked for; 0 rows where it is not published. */
export const sumOf = (
  tables: TableSums,
  name: PublishedTable,
  isAsked: (partition: Partition) => boolean = () => true,
): Sum =>
  (tables.get(name) ?? [])
    .filter(isAsked)
    .reduce(({ rows, total }, sum) => ({ rows: rows + sum.rows, total: total + sum.total }), { rows: 0, total: 0 });
