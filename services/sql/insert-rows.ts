import { type Database, literal } from './duckdb.ts';

type Value = string | number | null;
const sqlValue = (value: Value): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : literal(value);

/** Inserts rows of public constants, some thousand at a time. */
export async function insertRows(
  database: Database,
  table: string,
  rows: readonly (readonly Value[])[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += 2000) {
    const values = rows.slice(start, start + 2000).map((row) => `(${row.map(sqlValue).join(', ')})`);
    await database.run(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
  }
}
