import { isCivilDay } from '../../core/calendar/civil-day.ts';
import { isMoment } from '../../core/calendar/moment.ts';
import {
  COLUMN_TYPES,
  type ColumnsOfTable,
  type ColumnType,
  rowsIn,
  type TableShape,
  textNumbers,
} from '../../core/table/published-table.ts';
import { csvFields, csvRecords, formatCsvRecord, LINE_END } from '../../core/text/csv.ts';

/** How a CSV file writes a day: `2026-07-06`, or `20260706` and no moment at all, as in the original Opal release. */
export type CsvDates = 'iso' | 'compact';

/** The columns of a table that its CSV file has. */
export const csvColumns = <Column extends { type: ColumnType }>(
  columns: readonly Column[],
  dates: CsvDates,
): Column[] => columns.filter(({ type }) => dates === 'iso' || type !== 'moment');

const utf8 = new TextEncoder();

const headerOf = ({ columns }: TableShape, dates: CsvDates): string =>
  formatCsvRecord(csvColumns(columns, dates).map(({ name }) => name)) + LINE_END;

/** What each row has, one after the other: texts by their codes, or a number; each with what comes after it. */
type RowForm = ReturnType<typeof rowForm>;

const NO_NUMBERS = new Float64Array();

/** The fields of a row; neighbours with the same codes, such as those of a slice, are one. No row has more bytes. */
function rowForm<Field extends string>(shape: TableShape<Field>, rows: ColumnsOfTable<Field>, dates: CsvDates) {
  const columns = csvColumns(shape.columns, dates);
  const fields: { codes: Uint32Array | null; texts: string[]; numbers: Float64Array; type: ColumnType; end: string }[] =
    [];
  for (const [place, { field, type }] of columns.entries()) {
    const end = place === columns.length - 1 ? LINE_END : ',';
    const values = rows[field];
    if (values instanceof Float64Array) {
      fields.push({ codes: null, texts: [], numbers: values, type, end });
      continue;
    }
    const isCompact = type === 'day' && dates === 'compact';
    const texts = values.texts.map((text) => formatCsvRecord([isCompact ? text.replaceAll('-', '') : text]) + end);
    const before = fields.at(-1);
    if (before?.codes === values.codes) before.texts = before.texts.map((text, code) => text + texts[code]);
    else fields.push({ codes: values.codes, texts, numbers: NO_NUMBERS, type, end });
  }
  const slots = fields.map(({ codes, texts, numbers, type, end }) => ({
    codes,
    texts: texts.map((text) => utf8.encode(text)),
    numbers,
    isDecimal: type === 'decimal',
    end: utf8.encode(end),
  }));
  const longest = slots.map(({ texts }) => texts.reduce((most, { length }) => Math.max(most, length), NUMBER_BYTES));
  return { fields: slots, rowBytes: longest.reduce((sum, length) => sum + length, 0) };
}

/** A number has sixteen digits, a sign and a point at most, and an end of two bytes. */
const NUMBER_BYTES = 20;
/** So much is written at a time: few pieces, and small beside a table. */
const PIECE_BYTES = 1 << 20;
const [ZERO, MINUS, POINT] = [0x30, 0x2d, 0x2e];
const MILLION = 1_000_000;

/**
 * The bytes of the CSV file of a table, in pieces of at least `pieceBytes` bytes, as long as there are rows; a piece is
 * overwritten by the next.
 */
function* piecesOf<Field extends string>(
  shape: TableShape<Field>,
  rows: ColumnsOfTable<Field>,
  dates: CsvDates,
  pieceBytes: number,
): Generator<Buffer> {
  const form = rowForm(shape, rows, dates);
  const header = utf8.encode(headerOf(shape, dates));
  const all = rowsIn(rows);
  // Memory that nothing is written to is not taken from anybody.
  const piece = Buffer.allocUnsafeSlow(header.length + Math.min(pieceBytes + form.rowBytes, all * form.rowBytes));
  piece.set(header);
  let [row, start] = [0, header.length];
  do {
    const { length, next } = putRows(piece, start, form, row, all);
    yield piece.subarray(0, length);
    [row, start] = [next, 0];
  } while (row < all);
}

/** Writes rows as long as the longest has room: where they end, and the row after. No generator is compiled so well. */
function putRows(piece: Uint8Array, start: number, { fields, rowBytes }: RowForm, from: number, all: number) {
  let [length, next] = [start, from];
  for (; next < all && length + rowBytes <= piece.length; next++)
    for (let place = 0; place < fields.length; place++) {
      const field = fields[place]!;
      if (field.codes !== null) length = putBytes(piece, length, field.texts[field.codes[next]!]!);
      else if (field.isDecimal) length = putBytes(piece, putDecimal(piece, length, field.numbers[next]!), field.end);
      else length = putBytes(piece, putInteger(piece, length, field.numbers[next]!), field.end);
    }
  return { length, next };
}

/** Writes some bytes; where they end. From some 32 bytes on a call into the engine takes less time than a loop. */
function putBytes(target: Uint8Array, start: number, bytes: Uint8Array): number {
  if (bytes.length > 32) target.set(bytes, start);
  else for (let at = 0; at < bytes.length; at++) target[start + at] = bytes[at]!;
  return start + bytes.length;
}

/** Writes a number of millionths with six decimals; gives where it ends. */
function putDecimal(target: Uint8Array, start: number, millionths: number): number {
  const whole = Math.floor(millionths / MILLION);
  const point = putInteger(target, start, whole);
  // Seven digits, whose first one makes room for the point.
  const end = putInteger(target, point, MILLION + (millionths - whole * MILLION));
  target[point] = POINT;
  return end;
}

/** Writes the digits of a safe integer; where they end. */
function putInteger(target: Uint8Array, start: number, integer: number): number {
  let first = start;
  let rest = Math.abs(integer);
  if (integer < 0) target[first++] = MINUS;
  let end = first + 1;
  for (let tens = Math.floor(rest / 10); tens > 0; tens = Math.floor(tens / 10)) end += 1;
  for (let at = end - 1; at >= first; at--) {
    const tens = Math.floor(rest / 10);
    target[at] = ZERO + (rest - 10 * tens);
    rest = tens;
  }
  return end;
}

/** The CSV file of a table, in the order of its rows: header, and fields quoted where RFC 4180 asks for it. */
export const formatTable = <Field extends string>(
  shape: TableShape<Field>,
  rows: ColumnsOfTable<Field>,
  dates: CsvDates = 'iso',
): Buffer => piecesOf(shape, rows, dates, Number.POSITIVE_INFINITY).next().value!;

/** Are bytes what formatTable makes of these rows? Cost: O(bytes), and next to no memory. */
export function isTableOf<Field extends string>(
  shape: TableShape<Field>,
  rows: ColumnsOfTable<Field>,
  bytes: Uint8Array,
  dates: CsvDates = 'iso',
): boolean {
  let at = 0;
  for (const piece of piecesOf(shape, rows, dates, PIECE_BYTES)) {
    if (Buffer.compare(bytes.subarray(at, at + piece.length), piece) !== 0) return false;
    at += piece.length;
  }
  return at === bytes.length;
}

/**
 * Reads the CSV file of a table. Throws SyntaxError with the number of the record when the text is not exactly what
 * formatTable writes for its rows: no stray lines, blanks or other quoting. Cost: O(text).
 */
export function parseTable<Field extends string>(
  shape: TableShape<Field>,
  text: string,
  dates: CsvDates = 'iso',
): ColumnsOfTable<Field> {
  const header = headerOf(shape, dates);
  const columns = csvColumns(shape.columns, dates);
  if (!text.startsWith(header)) throw new SyntaxError('line 1 is not the header of this table');
  const readers = columns.map(({ type }) => fieldReader(type, dates));
  let line = 2;
  for (const record of csvRecords(text.slice(header.length))) {
    const fields = csvFields(record);
    if (fields.length !== readers.length) throw new SyntaxError(`record ${line} has another number of fields`);
    // Without a quote or a line end only a number has a second form.
    const isAsWritten = !/["\r\n]/.test(record) || formatCsvRecord(fields) === record;
    let isRow = isAsWritten;
    for (let place = 0; isRow && place < fields.length; place++) isRow = readers[place]!.add(fields[place]!);
    if (!isRow) throw new SyntaxError(`record ${line} is not as this table is written`);
    line += 1;
  }
  return Object.fromEntries(
    columns.map(({ field }, place) => [field, readers[place]!.values()]),
  ) as unknown as ColumnsOfTable<Field>;
}

/** Reads the fields of one column; `add` is false for what no such column holds. */
function fieldReader(type: ColumnType, dates: CsvDates) {
  const [{ texts, numberOf }, values] = [textNumbers(), [] as number[]];
  if (!COLUMN_TYPES[type].isCoded) {
    const numberIn = NUMBERS[type as keyof typeof NUMBERS];
    const add = (field: string): boolean => {
      const number = numberIn(field);
      return Number.isSafeInteger(number) && values.push(number) > 0;
    };
    return { add, values: () => new Float64Array(values) };
  }
  const textOf = type === 'day' ? DAYS[dates] : type === 'moment' ? momentText : (field: string) => field;
  const codes = new Map<string, number | null>();
  // Rows beside each other are often of the same slice or time.
  let [last, code]: [field: string | null, code: number | null | undefined] = [null, 0];
  const add = (field: string): boolean => {
    if (field !== last) {
      code = codes.get(field);
      if (code === undefined) {
        const text = textOf(field);
        code = text === null ? null : numberOf(text);
        codes.set(field, code);
      }
      last = field;
    }
    return code !== null && values.push(code!) > 0;
  };
  return { add, values: () => ({ texts, codes: new Uint32Array(values) }) };
}

const DECIMAL = /^(0|[1-9]\d*)\.\d{6}$/;
const asWritten = (field: string): number => (String(Number(field)) === field ? Number(field) : Number.NaN);

/** The number that a field holds, a decimal in millionths; NaN for none, and for one that is written in another way. */
const NUMBERS = {
  small: (field: string): number => (asWritten(field) === (Number(field) | 0) ? Number(field) : Number.NaN),
  integer: asWritten,
  decimal: (field: string): number => (DECIMAL.test(field) ? Number(field.replace('.', '')) : Number.NaN),
};

/** A moment as a field writes it; null for one that is written in another way. */
const momentText = (field: string): string | null => (isMoment(field) ? field : null);

/** The day that a field names; null for one that is written in another way. */
const DAYS: Readonly<Record<CsvDates, (field: string) => string | null>> = {
  iso: (field) => (isCivilDay(field) ? field : null),
  compact: (field) => {
    const day = `${field.slice(0, 4)}-${field.slice(4, 6)}-${field.slice(6)}`;
    return isCivilDay(day) && field.length === 8 ? day : null;
  },
};
