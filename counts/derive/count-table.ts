import { type Coded, type ColumnsOfTable, encodeTexts } from '../../core/table/published-table.ts';
import { codesIn } from '../tables/list-places.ts';
import { isTap } from '../tables/tap-tables.ts';
import { ALL, type CountRow, compareText, partitionOfRow } from './count-row.ts';

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

/** Order of slices: mode, day, tap. */
export const compareSlices = (a: Slice, b: Slice): number =>
  compareText(a.mode, b.mode) || compareText(a.day, b.day) || compareText(a.tap, b.tap);

/** Mode, day and tap as a text that two slices share exactly when they are the same. */
export const sliceKey = ({ mode, day, tap }: Record<keyof Slice, string>): string => JSON.stringify([mode, day, tap]);

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
export const pick = (table: CountTable, places: Uint32Array): CountTable => ({
  ...table,
  slice: places.map((at) => table.slice[at]!),
  time: places.map((at) => table.time[at]!),
  location: places.map((at) => table.location[at]!),
  count: Float64Array.from(places, (at) => table.count[at]!),
});

/** The rows of a table in order; itself when they are. Cost: O(n) for an ordered table, else O(n log n). */
export function sortRows(table: CountTable): CountTable {
  if (isOrdered(table)) return table;
  return pick(
    table,
    Uint32Array.from(table.count.keys()).sort((a, b) => compareAt(table, a, b) || a - b),
  );
}

/** What the codes of one table are in the lists of another; −1 for what these do not have. */
export const codesBetween = (from: CodeLists, to: CodeLists) => ({
  slice: codesIn(from.slices.map(sliceKey), to.slices.map(sliceKey)),
  time: codesIn(from.times, to.times),
  location: codesIn(from.locations, to.locations),
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

/** The rows of each group of slices that share a name, by that name, in the order of the table. Cost: O(rows). */
function groupRows(table: CountTable, nameOf: (slice: Slice) => string): Map<string, CountTable> {
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
  if (runs.length > 2) return pick(table, placesOf(runs));
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
export const byPartition = (table: CountTable): Map<string, CountTable> => groupRows(table, partitionOfRow);

/** The rows of each mode, day and tap, by sliceKey, in the order of the table. Cost: O(rows). */
export const bySlice = (table: CountTable): Map<string, CountTable> => groupRows(table, sliceKey);

/** The sum of the counts of a table, a safe integer. */
export const totalOf = ({ count }: Pick<CountTable, 'count'>): number => count.reduce((sum, each) => sum + each, 0);

/** What a row of counts is made of. */
export type CountField = keyof CountRow;

const FIELDS: readonly CountField[] = ['mode', 'day', 'tap', 'time', 'location', 'count'];

/** The rows of a table in columns, as they are written. */
export const columnsOfTable = ({ slices, times, locations, ...table }: CountTable): ColumnsOfTable<CountField> => ({
  mode: { texts: slices.map(({ mode }) => mode), codes: table.slice },
  day: { texts: slices.map(({ day }) => day), codes: table.slice },
  tap: { texts: slices.map(({ tap }) => tap), codes: table.slice },
  time: { texts: times, codes: table.time },
  location: { texts: locations, codes: table.location },
  count: table.count,
});

/** For each code its place in another list. There are millions, and `map` takes several times as long. */
function recode(codes: Uint32Array, places: ArrayLike<number>): Uint32Array {
  const next = new Uint32Array(codes.length);
  for (let at = 0; at < codes.length; at++) next[at] = places[codes[at]!]!;
  return next;
}

/** The same texts by the codes of a list that is in order, each text once; itself when it is. */
function inOrder({ texts, codes }: Coded): Coded {
  if (texts.every((text, place) => place === 0 || compareText(texts[place - 1]!, text) < 0)) return { texts, codes };
  const list = [...new Set(texts)].sort(compareText);
  return { texts: list, codes: recode(codes, codesIn(texts, list)) };
}

/**
 * The table of rows in columns, in their order; ALL stands for a column of times or locations that is not there. Throws
 * SyntaxError when a tap is not one or a count is not a safe integer. Cost: O(rows).
 */
export function tableOfColumns(columns: Partial<ColumnsOfTable<CountField>>): CountTable {
  const count = columns.count as Float64Array;
  const ofAll = { texts: [ALL], codes: new Uint32Array(columns.time && columns.location ? 0 : count.length) };
  const [mode, day, tap, time, location] = FIELDS.slice(0, -1).map((field) =>
    inOrder((columns[field] as Coded | undefined) ?? ofAll),
  ) as [Coded, Coded, Coded, Coded, Coded];
  if (!tap.texts.every(isTap)) throw new SyntaxError('a row has a tap that is not one');
  for (const one of count)
    if (!Number.isSafeInteger(one)) throw new SyntaxError('a row has a count that is no whole number');
  const slice = slicesIn(mode, day, tap);
  const codes = { slice: slice.codes, time: time.codes, location: location.codes };
  return { slices: slice.list, times: time.texts, locations: location.texts, ...codes, count };
}

/** Numbers of rows, each once, as they come first, and of each row the place of its own. Neighbours often share one. */
export function encodeNumbers(
  rows: number,
  numberAt: (row: number) => number,
): { numbers: number[]; codes: Uint32Array } {
  const codes = new Uint32Array(rows);
  const places = new Map<number, number>();
  let [last, place] = [-1, 0];
  for (let at = 0; at < rows; at++) {
    const number = numberAt(at);
    if (number !== last) {
      place = places.get(number) ?? places.size;
      places.set(number, place);
      last = number;
    }
    codes[at] = place;
  }
  return { numbers: [...places.keys()], codes };
}

/** The slices of rows, in order, and of each row its place among them. */
function slicesIn(mode: Coded, day: Coded, tap: Coded): { list: Slice[]; codes: Uint32Array } {
  const [days, taps] = [day.texts.length, tap.texts.length];
  const numberAt = (at: number) => (mode.codes[at]! * days + day.codes[at]!) * taps + tap.codes[at]!;
  const { numbers, codes } = encodeNumbers(mode.codes.length, numberAt);
  const order = numbers.toSorted((a, b) => a - b);
  const places = new Map(order.map((number, place) => [number, place]));
  const ranks = numbers.map((number) => places.get(number)!);
  return {
    list: order.map((number) => ({
      mode: mode.texts[Math.floor(number / taps / days)]!,
      day: day.texts[Math.floor(number / taps) % days]!,
      tap: tap.texts[number % taps] as Slice['tap'],
    })),
    codes: recode(codes, ranks),
  };
}

/** The table of some rows, in their order; for few rows. */
export function tableOf(rows: Iterable<CountRow>): CountTable {
  const all = [...rows];
  const columns = FIELDS.map((field) => [field, encodeTexts(all.map((row) => String(row[field])))]);
  return tableOfColumns({ ...Object.fromEntries(columns), count: Float64Array.from(all, ({ count }) => count) });
}

/** A table without rows. */
export const NO_ROWS: CountTable = tableOf([]);

/** Two tables as one: in order when both are, and as they come otherwise. */
export function joinTables(a: CountTable, b: CountTable): CountTable {
  const [first, second] = [columnsOfTable(a), columnsOfTable(b)] as Record<CountField, Coded>[];
  const columns = FIELDS.slice(0, -1).map((field) => {
    const [{ texts, codes }, more] = [first![field], second![field]];
    const both = new Uint32Array(codes.length + more.codes.length);
    both.set(codes);
    both.set(
      more.codes.map((code) => texts.length + code),
      codes.length,
    );
    return [field, { texts: [...texts, ...more.texts], codes: both }];
  });
  const both = tableOfColumns({ ...Object.fromEntries(columns), count: Float64Array.from([...a.count, ...b.count]) });
  return isOrdered(a) && isOrdered(b) ? sortRows(both) : both;
}
