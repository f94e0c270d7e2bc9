import { identifier, literal } from '../../../activities/sql/duckdb.ts';

/** A prepared file: Parquet as it came, or text whose lines were cleaned (activities/private/source/clean-lines.ts). */
export type SourceFile =
  | { format: 'parquet'; path: string }
  | { format: 'csv'; path: string; delimiter: string; header: readonly string[] }
  | { format: 'jsonl'; path: string };

/**
 * The query that reads a source file. Text columns are text and stay so: nothing is guessed, nothing is cast, and a
 * cleaned file has no line that the reader could refuse. A file of JSON lines has one column, `json`.
 */
export function sourceRelation(file: SourceFile): string {
  const path = literal(file.path);
  if (file.format === 'parquet') return `SELECT * FROM read_parquet(${path})`;
  const common = "auto_detect = false, header = false, new_line = '\\n', max_line_size = 4194304";
  if (file.format === 'jsonl') {
    return `SELECT TRY_CAST(line AS JSON) AS json
      FROM read_csv(${path}, ${common}, delim = '', quote = '', escape = '', columns = {'line': 'VARCHAR'})`;
  }
  const columns = file.header.map((name) => `${literal(name)}: 'VARCHAR'`).join(', ');
  return `SELECT * FROM read_csv(${path}, ${common}, delim = ${literal(file.delimiter)}, quote = '"', escape = '"',
    columns = {${columns}})`;
}

/** The column of a source by the name that the series gives it; inside JSON lines a top-level key. */
export const sourceColumn = (file: SourceFile, name: string): string =>
  file.format === 'jsonl'
    ? `json_extract_string(json, ${literal(`$."${name.replaceAll('"', '\\"')}"`)})`
    : identifier(name);
