import { csvFields, csvRow } from '../core/text/csv.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { isTap } from '../counts/tables/tap-tables.ts';
import { type ColumnRole, columnsOfHeader } from './foreign-columns.ts';
import { type ForeignRow, type ForeignTable, kindOfColumns } from './foreign-table.ts';

/** What a CSV file of any origin holds. */
export type ForeignCsv = Pick<ForeignTable, 'columns' | 'kind' | 'rows' | 'strays' | 'lines'>;

/**
 * Reads counts from a CSV file that somebody else wrote: LF or CR LF, either order of columns, dates as YYYYMMDD or
 * YYYY-MM-DD. A line that is no row, such as what a download has left behind, is named by its number and left out.
 * With `columns` the columns are those, in this order, and the first line is a header when it is no row.
 * Gives null when there are no columns that can be recognised.
 */
export function parseForeignCsv(text: string, columns: readonly ColumnRole[] | null): ForeignCsv | null {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  while (lines.at(-1)?.trim() === '') lines.pop();
  const [head = ''] = lines;
  const roles = columns ?? columnsOfHeader(csvFields(head).map((name) => name.trim()));
  if (roles === null) return null;
  const rows = lines.map((line) => readRow(line, roles));
  const hasHeader = rows[0] === null;
  return {
    columns: roles,
    kind: kindOfColumns(roles),
    rows: rows.flatMap((row) => (row === null ? [] : [row])),
    strays: rows.flatMap((row, index) => (row === null && !(index === 0 && hasHeader) ? [index + 1] : [])),
    lines: lines.length,
  };
}

function readRow(line: string, roles: readonly ColumnRole[]): ForeignRow | null {
  const fields = csvRow(line, roles.length);
  if (!fields) return null;
  const field = (role: ColumnRole): string | null => fields[roles.indexOf(role)]?.trim() ?? null;
  const moment = field('datetime')?.split(/[ T]/);
  const day = dayOf(field('date') ?? moment?.[0] ?? '');
  const time = timeOf(field('time') ?? moment?.[1] ?? ALL);
  const tap = field('tap') ?? ALL;
  const count = field('count') ?? '';
  if (day === null || time === null || !(tap === ALL || isTap(tap)) || !/^-?\d{1,15}$/.test(count)) return null;
  return { mode: field('mode') ?? ALL, day, tap, time, location: field('loc') ?? ALL, count: Number(count) };
}

function dayOf(text: string): string | null {
  const match = /^(\d{4})(-?)(\d{2})\2(\d{2})$/.exec(text);
  return match ? `${match[1]}-${match[3]}-${match[4]}` : null;
}

/** HH:MM; seconds are left out, `*` stays. */
function timeOf(text: string): string | null {
  return text === ALL ? ALL : (/^(\d{2}:[0-5]\d)(:\d{2})?$/.exec(text)?.[1] ?? null);
}
