import { isTap } from '../../contracts/names.ts';
import { csvFields, csvRecords, formatCsvRecord, LINE_END } from '../../core/text/csv.ts';
import { ALL } from './count-row.ts';
import { type CodeLists, type CountTable, type CountTableBuilder, countTableBuilder } from './count-table.ts';

/**
 * Columns of each shape of table, as in the original Opal release; the hour of an hour row is the time of its CountRow.
 */
export const CSV_COLUMNS = {
  'time-location': ['mode', 'date', 'tap', 'time', 'loc', 'count'],
  hours: ['mode', 'date', 'tap', 'hour', 'loc', 'count'],
  location: ['mode', 'date', 'tap', 'loc', 'count'],
  time: ['mode', 'date', 'tap', 'time', 'count'],
  'left-out': ['mode', 'date', 'tap', 'count'],
} as const;

export type CsvShape = keyof typeof CSV_COLUMNS;

/** How a CSV file writes a day: `2026-07-06`, or `20260706` as in the original Opal release. */
export type CsvDates = 'iso' | 'compact';
type Column = (typeof CSV_COLUMNS)[CsvShape][number];

const headerOf = (shape: CsvShape): string => formatCsvRecord(CSV_COLUMNS[shape]) + LINE_END;

const utf8 = new TextEncoder();

/** The field of a text with a comma after it, as bytes. */
const fieldOf = (...texts: string[]): Uint8Array => utf8.encode(`${formatCsvRecord(texts)},`);

const dateOf = (day: string, dates: CsvDates): string => (dates === 'iso' ? day : day.replaceAll('-', ''));

/** The fields before the count, as bytes, by what they stand for and by code. */
function fieldsOf(shape: CsvShape, { slices, times, locations }: CodeLists, dates: CsvDates) {
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  const none = new Uint8Array();
  const hasTime = columns.includes('time') || columns.includes('hour');
  return {
    slices: slices.map(({ mode, day, tap }) => fieldOf(mode, dateOf(day, dates), tap)),
    times: times.map((time) => (hasTime ? fieldOf(time) : none)),
    locations: locations.map((location) => (columns.includes('loc') ? fieldOf(location) : none)),
  };
}

/** A count has sixteen digits and a sign at most. */
const COUNT_BYTES = 17;
/** So much is written at a time: few pieces, and small beside a table. */
const PIECE_BYTES = 1 << 20;
const [ZERO, MINUS] = [0x30, 0x2d];

/** The bytes of the CSV file of a table, in pieces of about a MiB; a piece is overwritten by the next. */
function* piecesOf(shape: CsvShape, table: CountTable, dates: CsvDates): Generator<Uint8Array> {
  const fields = fieldsOf(shape, table, dates);
  const longest = (some: readonly Uint8Array[]): number => some.reduce((most, { length }) => Math.max(most, length), 0);
  const most = longest(fields.slices) + longest(fields.times) + longest(fields.locations) + COUNT_BYTES + END.length;
  const piece = new Uint8Array(PIECE_BYTES + most);
  yield utf8.encode(headerOf(shape));
  for (let row = 0; row < table.count.length; ) {
    const { length, next } = putRows(piece, fields, table, row);
    yield piece.subarray(0, length);
    row = next;
  }
}

const END = utf8.encode(LINE_END);

/** Writes rows from one on until a piece is full: how many bytes, and the row after. No generator is compiled so well. */
function putRows(piece: Uint8Array, fields: ReturnType<typeof fieldsOf>, table: CountTable, from: number) {
  const { slices, times, locations } = fields;
  let [length, next] = [0, from];
  for (; next < table.count.length && length < PIECE_BYTES; next++) {
    length = putBytes(piece, length, slices[table.slice[next]!]!);
    length = putBytes(piece, length, times[table.time[next]!]!);
    length = putBytes(piece, length, locations[table.location[next]!]!);
    length = putBytes(piece, putCount(piece, length, table.count[next]!), END);
  }
  return { length, next };
}

/** Writes some bytes, of which there are too few for a call into the engine; where they end. */
function putBytes(target: Uint8Array, start: number, bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; at++) target[start + at] = bytes[at]!;
  return start + bytes.length;
}

/** Writes the digits of a safe integer; where they end. */
function putCount(target: Uint8Array, start: number, count: number): number {
  let first = start;
  let rest = Math.abs(count);
  if (count < 0) target[first++] = MINUS;
  let end = first + 1;
  for (let tens = Math.floor(rest / 10); tens > 0; tens = Math.floor(tens / 10)) end += 1;
  for (let at = end - 1; at >= first; at--) {
    const tens = Math.floor(rest / 10);
    target[at] = ZERO + (rest - 10 * tens);
    rest = tens;
  }
  return end;
}

/** The CSV file of a table, in its order: header, and fields quoted where RFC 4180 asks for it. */
export function formatCsv(shape: CsvShape, table: CountTable, dates: CsvDates = 'iso'): Uint8Array {
  const pieces = Array.from(piecesOf(shape, table, dates), (piece) => piece.slice());
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Are bytes what formatCsv makes of these rows? Cost: O(bytes), and next to no memory. */
export function isCsvOf(shape: CsvShape, table: CountTable, bytes: Uint8Array, dates: CsvDates = 'iso'): boolean {
  let at = 0;
  for (const piece of piecesOf(shape, table, dates)) {
    if (at + piece.length > bytes.length) return false;
    for (let byte = 0; byte < piece.length; byte++) if (bytes[at + byte] !== piece[byte]) return false;
    at += piece.length;
  }
  return at === bytes.length;
}

/**
 * Reads a CSV file of the given shape; a column that the shape lacks becomes ALL. Throws SyntaxError with the line
 * number when the text is not exactly what formatCsv writes for its rows: no stray lines, blanks or other quoting.
 * Cost: O(text).
 */
export function parseCsv(shape: CsvShape, text: string, dates: CsvDates = 'iso'): CountTable {
  const header = headerOf(shape);
  if (!text.startsWith(header)) throw new SyntaxError('line 1 is not the header of this table');
  const table = countTableBuilder();
  const read = recordReader(shape, table, DAYS[dates]);
  let line = 2;
  for (const record of csvRecords(text.slice(header.length))) read(record, line++);
  return table.table();
}

/** Adds a record that is as formatCsv writes it. Throws SyntaxError for another. */
function recordReader(
  shape: CsvShape,
  table: CountTableBuilder,
  dayOf: (text: string) => string | null,
): (record: string, line: number) => void {
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  const days = new Map<string, string | null>();
  const place = (column: Column): number => columns.indexOf(column);
  const [mode, date, tap, location, count] = [place('mode'), place('date'), place('tap'), place('loc'), place('count')];
  const time = Math.max(place('time'), place('hour'));
  return (record, line) => {
    const fields = csvFields(record);
    if (fields.length !== columns.length) throw new SyntaxError(`record ${line} has another number of fields`);
    const day = kept(days, fields[date]!, dayOf);
    const number = Number(fields[count]);
    if (day === null || !isTap(fields[tap]!) || !Number.isSafeInteger(number))
      throw new SyntaxError(`record ${line} has a date, tap or count that cannot be read`);
    // Without a quote or a line end only a number has a second form.
    const isAsWritten = /["\r\n]/.test(record) ? formatCsvRecord(fields) === record : true;
    if (!isAsWritten || fields[count] !== String(number))
      throw new SyntaxError(`record ${line} is not as this table is written`);
    table.add(fields[mode]!, day, fields[tap]!, fields[time] ?? ALL, fields[location] ?? ALL, number);
  };
}

function kept<Value>(known: Map<string, Value>, key: string, make: (key: string) => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make(key);
  known.set(key, value);
  return value;
}

/** The day that a field names; null for one that is written in another way. */
const DAYS: Readonly<Record<CsvDates, (text: string) => string | null>> = {
  iso: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null),
  compact: (text) => (/^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : null),
};
