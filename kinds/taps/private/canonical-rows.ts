import type { Database } from '../../../activities/sql/duckdb.ts';
import { type SourceFile, sourceColumn, sourceRelation } from '../../../activities/sql/source-relation.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import { CANONICAL_COLUMNS, type TapsSeries } from '../series.ts';

/**
 * The rows of one source file in the canonical columns (kinds/taps/series.ts), one row for one row: by the series'
 * column names, or by its own select, which was checked and made safe before (C3).
 */
export type CanonicalRows = {
  /** Canonical column → its DuckDB type. */
  types: ReadonlyMap<string, string>;
  /** Query that yields the canonical columns. */
  sql: string;
  /** The same with the source row as JSON text in the column `source_row`, for the list of rejects. */
  sqlWithRow: string;
};

/** So much of a rejected row is kept, in characters. */
const KEPT_CHARACTERS = 10_000;

const schemaFault = (sentence: string): OpalineError => new OpalineError('OBJECT_SCHEMA', sentence);

async function describe(database: Database, query: string): Promise<Map<string, string>> {
  const rows = await database.rows(`DESCRIBE ${query}`);
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

/**
 * Reads the schema of a file, binds the canonical columns to it. `checkedSelect` is the series' select as checkSelect
 * gives it, or null. Throws OBJECT_SCHEMA when a column that the series names is not there; DuckDB's own errors when
 * the file cannot be read.
 */
export async function canonicalRows(
  database: Database,
  series: Pick<TapsSeries, 'source'>,
  file: SourceFile,
  checkedSelect: string | null,
): Promise<CanonicalRows> {
  const relation = sourceRelation(file);
  const available = await describe(database, relation);
  const select = checkedSelect ?? mappedSelect(series, file, available);
  const withSource = (query: string): string => `WITH source AS (${relation}) ${query}`;
  const sql = withSource(select);
  const types = await describe(database, sql).catch((error: unknown) => {
    if (error instanceof Error && /^(Binder|Catalog) Error/.test(error.message)) {
      throw schemaFault('The select of the series does not fit the columns of an object.');
    }
    throw error;
  });
  const row = `left(CAST(to_json(source) AS VARCHAR), ${KEPT_CHARACTERS}) AS source_row`;
  return { types, sql, sqlWithRow: withSource(select.replace(/^SELECT /, `SELECT ${row}, `)) };
}

function mappedSelect(series: Pick<TapsSeries, 'source'>, file: SourceFile, available: Map<string, string>): string {
  const names = new Set([...available.keys()].map((name) => name.toLowerCase()));
  const { columns = {}, rows } = series.source;
  const items = CANONICAL_COLUMNS[rows].flatMap((canonical) => {
    const name = columns[canonical];
    if (name === undefined) return [];
    if (file.format === 'jsonl' || names.has(name.toLowerCase()))
      return [`${sourceColumn(file, name)} AS ${canonical}`];
    throw schemaFault(`An object has no column ${name}, which the series names for ${canonical}.`);
  });
  return `SELECT ${items.join(', ')} FROM source`;
}
