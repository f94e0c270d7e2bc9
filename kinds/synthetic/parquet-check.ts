import { type ExactFinding, found } from '../../core/verdict/exact-finding.ts';
import { sameRows } from '../../services/publication/csv-parquet.ts';
import type { PublishedSynthesis } from './published-table.ts';
import { MEASUREMENT_COLUMNS, tableColumns } from './table-csv.ts';

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
