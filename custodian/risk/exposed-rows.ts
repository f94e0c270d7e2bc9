import { createHmac } from 'node:crypto';
import type { MeasuredTable } from './measures.ts';
import { code, columnText, range, textCodes } from './sql/coded-table.ts';
import { gain } from './sql/gains.ts';

/** How many of the most exposed rows are shown. */
const SHOWN = 10;
/** Hexadecimal digits of a name: enough to distinguish the rows of one report. */
const DIGITS = 12;

/** The rows of the greatest gain. Neither ids nor values leave DuckDB but as a hash under the key. */
export async function listExposed({ table, gains, staged }: MeasuredTable, key: Uint8Array) {
  const columns = range(table.width);
  const codes = columns.map(code).join(', ');
  const bits = columns.map(gain).join(', ');
  const own = columns.map((column) => `coalesce(texts.${columnText(column)}, chr(0))`).join(', ');
  const texts = textCodes(table, staged.relation);
  const rows = await table.database.rows(`WITH exposed AS (
      SELECT * FROM ${gains} ORDER BY rig DESC, ${codes} LIMIT ${SHOWN})
    SELECT min(who), n, rig, ${bits} FROM exposed JOIN (
      SELECT ${staged.hasIds ? 'texts.id' : `concat_ws(chr(31), ${own})`} AS who, ${texts.codes}
      FROM ${texts.from}) USING (${codes})
    GROUP BY ${codes}, n, rig, ${bits} ORDER BY rig DESC, ${codes}`);
  return rows.map(([who, count, total, ...each]) => ({
    /** A keyed hash of the id, or of the row's values where no id is named. The key is of this report alone. */
    name: createHmac('sha256', key).update(String(who)).digest('hex').slice(0, DIGITS),
    /** Rows with exactly these values. */
    rows: Number(count),
    gains: each.map(Number),
    /** Row information gain, in bits. */
    total: Number(total),
  }));
}
