import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { certificateShape } from '../contracts/certificate-shape.ts';
import { OpalineError } from '../contracts/errors.ts';
import { FILES, TABLES } from '../contracts/names.ts';
import { COLUMN_ROLES, type ColumnRole } from '../core/audit/foreign/columns.ts';
import { type ForeignCsv, parseForeignCsv } from '../core/audit/foreign/csv.ts';
import { type ForeignTable, NOTHING_DECLARED, type TableKind } from '../core/audit/foreign/table.ts';

/** What a person named: a CSV file, or the folder of a publication of Opaline, which declares its own noise. */
export type AuditInput = { tables: ForeignTable[]; publication: string | null };

/** How the tables of somebody else are read. */
export type InputOptions = {
  /** Columns in the order of the files; null: as their headers name them. */
  columns: readonly ColumnRole[] | null;
  /** What is declared of a table of a kind. */
  declared: (kind: TableKind) => ForeignTable['declared'];
};

/**
 * Reads files and folders. A folder with a manifest is a publication of Opaline; of any other, all CSV files are read.
 * Throws OBJECT_UNREADABLE for what cannot be read or is empty, OBJECT_SCHEMA for columns that are not recognised.
 */
export async function readAuditInputs(paths: readonly string[], options: InputOptions): Promise<AuditInput[]> {
  const inputs: AuditInput[] = [];
  for (const path of paths) inputs.push(await readInput(path, options));
  return uniquelyNamed(paths, inputs);
}

async function readInput(path: string, options: InputOptions): Promise<AuditInput> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new OpalineError('OBJECT_UNREADABLE', `${path} cannot be read; check its name.`);
  if (!found.isDirectory()) return { tables: [await readTable(path, options)], publication: null };
  const names = (await readdir(path).catch(() => [])).sort();
  if (names.includes(FILES.manifest)) return { tables: await readPublishedTables(path, names), publication: path };
  const files = names.filter((name) => name.toLowerCase().endsWith('.csv'));
  if (files.length === 0)
    throw new OpalineError('OBJECT_UNREADABLE', `The folder ${path} holds neither CSV files nor a publication.`);
  const tables: ForeignTable[] = [];
  for (const name of files) tables.push(await readTable(join(path, name), options));
  return { tables, publication: null };
}

async function readTable(path: string, { columns, declared }: InputOptions): Promise<ForeignTable> {
  const csv = await readCsv(path, columns);
  if (csv.rows.length === 0)
    throw new OpalineError('OBJECT_UNREADABLE', `${path} holds no row that can be read as a count; check its columns.`);
  return { ...csv, name: basename(path), source: null, declared: declared(csv.kind) };
}

async function readCsv(path: string, columns: InputOptions['columns']): Promise<ForeignCsv> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) throw new OpalineError('OBJECT_UNREADABLE', `${path} cannot be read; check its name.`);
  const text = bytes.toString('utf8');
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
async function readPublishedTables(folder: string, names: readonly string[]): Promise<ForeignTable[]> {
  const certificate = await readFile(join(folder, FILES.certificate), 'utf8')
    .then((text) => certificateShape.parse(JSON.parse(text)))
    .catch(() => null);
  const declared = { ...NOTHING_DECLARED, certificate };
  const tables: ForeignTable[] = [];
  for (const table of TABLES) {
    const name = FILES.table(table);
    if (!names.includes(name)) continue;
    const csv = await readCsv(join(folder, name), null);
    const remainder = table === 'time-location' && names.includes(FILES.remainder);
    const rows = remainder ? [...csv.rows, ...(await readCsv(join(folder, FILES.remainder), null)).rows] : csv.rows;
    tables.push({ ...csv, rows, name, kind: table, source: folder, declared });
  }
  return tables;
}

/** Files of one name in several folders are told apart by the path that the person wrote. */
function uniquelyNamed(paths: readonly string[], inputs: AuditInput[]): AuditInput[] {
  const names = inputs.flatMap(({ tables }) => tables.map(({ name }) => name));
  const clashes = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return inputs.map((input, index) => ({
    ...input,
    tables: input.tables.map((table) =>
      clashes.has(table.name) ? { ...table, name: `${paths[index]!} ${table.name}` } : table,
    ),
  }));
}
