import { ALL, type CountRow, isTap } from './count-row.ts';

/** Columns of each CSV file, as in the original Opal release; remainder and margins have those of time-location. */
export const CSV_COLUMNS = {
  'time-location': ['mode', 'date', 'tap', 'time', 'loc', 'count'],
  location: ['mode', 'date', 'tap', 'loc', 'count'],
  time: ['mode', 'date', 'tap', 'time', 'count'],
} as const;

export type CsvShape = keyof typeof CSV_COLUMNS;
type Column = (typeof CSV_COLUMNS)['time-location'][number];

/** Lines end with CR LF: the original release did, and RFC 4180 asks for it. */
const LINE_END = '\r\n';

const FIELDS: Record<Column, (row: CountRow) => string> = {
  mode: ({ mode }) => mode,
  date: ({ day }) => day.replaceAll('-', ''),
  tap: ({ tap }) => tap,
  time: ({ time }) => time,
  loc: ({ location }) => location,
  count: ({ count }) => String(count),
};

/** The CSV file of rows, in their order: header, fields quoted where RFC 4180 asks for it, dates as YYYYMMDD. */
export function formatCsv(shape: CsvShape, rows: readonly CountRow[]): string {
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  const lines = rows.map((row) => columns.map((column) => quote(FIELDS[column](row))).join(','));
  return [columns.join(','), ...lines, ''].join(LINE_END);
}

const quote = (field: string): string => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/**
 * Reads a CSV file of the given shape; a column that the shape lacks becomes ALL. Throws SyntaxError with the line
 * number when the text is not exactly what formatCsv writes for its rows: no stray lines, blanks or other quoting.
 */
export function parseCsv(shape: CsvShape, text: string): CountRow[] {
  const [header, ...records] = splitRecords(text);
  const columns: readonly Column[] = CSV_COLUMNS[shape];
  if (header?.join(',') !== columns.join(',')) throw new SyntaxError('line 1 is not the header of this table');
  const rows = records.map((fields, index) => readRow(columns, fields, index + 2));
  if (formatCsv(shape, rows) !== text) throw new SyntaxError('the file has quoting or line ends that nobody needs');
  return rows;
}

function readRow(columns: readonly Column[], fields: readonly string[], line: number): CountRow {
  if (fields.length !== columns.length) throw new SyntaxError(`record ${line} has another number of fields`);
  const field = (column: Column): string => fields[columns.indexOf(column)] ?? ALL;
  const date = /^(\d{4})(\d{2})(\d{2})$/.exec(field('date'));
  const tap = field('tap');
  const count = Number(field('count'));
  if (!date || !isTap(tap) || !/^-?\d+$/.test(field('count')) || !Number.isSafeInteger(count))
    throw new SyntaxError(`record ${line} has a date, tap or count that cannot be read`);
  const day = `${date[1]}-${date[2]}-${date[3]}`;
  return { mode: field('mode'), day, tap, time: field('time'), location: field('loc'), count };
}

/** Splits CSV text into records of fields. Throws SyntaxError when a quote is open at the end, or the last line is. */
function splitRecords(text: string): string[][] {
  const records: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let record: string[] = [];
  while (field.lastIndex < text.length) {
    const line = records.length + 1;
    const match = field.exec(text);
    if (!match) throw new SyntaxError(`record ${line} is not CSV`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new SyntaxError('the last line has no end');
  return records;
}
