import { FILES, PUBLISHED_TABLES, type PublishedTable } from '../../../../contracts/names.ts';
import type { AuditedTables, AuditSubject, ParquetFile } from '../../../../counts/audit/subject.ts';
import { ALL } from '../../../../counts/derive/count-row.ts';
import { type CountTable, NO_ROWS, sameTables } from '../../../../counts/derive/count-table.ts';
import { CSV_COLUMNS, type CsvDates, type CsvShape, isCsvOf, parseCsv } from '../../../../counts/derive/csv.ts';
import { joined, TABLE_SHAPES } from '../../../../counts/derive/published-tables.ts';
import type { ReleaseFiles } from '../../../../services/publication/staged-files.ts';
import { MOST_TABLE_ROWS, parquetFacts, readParquet, type ShapedTable } from '../parquet-file.ts';

/** Everything that the tables of a release say, read back. */
export type TableFiles = Pick<
  AuditSubject,
  'cells' | 'hours' | 'remainder' | 'tables' | 'parquet' | 'differing' | 'unreadable'
>;

/** Our own writer. */
export type TableWriter = (shaped: ShapedTable) => Promise<Buffer>;

type ReadOptions = {
  dates: CsvDates;
  /** To compare the bytes of Parquet files with what it makes of their rows; null: they are not compared. */
  rewrite: TableWriter | null;
};

const CELLS = 'time-location';

/** The published cells of a release; `read` gives a file by its name, null when there is none. */
export async function publishedCells(read: (name: string) => Promise<Buffer | null>): Promise<CountTable | null> {
  const own = await read(FILES.table(CELLS, 'parquet'));
  return own && readParquet(CELLS, own);
}

/** Names of the files that noisy margins are in. */
export const MARGIN_FILES: readonly string[] = [FILES.table('margins-time'), FILES.table('margins-location')];

/** The noisy margins of a release; null without any. Throws SyntaxError when they are no tables. */
export function readMargins(files: ReleaseFiles, dates: CsvDates): CountTable | null {
  const sides = (['margins-time', 'margins-location'] as const).flatMap((name): [PublishedTable, CountTable][] => {
    const bytes = files.get(FILES.table(name));
    return bytes ? [[name, parseCsv(TABLE_SHAPES[name], bytes.toString('utf8'), dates)]] : [];
  });
  return bothSides(new Map(sides), 'margins');
}

/**
 * The tables of a release, each from its two files. One that is not as Opaline writes it is named in `unreadable` and
 * counts as empty, and so is one that lacks a form.
 */
export async function readTableFiles(files: ReleaseFiles, options: ReadOptions): Promise<TableFiles> {
  const unreadable: AuditSubject['unreadable'] = [];
  const [typed, texts] = [new Map<PublishedTable, CountTable>(), new Map<PublishedTable, CountTable>()];
  const parquet: ParquetFile[] = [];
  for (const name of PUBLISHED_TABLES) {
    const shape = TABLE_SHAPES[name];
    const file = FILES.table(name, 'parquet');
    const bytes = files.get(file);
    const text = files.get(FILES.table(name));
    const mostRows = text ? 2 * linesIn(text) : MOST_TABLE_ROWS;
    const read = bytes && (await readTyped(file, { bytes, shape, mostRows }, options, unreadable));
    if (read?.facts) parquet.push(read.facts);
    if (read) typed.set(name, read.table);
    const rows = readText(files, FILES.table(name), shape, options.dates, read?.table, unreadable);
    if (rows) texts.set(name, rows);
    // A series can be without cells as CSV. Without cells as Parquet nothing can be checked.
    if (!bytes && (text || name === CELLS)) unreadable.push({ file, reason: 'it is missing' });
    if (bytes && !text && name !== CELLS) unreadable.push({ file: FILES.table(name), reason: 'it is missing' });
  }
  return {
    cells: typed.get(CELLS) ?? NO_ROWS,
    hours: typed.get('hours') ?? NO_ROWS,
    remainder: bothSides(typed, 'remainder') ?? NO_ROWS,
    tables: auditedTables(texts),
    parquet,
    differing: PUBLISHED_TABLES.filter((name) => {
      const [text, rows] = [texts.get(name), typed.get(name)];
      return text && rows && !sameTables(text, rows);
    }),
    unreadable,
  };
}

/** Line ends: a CSV has one for each row, and one for its header. */
function linesIn(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}
const LINE_FEED = 0x0a;

type Tables = ReadonlyMap<PublishedTable, CountTable>;

/** The rows of times and those of places in one; null when there are none of either. */
function bothSides(tables: Tables, name: 'remainder' | 'margins'): CountTable | null {
  const [time, location] = [tables.get(`${name}-time`), tables.get(`${name}-location`)];
  return time || location ? joined(time ?? NO_ROWS, location ?? NO_ROWS) : null;
}

const auditedTables = (tables: Tables): AuditedTables => ({
  timeLocation: tables.get('time-location') ?? null,
  time: tables.get('time') ?? null,
  location: tables.get('location') ?? null,
  hours: tables.get('hours') ?? null,
  remainder: bothSides(tables, 'remainder'),
  margins: bothSides(tables, 'margins'),
  leftOut: tables.get('left-out') ?? null,
});

async function readTyped(
  file: string,
  { bytes, shape, mostRows }: { bytes: Buffer; shape: CsvShape; mostRows: number },
  { rewrite }: ReadOptions,
  unreadable: AuditSubject['unreadable'],
): Promise<{ table: CountTable; facts: ParquetFile | null }> {
  try {
    const table = refusingAll(shape, await readParquet(shape, bytes, mostRows));
    const facts = parquetFacts(bytes, CSV_COLUMNS[shape]);
    const again = rewrite && (await rewrite({ shape, table }));
    const rewritten = again && isRewritten(shape, again, bytes, facts.createdBy);
    return { table, facts: { file, parts: [table], ...facts, rewritten } };
  } catch (error) {
    // A full disk is no fault of the file, and goes away.
    if (error instanceof Error && 'syscall' in error) throw error;
    unreadable.push({ file, reason: 'it is no Parquet file with the declared columns' });
    return { table: NO_ROWS, facts: null };
  }
}

/** Does our writer make these bytes of the rows? Null when another version of it made them: then nobody can tell. */
const isRewritten = (shape: CsvShape, again: Buffer, bytes: Buffer, createdBy: string): boolean | null =>
  parquetFacts(again, CSV_COLUMNS[shape]).createdBy === createdBy ? again.equals(bytes) : null;

/** A row of a table counts one time and one place: one for all of them would be counted twice. Throws SyntaxError. */
function refusingAll(shape: CsvShape, table: CountTable): CountTable {
  const columns: readonly string[] = CSV_COLUMNS[shape];
  const hasTime = columns.includes('time') || columns.includes('hour');
  if ((hasTime && table.times.includes(ALL)) || (columns.includes('loc') && table.locations.includes(ALL)))
    throw new SyntaxError('a row is of all times or of all places');
  return table;
}

/** A CSV table; one that is that of the rows of its Parquet file is those rows, and needs no memory of its own. */
function readText(
  files: ReleaseFiles,
  file: string,
  shape: CsvShape,
  dates: CsvDates,
  expected: CountTable | undefined,
  unreadable: AuditSubject['unreadable'],
): CountTable | null {
  const bytes = files.get(file);
  if (!bytes) return null;
  try {
    if (expected && isCsvOf(shape, expected, bytes, dates)) return expected;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return refusingAll(shape, parseCsv(shape, text, dates));
  } catch (error) {
    unreadable.push({ file, reason: error instanceof SyntaxError ? error.message : 'it is no UTF-8 text' });
    return NO_ROWS;
  }
}
