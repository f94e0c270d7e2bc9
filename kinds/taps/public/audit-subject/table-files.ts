import { fileOf, type ReleaseFiles } from '../../../../activities/publication/staged-files.ts';
import { FILES, PUBLISHED_TABLES, type PublishedTable, TABLES } from '../../../../contracts/names.ts';
import type { AuditedTables, AuditSubject, ParquetFile } from '../../../../core/audit/subject.ts';
import { ALL } from '../../../../core/derive/count-row.ts';
import { type CountTable, NO_ROWS, sameTables } from '../../../../core/derive/count-table.ts';
import { CSV_COLUMNS, type CsvDates, type CsvShape, isCsvOf, parseCsv } from '../../../../core/derive/csv.ts';
import { joined, TABLE_SHAPES } from '../../../../core/derive/published-tables.ts';
import { COMBINED_COLUMNS, COMBINED_FILES, readCombined } from '../combined-parquet.ts';
import { parquetFacts, readParquet, type ShapedTable } from '../parquet-file.ts';

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

/** Is a release of a build that wrote all rows as one Parquet file? */
const isCombined = (files: ReleaseFiles): boolean => files.has(COMBINED_FILES.rows);

const COMBINED_TABLES: readonly PublishedTable[] = [...TABLES, 'hours', 'left-out'];

/** Names of all files that the tables of a release can be in. */
export const tableFileNames = (files: ReleaseFiles): string[] =>
  isCombined(files)
    ? [...COMBINED_TABLES.map((name) => FILES.table(name)), ...Object.values(COMBINED_FILES)]
    : PUBLISHED_TABLES.flatMap((name) => [FILES.table(name), FILES.table(name, 'parquet')]);

/**
 * The tables of a release, each from its two files. One that is not as Opaline writes it is named in `unreadable` and
 * counts as empty, and so is one that lacks a form. Of a build that wrote all rows as one Parquet file, that is read.
 */
export const readTableFiles = (files: ReleaseFiles, options: ReadOptions): Promise<TableFiles> =>
  isCombined(files) ? readCombinedFiles(files) : readEachTable(files, options);

/** The published cells of a release of any build; `read` gives a file by its name, null when there is none. */
export async function publishedCells(read: (name: string) => Promise<Buffer | null>): Promise<CountTable | null> {
  const own = await read(FILES.table(CELLS, 'parquet'));
  if (own) return readParquet(CELLS, own);
  const combined = await read(COMBINED_FILES.rows);
  return combined && (await readCombined(combined)).cells;
}

/** Names of the files that noisy margins can be in, for any build. */
export const MARGIN_FILES: readonly string[] = [
  FILES.table('margins-time'),
  FILES.table('margins-location'),
  COMBINED_FILES.margins,
];

/** The noisy margins of a release of any build; null without any. Throws SyntaxError when they are no tables. */
export function readMargins(files: ReleaseFiles, dates: CsvDates): CountTable | null {
  const combined = files.get(COMBINED_FILES.margins);
  if (combined) return parseCsv('time-location', combined.toString('utf8'), 'compact');
  const sides = (['margins-time', 'margins-location'] as const).flatMap((name): [PublishedTable, CountTable][] => {
    const bytes = files.get(FILES.table(name));
    return bytes ? [[name, parseCsv(TABLE_SHAPES[name], bytes.toString('utf8'), dates)]] : [];
  });
  return bothSides(new Map(sides), 'margins');
}

async function readEachTable(files: ReleaseFiles, options: ReadOptions): Promise<TableFiles> {
  const unreadable: AuditSubject['unreadable'] = [];
  const [typed, texts] = [new Map<PublishedTable, CountTable>(), new Map<PublishedTable, CountTable>()];
  const parquet: ParquetFile[] = [];
  for (const name of PUBLISHED_TABLES) {
    const shape = TABLE_SHAPES[name];
    const file = FILES.table(name, 'parquet');
    const bytes = files.get(file);
    const read = bytes && (await readTyped(file, bytes, shape, options, unreadable));
    if (read?.facts) parquet.push(read.facts);
    if (read) typed.set(name, read.table);
    const text = readText(files, FILES.table(name), shape, options.dates, read?.table, unreadable);
    if (text) texts.set(name, text);
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
  bytes: Buffer,
  shape: CsvShape,
  { rewrite }: ReadOptions,
  unreadable: AuditSubject['unreadable'],
): Promise<{ table: CountTable; facts: ParquetFile | null }> {
  try {
    const table = refusingAll(shape, await readParquet(shape, bytes));
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
  check = refusingAll,
): CountTable | null {
  const bytes = files.get(file);
  if (!bytes) return null;
  try {
    if (expected && isCsvOf(shape, expected, bytes, dates)) return expected;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return check(shape, parseCsv(shape, text, dates));
  } catch (error) {
    unreadable.push({ file, reason: error instanceof SyntaxError ? error.message : 'it is no UTF-8 text' });
    return NO_ROWS;
  }
}

/** The form of earlier builds: remainder and margins have rows of times and of places in one file, with * for all. */
async function readCombinedFiles(files: ReleaseFiles): Promise<TableFiles> {
  const unreadable: AuditSubject['unreadable'] = [];
  const bytes = fileOf(files, COMBINED_FILES.rows);
  const rows = await readCombined(bytes).catch(() => null);
  if (!rows) unreadable.push({ file: COMBINED_FILES.rows, reason: 'it is no Parquet file with the declared columns' });
  const { cells, hours, remainder } = rows ?? { cells: NO_ROWS, hours: NO_ROWS, remainder: NO_ROWS };
  const file = COMBINED_FILES.rows;
  const facts = rows && { file, parts: [cells, hours, remainder], ...parquetFacts(bytes, COMBINED_COLUMNS) };
  const read = (file: string, shape: CsvShape, expected?: CountTable): CountTable | null =>
    readText(files, file, shape, 'compact', expected, unreadable, (_, table) => table);
  return {
    cells,
    hours,
    remainder,
    tables: {
      timeLocation: read(FILES.table('time-location'), 'time-location', cells),
      time: read(FILES.table('time'), 'time'),
      location: read(FILES.table('location'), 'location'),
      hours: read(FILES.table('hours'), 'hours', hours),
      remainder: read(COMBINED_FILES.remainder, 'time-location', remainder),
      margins: read(COMBINED_FILES.margins, 'time-location'),
      leftOut: read(FILES.table('left-out'), 'left-out'),
    },
    parquet: facts ? [{ ...facts, rewritten: null }] : [],
    differing: [],
    unreadable,
  };
}
