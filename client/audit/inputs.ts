import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { certificateShape } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES } from '../../contracts/names.ts';
import { TABLES } from '../../counts/tables/tap-tables.ts';
import { COLUMN_ROLES, type ColumnRole } from '../../foreign-audit/foreign-columns.ts';
import { type ForeignCsv, parseForeignCsv } from '../../foreign-audit/foreign-csv.ts';
import {
  type ForeignRow,
  type ForeignTable,
  NOTHING_DECLARED,
  type TableKind,
} from '../../foreign-audit/foreign-table.ts';

type Found = { path: string; table: ForeignTable };

/** How the tables of somebody else are read. */
export type InputOptions = {
  /** Columns in the order of the files; null: as their headers name them. */
  columns: readonly ColumnRole[] | null;
  /** What is declared of a table of a kind. */
  declared: (kind: TableKind) => ForeignTable['declared'];
};

/**
 * Reads files and folders. A folder with a manifest is a publication of Opaline; of any other, all CSV files are read.
 * A file that is named twice is read once. A file that is not called CSV and holds no counts is left out where others
 * hold some: a shell that expands `folder/*` names the notes too. Throws OBJECT_UNREADABLE for what cannot be read or is
 * empty, OBJECT_SCHEMA for columns that are not recognised.
 */
export async function readAuditInputs(paths: readonly string[], options: InputOptions) {
  const tables = new Map<string, ForeignTable>();
  const publications = new Set<string>();
  const errors = new Map<string, unknown>();
  const add = ({ path, table }: Found): void => {
    // What a publication declares of its table goes before the same file by itself.
    if (!tables.get(resolve(path))?.source) tables.set(resolve(path), table);
  };
  for (const path of paths) {
    const names = await namesIn(path);
    if (names?.includes(FILES.manifest)) {
      publications.add(path);
      for (const one of await readPublishedTables(path, names)) add(one);
      continue;
    }
    const files = names?.filter(isCsv).map((name) => join(path, name)) ?? [path];
    if (files.length === 0)
      throw new OpalineError('OBJECT_UNREADABLE', `The folder ${path} holds neither CSV files nor a publication.`);
    for (const file of files) {
      const text = await readText(file);
      try {
        add(tableOf(file, text, options));
      } catch (error) {
        if (isCsv(file)) throw error;
        errors.set(resolve(file), error);
      }
    }
  }
  if (tables.size === 0) for (const error of errors.values()) throw error;
  const names = tableNames([...tables.keys()]);
  return {
    tables: [...tables.values()].map((table, index) => ({ ...table, name: names[index]! })),
    /** Folders of publications of Opaline, which declare their own noise. */
    publications: [...publications],
    /** Names of files that were named beside others and hold no counts. */
    leftOut: tableNames([...errors.keys()]),
  };
}

const isCsv = (name: string): boolean => name.toLowerCase().endsWith('.csv');

/** The names in a folder, in their order; null for a file. */
async function namesIn(path: string): Promise<string[] | null> {
  const stats = await stat(path).catch(unreadable(path));
  return stats.isDirectory() ? (await readdir(path).catch(() => [])).sort() : null;
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(unreadable(path));

const unreadable = (path: string) => (): never => {
  throw new OpalineError('OBJECT_UNREADABLE', `${path} cannot be read; check its name.`);
};

function tableOf(path: string, text: string, { columns, declared }: InputOptions): Found {
  const csv = csvOf(path, text, columns);
  if (csv.rows.length === 0)
    throw new OpalineError('OBJECT_UNREADABLE', `${path} holds no row that can be read as a count; check its columns.`);
  return { path, table: { ...csv, name: basename(path), source: null, declared: declared(csv.kind) } };
}

function csvOf(path: string, text: string, columns: InputOptions['columns']): ForeignCsv {
  if (text.trim() === '') throw new OpalineError('OBJECT_UNREADABLE', `${path} is empty.`);
  const csv = parseForeignCsv(text, columns);
  if (csv) return csv;
  const names = COLUMN_ROLES.join(', ');
  throw new OpalineError(
    'OBJECT_SCHEMA',
    `The columns of ${path} are not recognised; name them in order with --columns, each one of ${names}.`,
  );
}

/**
 * The tables of a publication of Opaline under its certificate; its remainder rows belong to the cells, so that totals
 * are sums of both. A missing or broken certificate leaves the tables undeclared: the audit of the folder says why.
 */
async function readPublishedTables(folder: string, names: readonly string[]): Promise<Found[]> {
  const certificate = await readFile(join(folder, FILES.certificate), 'utf8')
    .then((text) => certificateShape.parse(JSON.parse(text)))
    .catch(() => null);
  const declared = { ...NOTHING_DECLARED, certificate };
  const read = async (name: string) => csvOf(join(folder, name), await readText(join(folder, name)), null);
  const tables: Found[] = [];
  for (const table of TABLES) {
    const name = FILES.table(table);
    if (!names.includes(name)) continue;
    const csv = await read(name);
    const rest = table === 'time-location' ? REMAINDERS.filter((one) => names.includes(one)) : [];
    const rows = [...csv.rows];
    for (const one of rest) rows.push(...(await read(one)).rows);
    // Each file is in order, and so has to be what is made of several: the audit of the release looks at the files.
    if (rest.length > 0) rows.sort(byKey);
    tables.push({ path: join(folder, name), table: { ...csv, rows, name, kind: table, source: folder, declared } });
  }
  return tables;
}

const REMAINDERS = [FILES.table('remainder-time'), FILES.table('remainder-location')];

/** The order of published rows: by mode, day, end, time and place, each by its code units. */
function byKey(a: ForeignRow, b: ForeignRow): number {
  const field = (['mode', 'day', 'tap', 'time', 'location'] as const).find((one) => a[one] !== b[one]);
  if (field === undefined) return 0;
  return a[field] < b[field] ? -1 : 1;
}

/**
 * A name for each absolute path: its file name, and for files of the same name as many of their folders as distinguish
 * them. Readers of an audit do not see where the files are on the machine. The paths are all different.
 */
const tableNames = (paths: readonly string[]): string[] => {
  const parts = paths.map((path) => path.split(sep));
  return parts.map((own) => {
    const others = parts.filter((other) => other !== own);
    let length = 1;
    while (others.some((other) => tail(other, length) === tail(own, length))) length += 1;
    return tail(own, length);
  });
};

const tail = (parts: readonly string[], length: number): string => parts.slice(-length).join('/');
