import { OpalineError } from '../../../contracts/errors.ts';
import { CARD_COLUMN } from '../../../core/select/allow-list.ts';
import { LONGEST_VALUE } from '../../../core/select/growth.ts';
import {
  type SourceFile,
  sourceColumn,
  sourceRelation,
  UNUSABLE_NAME,
} from '../../../custodian/sql/source-relation.ts';
import { type Database, identifier } from '../../../services/sql/duckdb.ts';
import type { CheckedSelect } from '../../../services/sql/select-check.ts';
import { CANONICAL_COLUMNS, columnSets, type TapsSeries } from '../series.ts';
import { isLegible } from './legible-parquet.ts';

/**
 * The rows of one source file in the canonical columns (kinds/taps/series.ts), one row for one row: by the series'
 * column names, or by its own select, which was checked and made safe before (C3).
 */
export type CanonicalRows = Awaited<ReturnType<typeof canonicalRows>>;

/** The column that says of a row whether one of its values is over the limit, or cannot be used at all. */
export const UNUSABLE = identifier(UNUSABLE_NAME);

/** So much of a rejected row is kept, in characters. */
const KEPT_CHARACTERS = 10_000;

const schemaFault = (sentence: string): OpalineError => new OpalineError('OBJECT_SCHEMA', sentence);

async function describe(database: Database, query: string): Promise<Map<string, string>> {
  const rows = await database.rows(`DESCRIBE ${query}`);
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

/** A file of a series, and the series' select as checkSelect gives it, or null. */
type RowSource = {
  database: Database;
  series: Pick<TapsSeries, 'source'>;
  file: SourceFile;
  select: CheckedSelect | null;
};

/** The columns of a file that the series names, with their types. Throws as canonicalRows does. */
export const sourceTypes = async (input: RowSource): Promise<ReadonlyMap<string, string>> =>
  pickColumns(input, await describe(input.database, sourceRelation(input.file)));

/**
 * Reads the schema of a file, binds the canonical columns to it. Only the columns that the series names are read. Values
 * over the limit of length (LONGEST_VALUE) are NULL before any function sees them, those that a select makes too, and
 * the column UNUSABLE says so. Throws OBJECT_SCHEMA when a column that the series names is not there or cannot be used;
 * DuckDB's own errors when the file cannot be read.
 *
 * @contract C5
 */
export async function canonicalRows(input: RowSource) {
  const { database, file, select: checkedSelect } = input;
  requireOwnName(input);
  const relation = sourceRelation(file);
  const available = await describe(database, relation);
  const select = checkedSelect?.sql ?? makeSelect(input, available);
  const mark = file.format === 'legible' ? UNUSABLE : 'false';
  const source = limit(relation, pickColumns(input, available), mark);
  const withSource = (items: string): string =>
    `WITH source AS (${source}) ${select.replace(/^SELECT /, `SELECT ${items}, `)}`;
  const query = withSource(UNUSABLE);
  const types = await describe(database, query).catch((error: unknown) => {
    if (error instanceof Error && /^(Binder|Catalog) Error/.test(error.message)) {
      const present = new Set([...available.keys()].map((name) => name.toLowerCase()));
      const gaps = checkedSelect?.sourceColumns.filter((name) => !present.has(name.toLowerCase())) ?? [];
      throw schemaFault(
        gaps.length > 0
          ? `Columns that the select of the series names are missing: ${gaps.join(', ')}.`
          : 'The select of the series does not fit the columns of an object.',
      );
    }
    throw error;
  });
  types.delete(UNUSABLE_NAME);
  const row = `left(CAST(to_json(source) AS VARCHAR), ${KEPT_CHARACTERS}) AS source_row`;
  return {
    /** Canonical column → its DuckDB type. */
    types,
    /** Query that yields the canonical columns: one that only renames is within the limit already. */
    sql: checkedSelect || file.format === 'jsonl' ? limit(query, types, UNUSABLE) : query,
    /** The same with the source row as JSON text in the column `source_row`, for the list of rejects. */
    sqlWithRow: limit(withSource(`${UNUSABLE}, ${row}`), types, UNUSABLE, ', source_row'),
  };
}

/** The name of the mark is nobody else's: a column of that name would be taken for it, value by value (C5). */
function requireOwnName({ series, select }: RowSource): void {
  const names = select
    ? [...select.columns, ...select.sourceColumns]
    : columnSets(series.source).flatMap((set) => Object.values(set));
  if (names.some((name) => name.toLowerCase() === UNUSABLE_NAME))
    throw schemaFault(`A column called ${UNUSABLE_NAME} cannot be read; give it another name in the source.`);
}

/** The columns of a file that a series names. Throws OBJECT_SCHEMA when one of them holds lists or structures. */
function pickColumns({ series, file, select }: RowSource, available: Map<string, string>): Map<string, string> {
  if (file.format === 'jsonl') return available;
  const names = select?.sourceColumns ?? Object.values(columnSet(series, available));
  const keys = new Set(names.map((name) => name.toLowerCase()));
  const columns = new Map([...available].filter(([name]) => keys.has(name.toLowerCase())));
  if (file.format === 'parquet' && ![...columns].every(([name, type]) => isLegible(file.stored.get(name), type)))
    throw schemaFault('A column of an object that the series names holds lists, structures or another odd type.');
  // A select makes text of any type, and the texts of 7 and 7.0 are two.
  const cards = new Set(series.source.card && select?.cardColumns.map((name) => name.toLowerCase()));
  for (const [name, type] of columns)
    if (file.format === 'parquet' && cards.has(name.toLowerCase()) && type !== 'VARCHAR' && !isWhole(type))
      throw schemaFault('A column that makes card ids has a type that is neither text nor whole numbers.');
  return columns;
}

/** Types of whole numbers: databases export theirs as decimals of scale 0. */
export const isWhole = (type: string): boolean => /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(\d+,0\))$/.test(type);

/** How long a value is, where it may be over the limit. Bytes may be written out as text, four characters each. */
function lengthOf(name: string, type: string): string | null {
  if (type === 'BLOB') return `4 * octet_length(${identifier(name)})`;
  return type === 'VARCHAR' || type === 'JSON' ? `strlen(${identifier(name)})` : null;
}

/** The same rows with NULL for each value over the limit, and in UNUSABLE whether there was one (or `already` holds). */
function limit(rows: string, types: ReadonlyMap<string, string>, already: string, more = ''): string {
  const columns = [...types].map(([name, type]) => ({ name: identifier(name), type, length: lengthOf(name, type) }));
  const values = columns.map(({ name, type, length }) => {
    // Parquet can store more digits than the type says.
    if (type.startsWith('DECIMAL')) return `TRY_CAST(CAST(${name} AS VARCHAR) AS ${type}) AS ${name}`;
    return length === null ? name : `CASE WHEN ${length} > ${LONGEST_VALUE} THEN NULL ELSE ${name} END AS ${name}`;
  });
  // NULL has no length, and the greatest of several leaves it out.
  const longest = `greatest(${['0', ...columns.flatMap(({ length }) => length ?? [])].join(', ')})`;
  return `SELECT ${[...values, ''].join(', ')}${already} OR ${longest} > ${LONGEST_VALUE} AS ${UNUSABLE}${more} FROM (${rows})`;
}

/** The first set of columns that an object has. Throws OBJECT_SCHEMA that names what it lacks, as the series does. */
function columnSet({ source }: Pick<TapsSeries, 'source'>, available: ReadonlyMap<string, string>): ColumnSet {
  const sets = columnSets(source);
  const names = new Set([...available.keys()].map((name) => name.toLowerCase()));
  const lacks = (set: ColumnSet) => Object.entries(set).filter(([, name]) => !names.has(name.toLowerCase()));
  const match = sets.find((set) => lacks(set).length === 0);
  if (match) return match;
  if (sets.length > 1) throw schemaFault('An object has all columns of none of the sets that the series names.');
  const list = lacks(sets[0]!).map(([canonical, name]) => `${name} (for ${canonical})`);
  throw schemaFault(`Columns that the series names are missing: ${list.join(', ')}.`);
}

/** Of a line of JSON: a text or a whole number, which are one card where their digits are equal (C2). */
const cardOfLine = (value: string): string =>
  `CASE WHEN ${value.replace('json_extract_string', 'json_type')} = 'VARCHAR' OR regexp_full_match(${value}, '-?\\d+') THEN ${value} END`;

type ColumnSet = Readonly<Record<string, string>>;

function makeSelect({ series, file }: RowSource, available: Map<string, string>): string {
  // What keys a line of JSON has is known of each line alone.
  const columns = file.format === 'jsonl' ? columnSets(series.source)[0]! : columnSet(series, available);
  const items = CANONICAL_COLUMNS[series.source.rows].flatMap((canonical) => {
    const name = columns[canonical];
    if (name === undefined) return [];
    const value = sourceColumn(file, name);
    return [`${file.format === 'jsonl' && canonical === CARD_COLUMN ? cardOfLine(value) : value} AS ${canonical}`];
  });
  return `SELECT ${items.join(', ')} FROM source`;
}
