import { z } from 'zod';
import { dayOfNumber, readParquetColumns } from '../../activities/publication/parquet-columns.ts';
import { PUBLISHED_STATUSES, type StatusRow } from './status.ts';

/** Names and types of the columns. */
const COLUMNS = ['part', 'date', 'run', 'sequence', 'stop', 'departure', 'vehicle', 'status'].map((name) =>
  name === 'date' ? 'date DATE' : name === 'sequence' ? 'sequence INT_32' : `${name} UTF8`,
);

const rowSchema = z
  .tuple([
    z.string(),
    z.int().transform(dayOfNumber),
    z.string(),
    z.int(),
    z.string(),
    z.string(),
    z.string(),
    z.enum(PUBLISHED_STATUSES),
  ])
  .transform(
    ([part, day, run, sequence, stop, departure, vehicle, status]): StatusRow => ({
      part,
      day,
      run,
      sequence,
      stop,
      departure,
      vehicle,
      status,
    }),
  );

/**
 * Reads the statuses of a Parquet file, in its order and without DuckDB. Throws when it is not one that formatParquet
 * makes of so many rows.
 */
export async function parseParquet(bytes: Uint8Array, rows: number): Promise<StatusRow[]> {
  const columns = await readParquetColumns(bytes, COLUMNS, rows);
  return Array.from({ length: rows }, (_, row) => rowSchema.parse(columns.map((column) => column[row])));
}
