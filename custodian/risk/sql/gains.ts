import { rm } from 'node:fs/promises';
import { type CodedTable, code, range, rowsFile, valuesOf, writeRows } from './coded-table.ts';

/** g0, g1, …: the information gain of the cell of each column, in bits. */
export const gain = (column: number): string => `g${column}`;

/** Decimals that bits are kept to: floating-point sums depend on their order, and equal tables shall be equal. */
export const DECIMALS = 10;

/**
 * Cell information gain of every distinct row (Oppermann (ed.) 2019, Section 2.1 and Appendix A): KL(posterior ‖ prior)
 * in bits, the prior the column in the whole table, the posterior the column among the rows that agree in all other
 * columns that the attacker knows. Writes a Parquet file with the columns of the coded table, g0 … and `rig`, their sum
 * in the row, and returns SQL for its rows.
 *
 * One pass for each column: rows are grouped by the known other columns. Of a group with values v, n_v rows each and N in
 * all, of a table with N_v rows of the value and n in all, KL = Σ n_v·(log2 n_v − log2 N_v)/N − log2 N + log2 n. A
 * group with one value has KL = log2 n − log2 N_v: it needs no place in the join, and most groups of trips are so.
 * DuckDB moves what does not fit into memory to temporary files.
 */
export async function cellGains(table: CodedTable, knowledge: readonly number[]): Promise<string> {
  let gains = table.codes;
  const name = (column: number): string => `${table.name}-gains-${column}`;
  for (const column of range(table.width)) {
    const last = column === table.width - 1;
    const sum = last ? `, ${range(table.width).map(gain).join(' + ')} AS rig` : '';
    gains = await writeRows(table, name(column), `SELECT *${sum} FROM (${withGain(table, gains, column, knowledge)})`);
    if (column > 0) await rm(rowsFile(table.folder, name(column - 1)));
  }
  return gains;
}

/** Rows with one more column: the gain of the cells of the column. */
function withGain(table: CodedTable, relation: string, column: number, knowledge: readonly number[]): string {
  const others = range(table.width).filter((other) => other !== column && knowledge.includes(other));
  const keys = others.map(code).join(', ');
  const groupBy = keys === '' ? '' : `GROUP BY ${keys}`;
  const join = keys === '' ? 'LEFT JOIN several ON true' : `LEFT JOIN several USING (${keys})`;
  // Columns that the attacker does not know are summed out first.
  const joint =
    others.length === table.width - 1
      ? 'valued'
      : `(SELECT ${[...others.map(code), code(column)].join(', ')}, prior, sum(n) AS n FROM valued GROUP BY ALL)`;
  const all = `log2(CAST(${table.rows} AS DOUBLE))`;
  return `WITH valued AS (
      SELECT file.*, log2(CAST(column_values.n AS DOUBLE)) AS prior
      FROM ${relation} AS file
      JOIN (SELECT code, n FROM ${valuesOf(table.name, column)}) AS column_values ON column_values.code = file.${code(column)}
    ), several AS (
      SELECT ${keys === '' ? '' : `${keys}, `}sum(n * (log2(CAST(n AS DOUBLE)) - prior)) / sum(n)
        - log2(CAST(sum(n) AS DOUBLE)) + ${all} AS bits
      FROM ${joint} ${groupBy} HAVING count(*) > 1
    )
    SELECT valued.* EXCLUDE (prior),
      round(greatest(0, coalesce(several.bits, ${all} - prior)), ${DECIMALS}) AS ${gain(column)}
    FROM valued ${join}`;
}
