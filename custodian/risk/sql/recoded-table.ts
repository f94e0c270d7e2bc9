import { type Database, literal } from '../../../services/sql/duckdb.ts';
import { insertRows } from '../../../services/sql/insert-rows.ts';
import type { Rule } from '../measures/generalisation.ts';
import { type CodedTable, code, numberValues, range, valuesOf, writeRows } from './coded-table.ts';

/** Codes of the generalised values, in a file that holds both. */
export const coarse = (column: number): string => `d${column}`;

/** Coarser names of the values of a column, the finest first. All values have as many. */
export type Levels = ReadonlyMap<string, readonly string[]>;

/** The table with the levels of a column: value, level_1, level_2 …. */
const levelsOf = (column: number): string => `levels_${column}`;

/** Makes the levels of a column known, before rules name them. */
export async function addLevels(database: Database, column: number, levels: Levels): Promise<void> {
  const [first] = levels.values();
  const names = (first ?? []).map((_, index) => `level_${index + 1} VARCHAR`);
  await database.run(`CREATE TABLE ${levelsOf(column)}(value VARCHAR, ${names.join(', ')})`);
  const rows = [...levels].map(([value, coarser]) => [value, ...coarser]);
  await insertRows(database, levelsOf(column), rows);
}

/** What a dropped column holds, in every row. */
const DROPPED = '*';
/** What a place that no level knows becomes; a value that is missing stays missing. */
const UNKNOWN = 'UNKNOWN';
/** Minutes of a day. */
const DAY = 1440;

/**
 * The start of the bin of a time, as text: of a timestamp, a clock time, or whole minutes after midnight. Anything else
 * stays what it is. Bins are cut on the clock of the value, from midnight.
 */
export function timeBin(value: string, minutes: number): string {
  const clock = (total: string): string => `printf('%02d:%02d', (${total}) // 60, (${total}) % 60)`;
  const start = (total: string): string => `(${total}) // ${minutes} * ${minutes}`;
  const part = (from: number): string => `CAST(substr(${value}, ${from}, 2) AS INTEGER)`;
  const moment = start(`${part(12)} * 60 + ${part(15)}`);
  const day = minutes >= DAY ? `substr(${value}, 1, 10)` : `substr(${value}, 1, 10) || ' ' || ${clock(moment)}`;
  const [hours, rest] = [1, 2].map((index) => `CAST(split_part(${value}, ':', ${index}) AS INTEGER)`);
  return `CASE
    WHEN regexp_full_match(${value}, '\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}(:.*)?') THEN ${day}
    WHEN regexp_full_match(${value}, '\\d{1,2}:\\d{2}(:\\d{2}(\\.\\d+)?)?') THEN ${clock(start(`${hours} * 60 + ${rest}`))}
    WHEN regexp_full_match(${value}, '\\d{1,4}(\\.0+)?') THEN CAST(${start(`CAST(split_part(${value}, '.', 1) AS INTEGER)`)} AS VARCHAR)
    ELSE ${value} END`;
}

const generalValue = (rule: Rule): string => {
  if (rule.kind === 'minutes') return timeBin('fine.value', rule.minutes);
  if (rule.kind === 'level')
    return `CASE WHEN fine.value IS NOT NULL THEN coalesce(levels.level_${rule.level}, ${literal(UNKNOWN)}) END`;
  return rule.kind === 'drop' ? literal(DROPPED) : 'fine.value';
};

/**
 * The same rows with coarser values, as a coded table of its own, and beside it the distinct rows with
 * both codes, c0 … and d0 …. A rule is applied to the distinct values of its column, never to rows.
 */
export async function recodeTable(
  table: CodedTable,
  { name, rules }: { name: string; rules: readonly Rule[] },
): Promise<{ table: CodedTable; both: string }> {
  const { database, width } = table;
  const columns = range(width);
  for (const column of columns) {
    const rule = rules[column]!;
    const levels = rule.kind === 'level' ? `LEFT JOIN ${levelsOf(column)} AS levels USING (value)` : '';
    await database.run(`CREATE OR REPLACE TABLE finer_values AS SELECT fine.code, fine.n, ${generalValue(rule)} AS value
        FROM ${valuesOf(table.name, column)} AS fine ${levels};
      ${numberValues(name, column, 'SELECT value, CAST(sum(n) AS BIGINT) AS n FROM finer_values GROUP BY value')};
      CREATE OR REPLACE TABLE coarser_${column} AS SELECT finer_values.code AS fine, coarse.code AS coarse
        FROM finer_values JOIN ${valuesOf(name, column)} AS coarse ON coarse.value IS NOT DISTINCT FROM finer_values.value`);
  }
  const pairs = columns.map((column) => `coarser_${column}.coarse AS ${coarse(column)}`);
  const joins = columns.map((column) => `JOIN coarser_${column} ON coarser_${column}.fine = rows.${code(column)}`);
  const coarser = columns.map((column) => `${coarse(column)} AS ${code(column)}`);
  const rows = `SELECT rows.*, ${pairs.join(', ')} FROM ${table.codes} AS rows ${joins.join(' ')}`;
  const both = await writeRows(table, `${name}-both`, rows);
  const query = `SELECT ${coarser.join(', ')}, CAST(sum(n) AS BIGINT) AS n FROM ${both} GROUP BY ALL`;
  const codes = await writeRows(table, `${name}-coded`, query);
  await database.run(`${columns.map((column) => `DROP TABLE coarser_${column}`).join('; ')}; DROP TABLE finer_values`);
  return { table: { ...table, name, codes }, both };
}
