import { createHmac } from 'node:crypto';
import { type Database, literal } from '../../services/sql/duckdb.ts';
import { type CodedTable, code, columnText, joinedCodes, range, selectedCodes } from './sql/coded-table.ts';
import { gain } from './sql/gains.ts';
import type { StagedTable } from './table-file.ts';

/** So many of the most exposed rows are shown. */
const SHOWN = 10;
/** Hexadecimal digits of a name: enough to tell the rows of one report apart. */
const DIGITS = 12;

/** One of the rows that tell most about somebody. */
export type ExposedRow = {
  /** A keyed hash of the id, or of the row's values where no id is named. The key is of this report alone. */
  name: string;
  /** Rows with exactly these values. */
  rows: number;
  gains: number[];
  /** Row information gain, in bits. */
  total: number;
};

/** The rows of the greatest gain. Neither ids nor values leave DuckDB but as a hash under the key. */
export async function exposedRows(
  database: Database,
  { staged, table, gains, key }: { staged: StagedTable; table: CodedTable; gains: string; key: Uint8Array },
): Promise<ExposedRow[]> {
  const columns = range(table.width);
  const codes = columns.map(code).join(', ');
  const bits = columns.map(gain).join(', ');
  const own = columns.map((column) => `coalesce(texts.${columnText(column)}, chr(0))`).join(', ');
  const rows = await database.rows(`WITH exposed AS (
      SELECT * FROM read_parquet(${literal(gains)}) ORDER BY rig DESC, ${codes} LIMIT ${SHOWN})
    SELECT min(who), n, rig, ${bits} FROM exposed JOIN (
      SELECT ${staged.hasIds ? 'texts.id' : `concat_ws(chr(31), ${own})`} AS who, ${selectedCodes(table)}
      FROM ${joinedCodes(table, staged.relation)}) USING (${codes})
    GROUP BY ${codes}, n, rig, ${bits} ORDER BY rig DESC, ${codes}`);
  return rows.map(([who, count, total, ...each]) => ({
    name: createHmac('sha256', key).update(String(who)).digest('hex').slice(0, DIGITS),
    rows: Number(count),
    gains: each.map(Number),
    total: Number(total),
  }));
}
