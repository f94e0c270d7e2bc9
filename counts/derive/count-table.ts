import { isTap, partitionPath } from '../../contracts/names.ts';
import { type CountRow, compareText } from './count-row.ts';

/** What the rows of one tap of a partition have in common. */
export type Slice = Pick<CountRow, 'mode' | 'day' | 'tap'>;

/** What the codes of a table stand for: each list in order (mode, day, tap; code units), and without repetition. */
export type CodeLists = {
  readonly slices: readonly Slice[];
  readonly times: readonly string[];
  readonly locations: readonly string[];
};

/**
 * Released rows in columns, from the draw to the published file: for each row the codes of its slice, time and location,
 * which are their places in the lists, and its count, a safe integer. Since the lists are in order, codes compare as the
 * texts do. A list may name what no row has. 20 bytes a row.
 */
export type CountTable = CodeLists & {
  readonly slice: Uint32Array;
  readonly time: Uint32Array;
  readonly location: Uint32Array;
  readonly count: Float64Array;
};

/** `mode/day` of a slice. */
export const partitionOfSlice = ({ mode, day }: Slice): string => partitionPath({ part: mode, day });

/** Order of slices: mode, day, tap. */
export const compareSlices = (a: Slice, b: Slice): number =>
  compareText(a.mode, b.mode) || compareText(a.day, b.day) || compareText(a.tap, b.tap);

/** Mode, day and tap as a text that two slices share exactly when they are the same. */
export const sliceKey = ({ mode, day, tap }: Slice): string => JSON.stringify([mode, day, tap]);

/** One row of a table. */
export const rowAt = ({ slices, times, locations, ...codes }: CountTable, at: number): CountRow => ({
  ...slices[codes.slice[at]!]!,
  time: times[codes.time[at]!]!,
  location: locations[codes.location[at]!]!,
  count: codes.count[at]!,
});

/** The rows of a table one by one; for tables of few rows. */
export function* rowsOf(table: CountTable): Generator<CountRow> {
  for (let at = 0; at < table.count.length; at++) yield rowAt(table, at);
}

/** compareRows of two rows of one table. */
export const compareAt = ({ slice, time, location }: CountTable, a: number, b: number): number =>
  slice[a]! - slice[b]! || time[a]! - time[b]! || location[a]! - location[b]!;

/** Does a table hold its rows in order, each key once? */
export function isOrdered(table: CountTable): boolean {
  for (let at = 1; at < table.count.length; at++) if (compareAt(table, at - 1, at) >= 0) return false;
  return true;
}

/** The rows of a table at some places, in that order. */
export const picked = (table: CountTable, places: Uint32Array): CountTable => ({
  ...table,
  slice: places.map((at) => table.slice[at]!),
  time: places.map((at) => table.time[at]!),
  location: places.map((at) => table.location[at]!),
  count: Float64Array.from(places, (at) => table.count[at]!),
});

/** The rows of a table in order; itself when they are. Cost: O(n) for an ordered table, else O(n log n). */
export function ordered(table: CountTable): CountTable {
  if (isOrdered(table)) return table;
  return picked(
    table,
    Uint32Array.from(table.count.keys()).sort((a, b) => compareAt(table, a, b) || a - b),
  );
}

/** For each member of a list its place in another, −1 for none. */
export function codesIn<Member>(
  from: readonly Member[],
  to: readonly Member[],
  keyOf: (member: Member) => string,
): Int32Array {
  const places = new Map(to.map((member, place) => [keyOf(member), place]));
  return Int32Array.from(from, (member) => places.get(keyOf(member)) ?? -1);
}

const itself = (text: string): string => text;

/** What the codes of one table are in the lists of another; −1 for what these do not have. */
export const codesBetween = (from: CodeLists, to: CodeLists) => ({
  slice: codesIn(from.slices, to.slices, sliceKey),
  time: codesIn(from.times, to.times, itself),
  location: codesIn(from.locations, to.locations, itself),
});

/** True when both tables hold the same rows in the same order, whatever their lists. Cost: O(rows). */
export function sameTables(a: CountTable, b: CountTable): boolean {
  if (a === b) return true;
  if (a.count.length !== b.count.length) return false;
  const codes = codesBetween(a, b);
  for (let at = 0; at < a.count.length; at++)
    if (
      a.count[at] !== b.count[at] ||
      codes.slice[a.slice[at]!] !== b.slice[at] ||
      codes.time[a.time[at]!] !== b.time[at] ||
      codes.location[a.location[at]!] !== b.location[at]
    )
      return false;
  return true;
}

/** The rows of each group that a name of their slice tells, by that name, in the order of the table. Cost: O(rows). */
function grouped(table: CountTable, nameOf: (slice: Slice) => string): Map<string, CountTable> {
  const { slice } = table;
  const names = table.slices.map(nameOf);
  /** Of each group its runs of rows that follow each other: in turn the first row of one and the row after its last. */
  const runs = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let from = 0, to = 0; from < slice.length; from = to) {
    for (to = from + 1; to < slice.length && slice[to] === slice[from]; ) to++;
    const own = runs.get(names[slice[from]!]!)!;
    if (own.at(-1) === from) own[own.length - 1] = to;
    else own.push(from, to);
  }
  return new Map([...runs].filter(([, own]) => own.length > 0).map(([name, own]) => [name, part(table, own)]));
}

/** The rows of some runs; of a single one no copy is made. */
function part(table: CountTable, runs: readonly number[]): CountTable {
  if (runs.length > 2) return picked(table, placesOf(runs));
  const [from, to] = runs;
  return {
    ...table,
    slice: table.slice.subarray(from, to),
    time: table.time.subarray(from, to),
    location: table.location.subarray(from, to),
    count: table.count.subarray(from, to),
  };
}

function placesOf(runs: readonly number[]): Uint32Array {
  const places: number[] = [];
  for (let run = 0; run < runs.length; run += 2) for (let at = runs[run]!; at < runs[run + 1]!; at++) places.push(at);
  return Uint32Array.from(places);
}

/** The rows of each partition, by `mode/day`, in the order of the table. Cost: O(rows). */
export const byPartition = (table: CountTable): Map<string, CountTable> => grouped(table, partitionOfSlice);

/** The rows of each mode, day and tap, by sliceKey, in the order of the table. Cost: O(rows). */
export const bySlice = (table: CountTable): Map<string, CountTable> => grouped(table, sliceKey);

/** The sum of the counts of a table, a safe integer. */
export const totalOf = ({ count }: Pick<CountTable, 'count'>): number => count.reduce((sum, each) => sum + each, 0);

/** Texts that are numbered as they come; `rank` gives the place of each number among the texts in order. */
function numbered<Member>(compare: (a: Member, b: Member) => number) {
  const [members, numbers] = [[] as Member[], new Map<string, number>()];
  return {
    of(key: string, member: Member): number {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, members.length);
      return members.push(member) - 1;
    },
    inOrder(): { list: Member[]; ranks: Uint32Array } {
      const order = Uint32Array.from(members.keys()).sort((a, b) => compare(members[a]!, members[b]!));
      const ranks = new Uint32Array(members.length);
      for (const [rank, number] of order.entries()) ranks[number] = rank;
      return { list: Array.from(order, (number) => members[number]!), ranks };
    },
  };
}

/** A table that rows are added to one by one, in any order; it ends with `table`. */
export type CountTableBuilder = {
  /** Throws SyntaxError when the tap is none or the count is no safe integer. */
  add(mode: string, day: string, tap: string, time: string, location: string, count: number): void;
  table(): CountTable;
};

/** `rows`: how many there will be, as far as it is known. Cost: O(rows). */
export function countTableBuilder(rows = 1024): CountTableBuilder {
  const [slices, times, locations] = [
    numbered<Slice>(compareSlices),
    numbered<string>(compareText),
    numbered<string>(compareText),
  ];
  let columns = {
    slice: new Uint32Array(rows),
    time: new Uint32Array(rows),
    location: new Uint32Array(rows),
    count: new Float64Array(rows),
  };
  let length = 0;
  let last: (Slice & { code: number }) | null = null;

  function sliceOf(mode: string, day: string, tap: string): number {
    if (last !== null && last.tap === tap && last.day === day && last.mode === mode) return last.code;
    if (!isTap(tap)) throw new SyntaxError('a row has a tap that is none');
    const slice = { mode, day, tap };
    const code = slices.of(sliceKey(slice), slice);
    last = { ...slice, code };
    return code;
  }

  function grow(): void {
    const wider = <Column extends Uint32Array | Float64Array>(column: Column, target: Column): Column => {
      target.set(column);
      return target;
    };
    const more = 2 * length + 1024;
    columns = {
      slice: wider(columns.slice, new Uint32Array(more)),
      time: wider(columns.time, new Uint32Array(more)),
      location: wider(columns.location, new Uint32Array(more)),
      count: wider(columns.count, new Float64Array(more)),
    };
  }

  return {
    add(mode, day, tap, time, location, count) {
      if (!Number.isSafeInteger(count)) throw new SyntaxError('a row has a count that is no whole number');
      if (length === columns.count.length) grow();
      columns.slice[length] = sliceOf(mode, day, tap);
      columns.time[length] = times.of(time, time);
      columns.location[length] = locations.of(location, location);
      columns.count[length++] = count;
    },
    table() {
      const [ofSlices, ofTimes, ofLocations] = [slices.inOrder(), times.inOrder(), locations.inOrder()];
      const recode = (codes: Uint32Array, ranks: Uint32Array): Uint32Array => {
        const own = codes.length === length ? codes : codes.slice(0, length);
        for (let at = 0; at < length; at++) own[at] = ranks[own[at]!]!;
        return own;
      };
      return {
        slices: ofSlices.list,
        times: ofTimes.list,
        locations: ofLocations.list,
        slice: recode(columns.slice, ofSlices.ranks),
        time: recode(columns.time, ofTimes.ranks),
        location: recode(columns.location, ofLocations.ranks),
        count: columns.count.length === length ? columns.count : columns.count.slice(0, length),
      };
    },
  };
}

/** The table of some rows, in their order; for few rows. */
export function tableOf(rows: Iterable<CountRow>): CountTable {
  const table = countTableBuilder();
  for (const { mode, day, tap, time, location, count } of rows) table.add(mode, day, tap, time, location, count);
  return table.table();
}

/** A table without rows. */
export const NO_ROWS: CountTable = tableOf([]);
