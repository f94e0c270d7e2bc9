import { join } from 'node:path';
import { type Database, literal } from '../../../services/sql/duckdb.ts';

/** A locked database, and the only folder that it may touch. */
export type Workspace = { database: Database; folder: string };

/**
 * A table whose values are numbers: distinct rows with their counts, in a Parquet file (c0 … of type INTEGER, n), and
 * beside it a table of the values of each column, `<name>_values_<column>`(code, value, n). NULL is a value.
 */
export type CodedTable = Workspace & {
  name: string;
  /** Number of columns. */
  width: number;
  rows: number;
  /** SQL for the rows of the file. */
  codes: string;
};

/** c0, c1, …: the columns of a coded table. */
export const code = (column: number): string => `c${column}`;
/** x0, x1, …: the columns of a relation of texts. */
export const columnText = (column: number): string => `x${column}`;
export const range = (width: number): number[] => Array.from({ length: width }, (_, column) => column);
export const valuesOf = (name: string, column: number): string => `${name}_values_${column}`;

/** The file that writeRows makes. */
export const rowsFile = (folder: string, name: string): string => join(folder, `${name}.parquet`);

/** Writes what a query yields to a Parquet file of the folder, and returns SQL for the rows of the file. */
export async function writeRows({ database, folder }: Workspace, name: string, query: string): Promise<string> {
  const file = literal(rowsFile(folder, name));
  await database.run(`COPY (${query}) TO ${file} (FORMAT parquet)`);
  return `read_parquet(${file})`;
}

/** SQL that numbers the values of a column in their order, so that equal tables get equal codes. */
export const numberValues = (name: string, column: number, query: string): string =>
  `CREATE OR REPLACE TABLE ${valuesOf(name, column)} AS
    SELECT CAST(row_number() OVER (ORDER BY value) AS INTEGER) AS code, value, n FROM (${query})`;

/** SQL for the columns that a query makes of the codes of each row of texts (x0 …), and for where it finds them. */
export const textCodes = ({ name, width }: Pick<CodedTable, 'name' | 'width'>, relation: string) => ({
  codes: range(width)
    .map((column) => `${valuesOf(name, column)}.code AS ${code(column)}`)
    .join(', '),
  from: `${relation} AS texts ${range(width)
    .map((column) => [valuesOf(name, column), columnText(column)])
    .map(([values, text]) => `JOIN ${values} ON texts.${text} IS NOT DISTINCT FROM ${values}.value`)
    .join(' ')}`,
});

/** Codes a relation with the text columns x0 …, which is read once for each column and once more. */
export async function codeTable(
  workspace: Workspace,
  { name, width, relation }: { name: string; width: number; relation: string },
): Promise<CodedTable> {
  const { database } = workspace;
  for (const column of range(width)) {
    const values = `SELECT ${columnText(column)} AS value, count(*) AS n FROM ${relation} GROUP BY ALL`;
    await database.run(numberValues(name, column, values));
  }
  const texts = textCodes({ name, width }, relation);
  const query = `SELECT ${texts.codes}, count(*) AS n FROM ${texts.from} GROUP BY ALL`;
  const codes = await writeRows(workspace, `${name}-coded`, query);
  const [row] = await database.rows(`SELECT coalesce(sum(n), 0) FROM ${valuesOf(name, 0)}`);
  return { ...workspace, name, width, rows: Number(row?.[0]), codes };
}

/** Forgets the values of a table. Its file goes with its folder. */
export async function dropCodes({ database, name, width }: CodedTable): Promise<void> {
  for (const column of range(width)) await database.run(`DROP TABLE ${valuesOf(name, column)}`);
}
