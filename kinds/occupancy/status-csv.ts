import { z } from 'zod';
import { csvFields, csvRecords, formatCsvRecord, LINE_END } from '../../core/text/csv.ts';
import type { Column } from '../../services/publication/csv-parquet.ts';
import { PUBLISHED_STATUSES, type StatusRow } from './status.ts';

const COLUMNS = ['part', 'date', 'run', 'sequence', 'stop', 'departure', 'vehicle', 'status'] as const;

/** The same with their types. */
export const STATUS_COLUMNS = COLUMNS.map(
  (name): Column => ({ name, type: name === 'date' ? 'DATE' : name === 'sequence' ? 'INTEGER' : 'VARCHAR' }),
);

const rowSchema = z.object({
  part: z.string(),
  day: z.iso.date(),
  run: z.string(),
  sequence: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number),
  stop: z.string(),
  departure: z.string(),
  vehicle: z.string(),
  status: z.enum(PUBLISHED_STATUSES),
});

/** statuses.csv: one record for each scheduled departure, in the order given. */
export const formatStatuses = (rows: readonly StatusRow[]): string =>
  [
    COLUMNS,
    ...rows.map(({ part, day, run, sequence, stop, departure, vehicle, status }) => [
      part,
      day,
      run,
      String(sequence),
      stop,
      departure,
      vehicle,
      status,
    ]),
  ]
    .map((fields) => formatCsvRecord(fields) + LINE_END)
    .join('');

/** Reads what formatStatuses has written. Throws SyntaxError or ZodError for other texts. */
export function parseStatuses(text: string): StatusRow[] {
  const [header, ...records] = [...csvRecords(text)];
  if (header !== COLUMNS.join()) throw new SyntaxError('the statuses have other columns');
  return records.map((record) => {
    const [part, day, run, sequence, stop, departure, vehicle, status, ...others] = csvFields(record);
    if (others.length > 0) throw new SyntaxError('a record has too many fields');
    return rowSchema.parse({ part, day, run, sequence, stop, departure, vehicle, status });
  });
}

/** By day, then part, run and sequence: the order of every publication (C18). */
export function byDeparture(a: StatusRow, b: StatusRow): number {
  for (const field of ['day', 'part', 'run'] as const) if (a[field] !== b[field]) return a[field] < b[field] ? -1 : 1;
  return a.sequence - b.sequence;
}
