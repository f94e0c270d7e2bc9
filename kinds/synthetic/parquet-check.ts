import { dayOfNumber, readParquetColumns } from '../../activities/publication/parquet-columns.ts';
import { type ExactFinding, found } from '../../core/audit/exact-finding.ts';
import { csvFields, csvRecords } from '../../core/csv/csv.ts';
import type { PublishedSynthesis } from './published-table.ts';
import { type Column, MEASUREMENT_COLUMNS, tableColumns } from './table-csv.ts';

/** What Parquet files call the types of columns. */
const STORED_TYPES: Readonly<Record<Column['type'], string>> = {
  VARCHAR: 'UTF8',
  DATE: 'DATE',
  BIGINT: 'INT_64',
  'DECIMAL(18, 6)': 'DECIMAL',
};

/**
 * CSV and Parquet say the same: another draw in one of them would be a second view. Throws when a Parquet file has other
 * columns or another number of rows, or is none.
 */
export async function checkParquet(published: PublishedSynthesis): Promise<ExactFinding> {
  const { privacy, table, parquet, measurements, measurementsParquet } = published;
  const cells = await sameRows(tableColumns(privacy), table, parquet);
  const rounds = await sameRows(MEASUREMENT_COLUMNS, measurements, measurementsParquet);
  return found(
    cells === null || rounds === null ? 'A Parquet file has other rows than its CSV file.' : null,
    `CSV and Parquet have the same ${cells} cells and ${rounds} measurements.`,
  );
}

/** How many rows both forms of a table have; null when they are not the same. */
async function sameRows(columns: readonly Column[], csv: Buffer, parquet: Buffer): Promise<number | null> {
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
