import { join } from 'node:path';
import { type Database, literal } from '../../../services/sql/duckdb.ts';

/**
 * A table whose values are numbers: distinct rows with their counts, in a Parquet file (c0 … of type INTEGER, n), and
 * beside it a table of the values of each column, `<name>_values_<column>`(code, value, n). NULL is a value.
 */
export type CodedTable = {
  name: string;
  /** Number of columns. */
  width: number;
  rows: number;
  /** The Parquet file. */
  file: string;
};

/** c0, c1, …: the columns of a coded table. */
export const code = (column: number): string => `c${column}`;
/** x0, x1, …: the columns of a relation of texts. */
export const columnText = (column: number): string => `x${column}`;
export const range = (width: number): number[] => Array.from({ length: width }, (_, column) => column);
export const valuesOf = (name: string, column: number): string => `${name}_values_${column}`;

/** Joins a relation of texts (x0 …) with the codes of its values. */
export const joinedCodes = ({ name, width }: Pick<CodedTable, 'name' | 'width'>, relation: string): string =>
  `(${relation}) AS texts ${range(width)
    .map((column) => {
      const values = valuesOf(name, column);
      return `JOIN ${values} ON texts.${columnText(column)} IS NOT DISTINCT FROM ${values}.value`;
    })
    .join(' ')}`;

export const selectedCodes = ({ name, width }: Pick<CodedTable, 'name' | 'width'>): string =>
  range(width)
    .map((column) => `${valuesOf(name, column)}.code AS ${code(column)}`)
    .join(', ');

/**
 * Codes a relation with the text columns x0 …, which is read once for each column and once more. The values are numbered
 * in their order, so that equal tables get equal codes.
 */
export async function codeTable(
  database: Database,
  folder: string,
  { name, width, relation }: { name: string; width: number; relation: string },
): Promise<CodedTable> {
  for (const column of range(width))
    await database.run(`CREATE TABLE ${valuesOf(name, column)} AS
      SELECT CAST(row_number() OVER (ORDER BY value) AS INTEGER) AS code, value, n
      FROM (SELECT ${columnText(column)} AS value, count(*) AS n FROM (${relation}) GROUP BY ALL)`);
  const file = join(folder, `${name}-coded.parquet`);
  const table = { name, width };
  await database.run(`COPY (SELECT ${selectedCodes(table)}, count(*) AS n FROM ${joinedCodes(table, relation)}
    GROUP BY ALL) TO ${literal(file)} (FORMAT parquet)`);
  const [row] = await database.rows(`SELECT coalesce(sum(n), 0) FROM ${valuesOf(name, 0)}`);
  return { ...table, rows: Number(row?.[0]), file };
}

/** Forgets the values of a table. Its file goes with its folder. */
export async function dropCodes(database: Database, { name, width }: CodedTable): Promise<void> {
  for (const column of range(width)) await database.run(`DROP TABLE ${valuesOf(name, column)}`);
}
