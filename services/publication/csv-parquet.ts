import { csvFields, csvRecords } from '../../core/text/csv.ts';
import { dayOfNumber, readParquetColumns } from './parquet-columns.ts';

/** What Parquet files call the types of columns. */
const STORED_TYPES = {
  VARCHAR: 'UTF8',
  DATE: 'DATE',
  INTEGER: 'INT_32',
  BIGINT: 'INT_64',
  'DECIMAL(18, 6)': 'DECIMAL',
} as const;

/** A column of a published table, with its type to DuckDB. */
export type Column = { name: string; type: keyof typeof STORED_TYPES };

/**
 * How many rows the CSV file and the Parquet file of a table have; null when these are not the same. Throws when the
 * Parquet file has other columns or another number of rows, or is none.
 */
export async function sameRows(columns: readonly Column[], csv: Buffer, parquet: Buffer): Promise<number | null> {
  const [, ...records] = [...csvRecords(csv.toString('utf8'))];
  const expected = columns.map(({ name, type }) => `${name} ${STORED_TYPES[type]}`);
  const stored = await readParquetColumns(parquet, expected, records.length);
  const isSame = records.every((record, row) => {
    const fields = csvFields(record);
    return (
      fields.length === columns.length &&
      columns.every(({ type }, column) => textOf(type, stored[column]![row]!) === fields[column])
    );
  });
  return isSame ? records.length : null;
}

/** A stored value as the CSV writes it. */
function textOf(type: Column['type'], value: string | number | bigint): string {
  if (type === 'DATE') return dayOfNumber(Number(value));
  if (type !== 'DECIMAL(18, 6)') return String(value);
  const digits = String(value).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
