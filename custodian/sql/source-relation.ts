import { OpalineError } from '../../contracts/errors.ts';
import { identifier, literal } from '../../services/sql/duckdb.ts';

/**
 * A prepared file: Parquet as it came, with its rows, its columns and how each is stored; text whose lines were cleaned
 * (custodian/source/clean-lines.ts); or the values of a Parquet file that DuckDB gave up
 * (kinds/taps/private/legible-parquet.ts), with its columns and their types.
 */
export type SourceFile =
  | { format: 'parquet'; path: string; stored: ReadonlyMap<string, string>; rows?: number }
  | { format: 'csv'; path: string; delimiter: string; header: readonly string[] }
  | { format: 'jsonl'; path: string }
  | { format: 'legible'; path: string; types: ReadonlyMap<string, string> };

const READ_LINES = "auto_detect = false, header = false, new_line = '\\n', max_line_size = 4194304";

/**
 * The query that reads a source file. Text columns are text and stay so: nothing is guessed, nothing is cast, and a
 * cleaned file has no line that the reader could refuse. A file of JSON lines has one column, `json`.
 */
export function sourceRelation(file: SourceFile): string {
  const path = literal(file.path);
  if (file.format === 'parquet') return `SELECT * FROM read_parquet(${path})`;
  if (file.format === 'legible') return legibleRelation(path, file.types);
  if (file.format === 'jsonl') {
    return `SELECT TRY_CAST(line AS JSON) AS json
      FROM read_csv(${path}, ${READ_LINES}, delim = '', quote = '', escape = '', columns = {'line': 'VARCHAR'})`;
  }
  const columns = file.header.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ');
  return `SELECT * FROM read_csv(${path}, ${READ_LINES}, delim = ${literal(file.delimiter)}, quote = '"', escape = '"',
    columns = {${columns}})`;
}

/** The column of a legible file that says of a row whether it has a value that nobody can use. */
export const UNUSABLE_NAME = 'unusable value';

/** A value of a legible file: the one that DuckDB would have read, as far as one of the type can be had. */
function legibleValue(field: string, type: string): string {
  if (type === 'VARCHAR') return `decode(unhex(substring(${field}, 2)))`;
  if (type === 'BLOB') return `unhex(substring(${field}, 2))`;
  if (type === 'DATE') return `coalesce(TRY(DATE '1970-01-01' + TRY_CAST(${field} AS INTEGER)), DATE 'infinity')`;
  if (type === 'TIMESTAMP_NS') return `make_timestamp_ns(CAST(${field} AS BIGINT))`;
  if (!type.startsWith('TIMESTAMP')) return `TRY_CAST(${field} AS ${type})`;
  // A time beyond those that can be made is no time that anybody counts.
  return `coalesce(TRY(CAST(make_timestamp(TRY_CAST(${field} AS BIGINT)) AS ${type})), CAST('infinity' AS ${type}))`;
}

function legibleRelation(path: string, types: ReadonlyMap<string, string>): string {
  const columns = [...types].map(([name, type], index) => ({ name, type, field: `f${index}` }));
  const values = columns.map(
    ({ name, type, field }) =>
      `CASE WHEN ${field} IS NOT NULL THEN ${legibleValue(field, type)} END AS ${identifier(name)}`,
  );
  const fields = ['marked', ...columns.map(({ field }) => field)].map((field) => `${literal(field)}: 'VARCHAR'`);
  return `SELECT ${[...values, `marked = 'true' AS ${identifier(UNUSABLE_NAME)}`].join(', ')}
    FROM read_csv(${path}, ${READ_LINES}, delim = ',', quote = '', escape = '', columns = {${fields.join(', ')}})`;
}

/** The column of a source by the name that the series gives it; inside JSON lines a top-level key. */
export const sourceColumn = (file: SourceFile, name: string): string =>
  file.format === 'jsonl'
    ? `json_extract_string(json, ${literal(`$."${name.replaceAll('"', '\\"')}"`)})`
    : identifier(name);

/** DuckDB's time for a file grows with the square of its columns: a second for this many, minutes for ten times that. */
export const COLUMNS_MAX = 10_000;

export const tooManyColumns = (): OpalineError =>
  new OpalineError('OBJECT_SCHEMA', `An object has more than ${COLUMNS_MAX} columns.`);
