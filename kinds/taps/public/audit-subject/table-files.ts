import { FILES } from '../../../../contracts/names.ts';
import { makeCache, oncePer } from '../../../../core/memory/function-cache.ts';
import type { Coded, ColumnsOfTable, TableDefinition } from '../../../../core/table/published-table.ts';
import type { AuditSubject, ParquetFile } from '../../../../counts/audit/subject.ts';
import { ALL } from '../../../../counts/derive/count-row.ts';
import {
  type CountTable,
  joinTables,
  NO_ROWS,
  sameTables,
  tableOfColumns,
} from '../../../../counts/derive/count-table.ts';
import type { ReleaseTables } from '../../../../counts/derive/tables.ts';
import { PUBLISHED_TABLES, type PublishedTable } from '../../../../counts/tables/tap-tables.ts';
import { mostRowsOf, parquetFacts, readTable } from '../../../../services/publication/parquet-columns.ts';
import type { ReleaseFiles } from '../../../../services/publication/staged-files.ts';
import { type CsvDates, isTableOf, parseTable } from '../../../../services/publication/table-csv.ts';
import type { WrittenTable } from '../../../../services/publication/table-parquet.ts';
import {
  TAPS_TABLES,
  type TableFacts,
  type TapsTable,
  type TotalsTable,
  tapsColumns,
  totalsOfColumns,
} from '../tables.ts';

/** A domain of more cells is never listed; a table that has a CSV has no more rows than that. */
const MOST_TABLE_ROWS = 20_000_000;

/** Our own writer. */
export type TableWriter = (table: WrittenTable) => Promise<Buffer>;

type Reading = {
  dates: CsvDates;
  /** Length of a time bin. */
  binMinutes: number;
  /** The table `totals`, as the certificate has it. */
  totals: TotalsTable;
  /** To compare the bytes of Parquet files with what it makes of their rows; null: they are not compared. */
  rewrite: TableWriter | null;
  /** Takes what is found of files that are not as Opaline writes them. */
  unreadable: AuditSubject['unreadable'];
};

const CELLS = 'time-location';

/** The published cells of a release; `read` gives a file by its name, null when there is none. */
export async function loadCells(read: (name: string) => Promise<Buffer | null>): Promise<CountTable | null> {
  const own = await read(FILES.table(CELLS, 'parquet'));
  return own && readRows(TAPS_TABLES[CELLS], readTable(TAPS_TABLES[CELLS], own, MOST_TABLE_ROWS));
}

/** Names of the files that noisy margins are in. */
export const MARGIN_FILES: readonly string[] = [FILES.table('margins-time'), FILES.table('margins-location')];

/** The noisy margins of a release; null without any. Throws SyntaxError when they are no tables. */
export function readMargins(files: ReleaseFiles, dates: CsvDates): CountTable | null {
  const sides = new Map<PublishedTable, CountTable>();
  for (const name of ['margins-time', 'margins-location'] as const) {
    const text = files.get(FILES.table(name))?.toString('utf8');
    if (text !== undefined) sides.set(name, readRows(TAPS_TABLES[name], parseTable(TAPS_TABLES[name], text, dates)));
  }
  return bothSides(sides, 'margins');
}

/**
 * The tables of a release, each from its two files. One that is not as Opaline writes it is named in `unreadable` and
 * counts as empty, and so is one that lacks a form.
 */
export async function readTableFiles(files: ReleaseFiles, reading: Reading) {
  const { binMinutes, unreadable } = reading;
  const [counts, texts] = [new Map<PublishedTable, CountTable>(), new Map<PublishedTable, CountTable>()];
  const parquet: ParquetFile[] = [];
  for (const name of PUBLISHED_TABLES) {
    const table = TAPS_TABLES[name];
    const [bytes, text] = [files.get(FILES.table(name, 'parquet')), files.get(FILES.table(name))];
    let own = NO_ROWS;
    const readOwn = () => {
      const content = readTyped(table, bytes!, binMinutes, text && 2 * mostRowsOf(text));
      if (!content.hasMoments) throw new SyntaxError(OTHER_MOMENTS);
      own = content.own;
      return content.columns;
    };
    const file = bytes && (await readParquetFile(table, bytes, reading, readOwn));
    if (file) parquet.push(file.facts);
    if (bytes) counts.set(name, file ? own : NO_ROWS);
    if (text) texts.set(name, readText(table, text, reading, file ? { own, columns: file.rows } : null));
    // A series can be without cells as CSV. Without cells as Parquet nothing can be checked.
    if (!bytes && (text || name === CELLS))
      unreadable.push({ file: FILES.table(name, 'parquet'), reason: 'it is missing' });
    if (bytes && !text && name !== CELLS) unreadable.push({ file: FILES.table(name), reason: 'it is missing' });
  }
  const totals = await readTotals(files, reading);
  if (totals) parquet.push(totals.facts);
  return {
    cells: counts.get(CELLS) ?? NO_ROWS,
    hours: counts.get('hours') ?? NO_ROWS,
    remainder: bothSides(counts, 'remainder') ?? NO_ROWS,
    tables: collectTables(texts),
    ...(totals && { totals: totals.rows }),
    parquet,
    differing: [
      ...PUBLISHED_TABLES.filter((name) => {
        const [text, rows] = [texts.get(name), counts.get(name)];
        return text && rows && !sameTables(text, rows);
      }),
      ...(totals?.differs ? ['totals'] : []),
    ],
  };
}

/** The totals of each part and day; null where they are not as Opaline writes them, which is named. */
async function readTotals(files: ReleaseFiles, reading: Reading) {
  const { totals: table, dates, unreadable } = reading;
  const [text, bytes] = [files.get(FILES.table(table.name)), files.get(FILES.table(table.name, 'parquet'))];
  if (!text || !bytes) {
    unreadable.push({ file: FILES.table(table.name, text ? 'parquet' : 'csv'), reason: 'it is missing' });
    return null;
  }
  const file = await readParquetFile(table, bytes, reading, () => readTable(table, bytes, mostRowsOf(text)));
  if (!file) return null;
  const { rows, facts } = file;
  return { rows: totalsOfColumns(rows), facts, differs: !isTableOf(table, rows, text, dates) };
}

type Tables = ReadonlyMap<PublishedTable, CountTable>;

/** The rows of times and those of places in one; null when there are none of either. */
function bothSides(tables: Tables, name: 'remainder' | 'margins'): CountTable | null {
  const [time, location] = [tables.get(`${name}-time`), tables.get(`${name}-location`)];
  return time || location ? joinTables(time ?? NO_ROWS, location ?? NO_ROWS) : null;
}

const collectTables = (tables: Tables): ReleaseTables => ({
  cells: tables.get('time-location') ?? null,
  time: tables.get('time') ?? null,
  location: tables.get('location') ?? null,
  hours: tables.get('hours') ?? null,
  remainder: bothSides(tables, 'remainder'),
  margins: bothSides(tables, 'margins'),
  leftOut: tables.get('left-out') ?? null,
});

/** Throws SyntaxError for rows that no table has: one of all times or of all places would be counted twice. */
function readRows({ key }: TapsTable, columns: ColumnsOfTable): CountTable {
  const table = tableOfColumns(columns);
  if (
    (key.includes('time') && table.times.includes(ALL)) ||
    (key.includes('location') && table.locations.includes(ALL))
  )
    throw new SyntaxError('a row is of all times or of all places');
  return table;
}

const readAlready = oncePer((_bytes: Buffer) => makeCache<ReturnType<typeof buildTable>, TapsTable>());

/**
 * The rows of a Parquet file, in columns too, and whether its bins begin and end as their labels say. They are kept as
 * long as its bytes, which an audit and the texts about a release both read. Throws when it is no such table.
 */
export const readTyped = (table: TapsTable, bytes: Buffer, binMinutes: number, mostRows = MOST_TABLE_ROWS) =>
  readAlready(bytes)(table, () => buildTable(table, readTable(table, bytes, mostRows), binMinutes));

function buildTable(table: TapsTable, input: ColumnsOfTable, binMinutes: number) {
  const own = readRows(table, input);
  const columns = tapsColumns(table, own, binMinutes);
  return { own, columns, hasMoments: areMoments(input, columns) };
}

/** Do bins begin and end at the moments that their labels say? */
const areMoments = (input: Partial<ColumnsOfTable>, reference: ColumnsOfTable): boolean =>
  ['start', 'end'].every((field) => {
    const [column, due] = [input[field] as Coded | undefined, reference[field] as Coded];
    return !column?.codes.some((code, at) => column.texts[code] !== due.texts[due.codes[at]!]);
  });

const OTHER_MOMENTS = 'a bin begins or ends at another moment than its label says';

async function readParquetFile<Field extends string>(
  table: TableDefinition<Field, TableFacts>,
  bytes: Buffer,
  { rewrite, unreadable }: Reading,
  read: () => ColumnsOfTable<Field>,
): Promise<{ rows: ColumnsOfTable<Field>; facts: ParquetFile } | null> {
  const file = FILES.table(table.name, 'parquet');
  try {
    const rows = read();
    const facts = parquetFacts(table, bytes);
    const again = rewrite && (await rewrite({ table, rows }));
    // Null when another version of our writer made the bytes: then nobody can tell.
    const isOurs = again && parquetFacts(table, again).createdBy === facts.createdBy;
    const values = Object.fromEntries(table.columns.map(({ name, field }) => [name, rows[field]]));
    return { rows, facts: { file, read: values, ...facts, rewritten: isOurs ? again.equals(bytes) : null } };
  } catch (error) {
    // A full disk is no fault of the file, and goes away.
    if (error instanceof Error && 'syscall' in error) throw error;
    unreadable.push({ file, reason: 'it is no Parquet file with the declared columns' });
    return null;
  }
}

/** A CSV table; one that is that of the rows of its Parquet file is those rows, and needs no memory of its own. */
function readText(
  table: TapsTable,
  bytes: Buffer,
  { dates, binMinutes, unreadable }: Reading,
  parquet: { own: CountTable; columns: ColumnsOfTable } | null,
): CountTable {
  try {
    if (parquet && isTableOf(table, parquet.columns, bytes, dates)) return parquet.own;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const columns = parseTable(table, text, dates);
    const rows = readRows(table, columns);
    if (!areMoments(columns, tapsColumns(table, rows, binMinutes))) throw new SyntaxError(OTHER_MOMENTS);
    return rows;
  } catch (error) {
    const reason = error instanceof SyntaxError || error instanceof RangeError ? error.message : 'it is no UTF-8 text';
    unreadable.push({ file: FILES.table(table.name), reason });
    return NO_ROWS;
  }
}
