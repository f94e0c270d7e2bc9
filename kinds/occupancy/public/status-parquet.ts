import { formatParquetTable } from '../../../services/publication/parquet-of-csv.ts';
import type { StatusRow } from '../status.ts';
import { formatStatuses, STATUS_COLUMNS } from '../status-csv.ts';

/** The rows as Parquet, in the order given. */
export const formatParquet = (scratch: string, rows: readonly StatusRow[]): Promise<Buffer> =>
  formatParquetTable(scratch, STATUS_COLUMNS, Buffer.from(formatStatuses(rows), 'utf8'));
