import type { PlacedCounts, PrivatizedTable, Totals } from '../tables/columns.ts';
import { codesIn } from '../tables/list-places.ts';
import { ALL, compareText } from './count-row.ts';
import { type CountTable, type Slice, sortRows } from './count-table.ts';
import { type LineKind, type Lines, linesOf, sideOf, unionOf } from './table-lines.ts';

/** The rows of a release, each table in order; null for one that is not there. */
export type ReleaseTables = {
  /** The published cells as they were drawn. */
  cells: CountTable | null;
  /** Hour rows: `time` is the hour HH:00. */
  hours: CountTable | null;
  /** Sums over locations; `location` is ALL. */
  time: CountTable | null;
  /** Sums over times; `time` is ALL. */
  location: CountTable | null;
  /** Fitted remainder rows: (time, ALL) and (ALL, location). */
  remainder: CountTable | null;
  /** Noisy margins, with ALL as above. */
  margins: CountTable | null;
  /** Noisy numbers of left-out taps, with ALL in both columns. */
  leftOut?: CountTable | null;
};

/**
 * The tables of a release as a pure function of its privatized tables, and of nothing else. Cost: O(rows).
 *
 * @contract C9 The time and location tables are sums of published cells and, where a partition has them, of its
 * remainder rows; the location table counts the hour rows too, which time remainders cover. With remainder rows they
 * list the whole domain; without, a key with no published cell is absent,
 * not 0: nobody can tell a suppressed cell from an empty one.
 * @contract C18 Rows are in lexicographic order, whatever the order of the input.
 */
export function deriveTables(input: readonly PrivatizedTable[]) {
  const tables = input.toSorted((a, b) => compareText(a.part, b.part) || compareText(a.day, b.day));
  const cells = countsTable(tables, ({ times, cells }) => ({ labels: times, ...cells }));
  const hours = countsTable(tables, (table) => table.hours);
  const remainder = totalsTable(tables, (table) => table.remainder);
  return {
    cells,
    hours: tables.some((table) => table.hours) ? hours : null,
    time: sumOverLocations(cells, remainder),
    location: sumOverTimes(cells, remainder, hours),
    remainder: tables.some((table) => table.remainder) ? remainder : null,
    margins: tables.some((table) => table.margins) ? totalsTable(tables, (table) => table.margins) : null,
    leftOut: tables.some((table) => table.leftOut) ? leftOutTable(tables) : null,
  };
}

/** The time table: for each time, the cells of all locations and the remainder row of that time. */
export const sumOverLocations = (cells: CountTable, remainder: CountTable): CountTable =>
  linesOfTable({ cells, hours: null, remainder }, 'time').table;

/** The location table: for each location, the cells and hour rows of all times, and its remainder row. */
export const sumOverTimes = (cells: CountTable, remainder: CountTable, hours: CountTable | null): CountTable =>
  linesOfTable({ cells, hours, remainder }, 'location').table;

/** What the rows of the time table, or of the location table, are sums of. Cost: O(rows). */
export function linesOfTable(
  { cells, hours, remainder }: { cells: CountTable; hours: CountTable | null; remainder: CountTable },
  kind: LineKind,
): Lines {
  const parts = kind === 'time' || hours === null ? [cells] : [cells, hours];
  return linesOf([...parts, sideOf(remainder, kind)], kind);
}

/** The slices of all tables, and where those of each begin. Tables are in order, and so are their taps. */
function slicesOf(tables: readonly PrivatizedTable[]): { slices: Slice[]; starts: number[] } {
  const slices: Slice[] = [];
  const starts = tables.map(({ part: mode, day, taps }) => {
    slices.push(...taps.map((tap): Slice => ({ mode, day, tap })));
    return slices.length - taps.length;
  });
  return { slices, starts };
}

/** The counts at places of all tables as one. */
function countsTable(
  tables: readonly PrivatizedTable[],
  placedOf: (table: PrivatizedTable) => (PlacedCounts & { labels: readonly string[] }) | null,
): CountTable {
  const parts = tables.map((table) => placedOf(table) ?? { labels: [], ...NOTHING });
  const { slices, starts } = slicesOf(tables);
  const times = unionOf(parts.map(({ labels }) => labels));
  const locations = unionOf(tables.map((table) => table.locations));
  const columns = emptyColumns(parts.reduce((sum, { places }) => sum + places.length, 0));
  let row = 0;
  for (const [number, { places, counts, labels }] of parts.entries()) {
    const own = tables[number]!.locations;
    const [timeCodes, locationCodes] = [codesIn(labels, times), codesIn(own, locations)];
    for (let at = 0; at < places.length; at++) {
      const line = Math.floor(places[at]! / own.length);
      const tap = Math.floor(line / labels.length);
      columns.slice[row] = starts[number]! + tap;
      columns.time[row] = timeCodes[line - tap * labels.length]!;
      columns.location[row] = locationCodes[places[at]! - line * own.length]!;
      columns.count[row++] = counts[at]!;
    }
  }
  return { slices, times, locations, ...columns };
}

const NOTHING: PlacedCounts = { places: new Uint32Array(), counts: new Float64Array() };

const emptyColumns = (rows: number) => ({
  slice: new Uint32Array(rows),
  time: new Uint32Array(rows),
  location: new Uint32Array(rows),
  count: new Float64Array(rows),
});

/** The totals of all tables as one: a row (ALL, location) or (time, ALL) for each. */
function totalsTable(
  tables: readonly PrivatizedTable[],
  totalsOf: (table: PrivatizedTable) => Totals | null,
): CountTable {
  const parts = tables.map((table) => totalsOf(table) ?? NO_TOTALS);
  const { slices, starts } = slicesOf(tables);
  const times = unionOf([[ALL], ...tables.map((table) => table.times)]);
  const locations = unionOf([[ALL], ...tables.map((table) => table.locations)]);
  const columns = emptyColumns(parts.reduce((sum, { time, location }) => sum + time.length + location.length, 0));
  const [allTimes, allLocations] = [times.indexOf(ALL), locations.indexOf(ALL)];
  let row = 0;
  for (const [number, { time, location }] of parts.entries()) {
    const { taps, ...own } = tables[number]!;
    const [timeCodes, locationCodes] = [codesIn(own.times, times), codesIn(own.locations, locations)];
    const add = (tap: number, timeCode: number, locationCode: number, count: number): void => {
      columns.slice[row] = starts[number]! + tap;
      columns.time[row] = timeCode;
      columns.location[row] = locationCode;
      columns.count[row++] = count;
    };
    for (const tap of taps.keys()) {
      if (location.length > 0)
        for (const [place, code] of locationCodes.entries())
          add(tap, allTimes, code, location[tap * locationCodes.length + place]!);
      if (time.length > 0)
        for (const [place, code] of timeCodes.entries())
          add(tap, code, allLocations, time[tap * timeCodes.length + place]!);
    }
  }
  return sortRows({ slices, times, locations, ...columns });
}

const NO_TOTALS: Totals = { time: new Float64Array(), location: new Float64Array() };

/** The left-out taps of all tables: a row (ALL, ALL) for each slice. */
function leftOutTable(tables: readonly PrivatizedTable[]): CountTable {
  const { slices } = slicesOf(tables.filter(({ leftOut }) => leftOut));
  return {
    slices,
    times: [ALL],
    locations: [ALL],
    slice: Uint32Array.from(slices.keys()),
    time: new Uint32Array(slices.length),
    location: new Uint32Array(slices.length),
    count: Float64Array.from(tables.flatMap(({ leftOut }) => [...(leftOut ?? [])])),
  };
}
