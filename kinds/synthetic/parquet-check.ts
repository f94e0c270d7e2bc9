import { dayOfNumber, readParquetColumns } from '../../activities/publication/parquet-columns.ts';
import { type ExactFinding, found } from '../../core/audit/exact-finding.ts';
import { csvFields, csvRecords } from '../../core/csv/csv.ts';
import type { PublishedSynthesis } from './published-table.ts';
import { tableColumns } from './table-csv.ts';

/** The type of each column in Parquet; what is not named is text. */
const TYPES: Readonly<Record<string, string>> = { date: 'DATE', weight: 'INT_64', rows: 'DECIMAL' };

/**
 * CSV and Parquet say the same: another draw in one of them would be a second view. Throws when the Parquet file has
 * other columns or another number of rows, or is none.
 */
export async function checkParquet({ privacy, table, parquet }: PublishedSynthesis): Promise<ExactFinding> {
  const names = tableColumns(privacy);
  const [, ...records] = [...csvRecords(table.toString('utf8'))];
  const expected = names.map((name) => `${name} ${TYPES[name] ?? 'UTF8'}`);
  const columns = await readParquetColumns(parquet, expected, records.length);
  const isSame = records.every((record, row) => {
    const fields = csvFields(record);
    return (
      fields.length === names.length &&
      names.every((name, column) => textOf(name, columns[column]![row]!) === fields[column])
    );
  });
  return found(
    isSame ? null : 'The Parquet file has other rows than the CSV file.',
    `CSV and Parquet have the same ${records.length} cells.`,
  );
}

/** A stored value as the CSV writes it. */
function textOf(name: string, value: string | number | bigint): string {
  if (name === 'date') return dayOfNumber(Number(value));
  if (name !== 'rows') return String(value);
  const digits = String(value).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
