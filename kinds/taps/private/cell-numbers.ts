import type { Partition } from '../../../contracts/names.ts';
import { TAPS } from '../../../counts/tables/tap-tables.ts';
import type { StoredCells } from './cells.ts';
import type { CountedRange } from './counted-cells.ts';
import { byBytes, type PublicLists } from './public-lists.ts';
import { type SlotNumbers, slotNumbers } from './slot-numbers.ts';
import { READINGS, type Reading } from './tap-calendar.ts';

export type CellNumbers = ReturnType<typeof cellNumbers>;

/**
 * Numbers of the cells that a window may have, from 0: by day, mode, end, time and place of the list of the mode, each
 * ascending. They depend on public lists alone.
 */
export function cellNumbers(lists: PublicLists) {
  const modes = byBytes(lists.modes.keys());
  const days = byBytes(lists.calendar.map(({ day }) => day));
  const times = byBytes(lists.calendar.flatMap(({ label }) => label ?? []));
  const taps = TAPS.toSorted();
  /** Places that a source may name, in any list. */
  const places = byBytes([...lists.modes.values()].flatMap(({ dictionary }) => [...dictionary.keys()]));
  /**
   * Of each mode and place, both from 1, the number of its location, and whether the list of the mode lacks it. Mode or
   * place 0 is one that no list has.
   */
  const locationOf = new Uint32Array((modes.length + 1) * (places.length + 1));
  const unlisted = new Uint8Array(locationOf.length);
  /** The locations of each mode, ascending, and its first cell of a day. */
  const locations: string[][] = [];
  const firstOfMode: number[] = [];
  let cellsOfDay = 0;
  for (const [number, mode] of modes.entries()) {
    const { unknown, dictionary } = lists.modes.get(mode)!;
    const ofMode = byBytes([unknown, ...dictionary.values()]);
    const numberOf = new Map(ofMode.map((location, index) => [location, index]));
    for (const [place, name] of [null, ...places].entries()) {
      const location = name === null ? undefined : dictionary.get(name);
      const at = (number + 1) * (places.length + 1) + place;
      locationOf[at] = numberOf.get(location ?? unknown)!;
      if (location === undefined) unlisted[at] = 1;
    }
    locations.push(ofMode);
    firstOfMode.push(cellsOfDay);
    cellsOfDay += taps.length * times.length * ofMode.length;
  }
  const slots = Object.fromEntries(
    READINGS.map((reading) => [reading, slotNumbers(lists.calendar, reading, lists.slotMinutes)]),
  ) as Record<Reading, SlotNumbers>;
  /** How many cells there are, some of them of the days beside the window. */
  const size = days.length * cellsOfDay;
  return { modes, days, taps, times, slots, locations, places, locationOf, unlisted, firstOfMode, cellsOfDay, size };
}

/** The cells of one partition, ascending. */
export type PartitionCells = { partition: Partition; cells: StoredCells['cells'] };

/** The cells of all partitions from counts by their numbers; a partition without taps is not among them. */
export function* splitCells(numbers: CellNumbers, spans: Iterable<CountedRange>): Generator<PartitionCells> {
  const { modes, days, taps, times, locations, firstOfMode, cellsOfDay } = numbers;
  const ranges = spans[Symbol.iterator]();
  let range = ranges.next();
  for (const [day, name] of days.entries()) {
    for (const [mode, part] of modes.entries()) {
      const from = day * cellsOfDay + firstOfMode[mode]!;
      const to = from + taps.length * times.length * locations[mode]!.length;
      const [places, counts]: [number[], number[]] = [[], []];
      for (let cell = from; !range.done; range = ranges.next()) {
        const { first, counts: some } = range.value;
        for (; cell < to && cell < first + some.length; cell++) {
          if (some[cell - first] === 0) continue;
          places.push(cell - from);
          counts.push(some[cell - first]!);
        }
        if (cell === to) break;
      }
      if (places.length === 0) continue;
      const cells = { taps, times, ...withoutOthers(locations[mode]!, places), counts: Float64Array.from(counts) };
      yield { partition: { part, day: name }, cells };
    }
  }
  ranges.return?.();
}

/** The same places with a list of the locations that have a cell: there may be many that have none. */
function withoutOthers(all: readonly string[], places: readonly number[]) {
  const met = new Uint8Array(all.length);
  for (const place of places) met[place % all.length] = 1;
  const locations = all.filter((_, location) => met[location] === 1);
  let next = 0;
  const numbers = Array.from(met, (one) => (one === 1 ? next++ : 0));
  const inList = (place: number): number =>
    Math.floor(place / all.length) * locations.length + numbers[place % all.length]!;
  return { locations, places: Uint32Array.from(places, inList) };
}
