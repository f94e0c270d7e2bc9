import { OpalineError } from '../../contracts/errors.ts';
import { readSelect } from '../../core/select/allow-list.ts';
import { rowSafeTree } from '../../core/select/row-safe.ts';
import { isTimeZone } from '../calendar/time-zone.ts';
import { withInstance } from './duckdb.ts';

/** Longest select that is read; a parse tree of this size is checked in milliseconds. */
const MAX_LENGTH = 20_000;

export type CheckedSelect = Awaited<ReturnType<typeof checkSelect>>;

/** Asks a DuckDB that can reach nothing: no files, no network, no settings. */
const withSealedDuckDB = <T>(
  ask: (query: (sql: string, value: string) => Promise<unknown>) => Promise<T>,
): Promise<T> =>
  withInstance({ threads: '1', enable_external_access: 'false' }, async (connection) => {
    await connection.run('SET lock_configuration = true');
    return ask(async (sql, value) => (await connection.runAndReadAll(sql, [value])).getRows()[0]?.[0]);
  });

/**
 * Checks a series' own select (C3). It is parsed, never run.
 * Throws SELECT_REFUSED with one sentence for each thing that is refused.
 *
 * @contract C3
 */
export function checkSelect(select: string) {
  return withSealedDuckDB(async (query) => {
    if (select.length > MAX_LENGTH) refuse([`The select is longer than ${MAX_LENGTH} characters.`]);
    const tree: unknown = JSON.parse(String(await query('SELECT json_serialize_sql($1::VARCHAR)', select)));
    const { problems, regularExpressions, ...read } = readSelect(tree, isTimeZone);
    for (const pattern of regularExpressions) {
      const works = await query("SELECT regexp_matches('', $1)", pattern).catch(() => null);
      if (works === null) problems.push(`DuckDB cannot read the regular expression ${pattern}.`);
    }
    if (problems.length > 0) refuse(problems);
    const sql = await query('SELECT json_deserialize_sql($1::JSON)', JSON.stringify(rowSafeTree(tree)));
    /**
     * `sql`: the select as it is run: the same one, safe against odd values. Valid only on a connection that has executed
     * ROW_SAFE_SETTING and whose TimeZone is UTC.
     */
    return { ...read, sql: String(sql) };
  });
}

function refuse(problems: readonly string[]): never {
  throw new OpalineError('SELECT_REFUSED', problems.join(' '));
}
