import type { PublishedTable, Table } from '../../contracts/names.ts';
import type { PlacedCounts, PrivatizedTable } from '../tables/columns.ts';

/** What the counts of each table add up to. */
export type TableTotals = ReadonlyMap<PublishedTable, number>;

/**
 * What the counts of each table of a release add up to, in the order of PUBLISHED_TABLES, by the draws alone. The tables
 * are those that publishedTables gives, and the cells in any case. Cost: O(rows), without the tables.
 */
export function totalsOfTables(tables: readonly PrivatizedTable[], chosen: readonly Table[]): TableTotals {
  const cells = placedSum(tables, (table) => table.cells);
  const hours = placedSum(tables, (table) => table.hours);
  const sides = {
    'remainder-time': sumOf(tables, (table) => table.remainder?.time),
    'remainder-location': sumOf(tables, (table) => table.remainder?.location),
    'margins-time': sumOf(tables, (table) => table.margins?.time),
    'margins-location': sumOf(tables, (table) => table.margins?.location),
  };
  const [restOfTimes, restOfPlaces] = [sides['remainder-time'] ?? 0, sides['remainder-location'] ?? 0];
  const choice = {
    time: (cells ?? 0) + restOfTimes,
    location: (cells ?? 0) + (hours ?? 0) + restOfPlaces,
  };
  const all: [PublishedTable, number | null][] = [
    ['time-location', cells ?? 0],
    ...chosen.flatMap((name) => (name === 'time-location' ? [] : [[name, choice[name]] as [Table, number]])),
    ['hours', hours],
    ...(Object.entries(sides) as [PublishedTable, number | null][]),
    ['left-out', sumOf(tables, (table) => table.leftOut)],
  ];
  return new Map(all.flatMap(([name, total]) => (total === null ? [] : [[name, total] as const])));
}

const add = (sum: number, count: number): number => sum + count;

/** The sum of one list of every partition; null when none of them has a number. */
function sumOf(
  tables: readonly PrivatizedTable[],
  listOf: (table: PrivatizedTable) => Float64Array | null | undefined,
): number | null {
  const lists = tables.flatMap((table) => listOf(table) ?? []).filter((list) => list.length > 0);
  return lists.length === 0 ? null : lists.map((list) => list.reduce(add, 0)).reduce(add, 0);
}

/** The sum of counts at places; null when no partition has them, and 0 when there are none of them. */
function placedSum(
  tables: readonly PrivatizedTable[],
  placedOf: (table: PrivatizedTable) => PlacedCounts | null,
): number | null {
  const lists = tables.map(placedOf).filter((placed) => placed !== null);
  return lists.length === 0 ? null : lists.map(({ counts }) => counts.reduce(add, 0)).reduce(add, 0);
}
