import type { Database } from '../../../activities/sql/duckdb.ts';
import type { CellColumns } from '../../../core/mechanisms/cell-counts.ts';
import { namesOf, type PartitionCells } from './counted-cells.ts';

/**
 * Numbers of the cells that a window may have, from 0: by day, mode, end, time and place of the list of the mode, each
 * ascending. They depend on public lists alone.
 */
export type CellNumbers = {
  modes: readonly string[];
  days: readonly string[];
  taps: readonly string[];
  times: readonly string[];
  /** The locations of each mode, ascending. */
  locations: readonly (readonly string[])[];
  /** Of each mode and place that a source may name the number of its location; place 0 is one that no list knows. */
  locationOf: Uint32Array;
  /** Places that a source may name, and one. */
  places: number;
  /** Of each mode its first cell of a day. */
  firstOfMode: readonly number[];
  cellsOfDay: number;
};

/** Cells are told apart by 32 bits, of which one number is none of them. */
const MOST_CELLS = 2 ** 32 - 1;

/** Numbers cells by the public tables (public-tables.ts). Throws RangeError when they are too many for 32 bits. */
export async function cellNumbers(database: Database): Promise<CellNumbers> {
  const names = (type: string): Promise<string[]> => namesOf(database, type);
  const [modes, days, taps] = [await names('mode_name'), await names('day_name'), await names('tap_name')];
  const [times, all, sources] = [await names('time_name'), await names('location_name'), await names('place_name')];
  const places = sources.length + 1;
  const listed = new Uint32Array(modes.length * places);
  const pairs = `SELECT enum_code(mode) AS mode, 0 AS place, enum_code(CAST(unknown AS location_name)) AS location
      FROM (SELECT CAST(mode AS mode_name) AS mode, unknown FROM modes)
    UNION ALL SELECT enum_code(mode), CAST(enum_code(place) AS INTEGER) + 1, enum_code(location) FROM places`;
  for await (const [mode, place, location] of database.words(`SELECT CAST(mode AS INTEGER), CAST(place AS INTEGER),
      CAST(location AS INTEGER) FROM (${pairs})`)) {
    for (let at = 0; at < mode!.length; at++) listed[mode![at]! * places + place![at]!] = location![at]! + 1;
  }
  const locations: string[][] = [];
  const firstOfMode: number[] = [];
  let cellsOfDay = 0;
  for (const number of modes.keys()) {
    const ofMode = listed.subarray(number * places, (number + 1) * places);
    const unknown = ofMode[0]!;
    const numbers = [...new Set(ofMode)].filter((location) => location > 0).sort((a, b) => a - b);
    const newNumber = new Map(numbers.map((location, index) => [location, index]));
    for (const [place, location] of ofMode.entries()) ofMode[place] = newNumber.get(location || unknown)!;
    locations.push(numbers.map((location) => all[location - 1]!));
    firstOfMode.push(cellsOfDay);
    cellsOfDay += taps.length * times.length * numbers.length;
  }
  if (cellsOfDay * days.length > MOST_CELLS) throw new RangeError('a window of cards has at most 2^32 cells');
  return { modes, days, taps, times, locations, locationOf: listed, places, firstOfMode, cellsOfDay };
}

/** The cells of all partitions from counts by their numbers; a partition without taps is not among them. */
export function* numberedCells(numbers: CellNumbers, counted: Uint32Array): Generator<PartitionCells> {
  for (const { part, day, counts, locations } of numberedCounts(numbers, counted)) {
    const places: number[] = [];
    for (let place = 0; place < counts.length; place++) if (counts[place]! > 0) places.push(place);
    if (places.length === 0) continue;
    const { taps, times } = numbers;
    const cells: CellColumns = { taps, times, locations, places, counts: places.map((place) => counts[place]!) };
    yield { partition: { part, day }, cells };
  }
}

/** The counts of each partition, and the locations of its mode. */
export function* numberedCounts(
  { modes, days, taps, times, locations, firstOfMode, cellsOfDay }: CellNumbers,
  counted: Uint32Array,
): Generator<{ part: string; day: string; counts: Uint32Array; locations: readonly string[] }> {
  for (const [number, day] of days.entries()) {
    for (const [mode, part] of modes.entries()) {
      const from = number * cellsOfDay + firstOfMode[mode]!;
      const size = taps.length * times.length * locations[mode]!.length;
      yield { part, day, counts: counted.subarray(from, from + size), locations: locations[mode]! };
    }
  }
}
