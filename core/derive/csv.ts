import { isTap } from '../../contracts/names.ts';
import { csvFields, csvRecords, formatCsvRecord, LINE_END } from '../csv/csv.ts';
import { ALL, type CountRow } from './count-row.ts';

/**
 * Columns of each CSV file, as in the original Opal release; remainder and margins have those of time-location, and the
 * hour of an hour row is the time of its CountRow.
 */
export const CSV_COLUMNS = {
  'time-location': ['mode', 'date', 'tap', 'time', 'loc', 'count'],
  hours: ['mode', 'date', 'tap', 'hour', 'loc', 'count'],
  location: ['mode', 'date', 'tap', 'loc', 'count'],
  time: ['mode', 'date', 'tap', 'time', 'count'],
  'left-out': ['mode', 'date', 'tap', 'count'],
} as const;

export type CsvShape = keyof typeof CSV_COLUMNS;
type Column = (typeof CSV_COLUMNS)[CsvShape][number];

const COLUMN_VALUES: Record<Exclude<Column, 'count'>, (row: CountRow) => string> = {
  mode: ({ mode }) => mode,
  date: ({ day }) => day,
  tap: ({ tap }) => tap,
  time: ({ time }) => time,
  hour: ({ time }) => time,
  loc: ({ location }) => location,
};

/** Makes the text of each row, with its line end; the few different values of a column are quoted once. */
function recordsOf(shape: CsvShape): (row: CountRow) => string {
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  const fields = columns.map((column): ((row: CountRow) => string) => {
    if (column === 'count') return ({ count }) => String(count);
    const [value, known] = [COLUMN_VALUES[column], new Map<string, string>()];
    const field = (text: string): string => formatCsvRecord([column === 'date' ? text.replaceAll('-', '') : text]);
    return (row) => kept(known, value(row), field);
  });
  return (row) => fields.map((field) => field(row)).join(',') + LINE_END;
}

const headerOf = (shape: CsvShape): string => formatCsvRecord(CSV_COLUMNS[shape]) + LINE_END;

/** The CSV file of rows, in their order: header, fields quoted where RFC 4180 asks for it, dates as YYYYMMDD. */
export const formatCsv = (shape: CsvShape, rows: readonly CountRow[]): string =>
  headerOf(shape) + rows.map(recordsOf(shape)).join('');

/** Is a text what formatCsv makes of these rows? Cost: O(text), and next to no memory. */
export function isCsvOf(shape: CsvShape, rows: readonly CountRow[], text: string): boolean {
  const recordOf = recordsOf(shape);
  let at = headerOf(shape).length;
  if (!text.startsWith(headerOf(shape))) return false;
  for (const row of rows) {
    const record = recordOf(row);
    if (!text.startsWith(record, at)) return false;
    at += record.length;
  }
  return at === text.length;
}

/**
 * Reads a CSV file of the given shape; a column that the shape lacks becomes ALL. Throws SyntaxError with the line
 * number when the text is not exactly what formatCsv writes for its rows: no stray lines, blanks or other quoting.
 * Equal fields of two rows are one string. Cost: O(text).
 */
export function parseCsv(shape: CsvShape, text: string): CountRow[] {
  const header = headerOf(shape);
  if (!text.startsWith(header)) throw new SyntaxError('line 1 is not the header of this table');
  const readRow = rowReader(shape);
  const rows: CountRow[] = [];
  for (const record of csvRecords(text.slice(header.length))) rows.push(readRow(record, rows.length + 2));
  return rows;
}

/** A reader of records that are as formatCsv writes them. */
function rowReader(shape: CsvShape): (record: string, line: number) => CountRow {
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  const recordOf = recordsOf(shape);
  // A table has few different days and labels, and would hold each as often as it has rows.
  const [days, labels] = [new Map<string, string | null>(), new Map<string, string>()];
  const places = Object.fromEntries(columns.map((column, place) => [column, place])) as Partial<Record<Column, number>>;
  return (record, line) => {
    const fields = csvFields(record);
    if (fields.length !== columns.length) throw new SyntaxError(`record ${line} has another number of fields`);
    const field = (column: Column): string => fields[places[column] ?? -1] ?? ALL;
    const label = (column: Column): string => kept(labels, field(column), (text) => text);
    const [day, tap, count] = [kept(days, field('date'), dayOf), label('tap'), Number(field('count'))];
    if (day === null || !isTap(tap) || !Number.isSafeInteger(count))
      throw new SyntaxError(`record ${line} has a date, tap or count that cannot be read`);
    const row: CountRow = {
      mode: label('mode'),
      day,
      tap,
      time: label(shape === 'hours' ? 'hour' : 'time'),
      location: label('loc'),
      count,
    };
    if (!isAsWritten(record, field('count'), row))
      throw new SyntaxError(`record ${line} is not as this table is written`);
    return row;
  };

  /** Without a quote or a line end only a number has a second form. */
  function isAsWritten(record: string, count: string, row: CountRow): boolean {
    return /["\r\n]/.test(record) ? recordOf(row) === record + LINE_END : count === String(row.count);
  }
}

function kept<Value>(known: Map<string, Value>, key: string, make: (key: string) => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const value = make(key);
  known.set(key, value);
  return value;
}

const dayOf = (text: string): string | null =>
  /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : null;
