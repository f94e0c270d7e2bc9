import { z } from 'zod';
import type { MarginRow, PrivatizedCell, PrivatizedTable } from '../../contracts/formats/privatized-table.ts';
import { isTap } from '../../core/derive/count-row.ts';

/** Rows of labels and a count, of which the first label is a tap: there can be millions, and each has to be cheap. */
const rowsOf = <Row>(labels: number) =>
  z.custom<Row[]>(
    (rows) =>
      Array.isArray(rows) &&
      rows.every(
        (row) =>
          Array.isArray(row) &&
          row.length === labels + 1 &&
          isTap(row[0]) &&
          row.every((field, place) => (place < labels ? typeof field === 'string' : Number.isSafeInteger(field))),
      ),
  );
const margins = z.strictObject({ time: rowsOf<MarginRow>(2), location: rowsOf<MarginRow>(2) }).nullable();

const privatizedTableSchema: z.ZodType<PrivatizedTable> = z.strictObject({
  format: z.literal('opaline-privatized-table/1'),
  mode: z.string(),
  day: z.iso.date(),
  cells: rowsOf<PrivatizedCell>(3),
  margins,
  remainder: margins,
});

/** Reads the bytes of a privatized table as they are stored. Throws when they are none. */
export const parsePrivatizedTable = (bytes: Buffer): PrivatizedTable =>
  privatizedTableSchema.parse(JSON.parse(bytes.toString('utf8')));
