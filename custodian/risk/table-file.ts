import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { identifier, isFileError, isOutOfScratch } from '../../services/sql/duckdb.ts';
import { cleanLines } from '../source/clean-lines.ts';
import { unpack } from '../source/source-text.ts';
import { type SourceFile, sourceRelation } from '../sql/source-relation.ts';
import { columnText, type Workspace, writeRows } from './sql/coded-table.ts';

/** Which columns of a table matter, by their names. */
export type TableColumns = {
  /** Columns to measure; all but that of the id when null. */
  measured: readonly string[] | null;
  /** Column that says whose row it is; it is no column of the measures. */
  id: string | null;
  /** Column that orders the rows of one id; it may be measured too. */
  order: string | null;
};

/**
 * A table in scratch, as a Parquet file of texts: `id` and `place` (NULL where no column was named), and x0 … for the
 * columns with these names.
 */
export type StagedTable = Awaited<ReturnType<typeof stageRelation>>;

/** Runs DuckDB on a person's file. Its own errors may quote rows and are not passed on. */
export async function readingTable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOutOfScratch(error))
      throw new OpalineError(
        'OUT_OF_SCRATCH',
        'The scratch disk or the memory limit of the private deployment is used up; give it more.',
      );
    if (error instanceof OpalineError || !isFileError(error)) throw error;
    throw new OpalineError(
      'OBJECT_UNREADABLE',
      'The table cannot be read: it is no CSV file with a header row, or no Parquet file.',
    );
  }
}

/** Brings a table of a person, `.csv`, `.csv.gz` or `.parquet`, into scratch. Throws USAGE and OBJECT_UNREADABLE. */
export const stageFile = async (workspace: Workspace, path: string, columns: TableColumns): Promise<StagedTable> =>
  stageRelation(workspace, sourceRelation(await readable(workspace.folder, path)), columns);

async function readable(folder: string, path: string): Promise<SourceFile> {
  const copy = join(folder, 'table');
  if (/\.parquet$/i.test(path)) {
    await copyFile(path, copy).catch(unreadable(path));
    return { format: 'parquet', path: copy, stored: new Map() };
  }
  const [, gzip] = /\.csv(\.gz)?$/i.exec(path) ?? [];
  if (!/\.csv(\.gz)?$/i.test(path)) throw wrongUse(`${path} is no table: name a .csv, .csv.gz or .parquet file.`);
  const bytes = unpack(path, gzip === undefined ? 'none' : 'gzip');
  const format = { kind: 'csv', delimiter: ',', header: null } as const;
  const { header } = await cleanLines(bytes, format, copy, `${copy}.lines`).catch(unreadable(path));
  if (header === null || new Set(header).size < header.length)
    throw wrongUse(`${path} has no header row, or one with equal names.`);
  return { format: 'csv', path: copy, delimiter: ',', header };
}

export const unreadable = (path: string) => (): never => {
  throw wrongUse(`${path} cannot be read; check its name.`);
};

/** Stages a relation by the names of its columns. Throws USAGE for a name that it does not have. */
export async function stageRelation(workspace: Workspace, relation: string, { measured, id, order }: TableColumns) {
  const names = (await workspace.database.rows(`DESCRIBE ${relation}`)).map(([name]) => String(name));
  const columns = measured ?? names.filter((name) => name !== id);
  for (const name of [...columns, id, order])
    if (name !== null && !names.includes(name))
      throw wrongUse(`The table has no column ${name}; it has ${names.join(', ')}.`);
  if (columns.length === 0) throw wrongUse('The table has no column to measure.');
  const asText = (name: string | null): string => (name === null ? 'NULL' : identifier(name));
  const texts = columns.map((name, column) => `CAST(${identifier(name)} AS VARCHAR) AS ${columnText(column)}`);
  const query = `SELECT CAST(${asText(id)} AS VARCHAR) AS id, CAST(${asText(order)} AS VARCHAR) AS place,
    ${texts.join(', ')} FROM (${relation})`;
  return {
    columns: [...columns],
    relation: await writeRows(workspace, 'staged', query),
    hasIds: id !== null,
  };
}
