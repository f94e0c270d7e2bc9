import { z } from 'zod';
import type { PublicContext } from '../../../activities/public/context.ts';
import { readBytes, sha256 } from '../../../activities/stores/json-objects.ts';
import { OpalineError } from '../../../contracts/errors.ts';
import type { MarginRow, PrivatizedCell, PrivatizedTable } from '../../../contracts/formats/privatized-table.ts';
import { partitionPath, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { DeriveInput, Draw } from '../../../contracts/stages.ts';
import { isTap } from '../../../core/derive/count-row.ts';

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

/**
 * The privatized tables of a release, each checked against the digest that privatize returned. Throws
 * VERIFICATION_FAILED when a stored table is another one: nothing else may stand for the one draw (C11).
 */
export async function readPrivatizedTables(context: PublicContext, input: DeriveInput): Promise<PrivatizedTable[]> {
  const tables: PrivatizedTable[] = [];
  for (const draw of input.draws) tables.push(await readOne(context, input, draw));
  return tables;
}

async function readOne(context: PublicContext, input: DeriveInput, { partition, digest }: Draw) {
  const bytes = await readBytes(context.releaseStore, RELEASE_KEYS.privatized(input, partition));
  const refuse = () =>
    new OpalineError(
      'VERIFICATION_FAILED',
      `The stored privatized table of ${partitionPath(partition)} is not the one that was drawn; find out who wrote it.`,
    );
  if (sha256(bytes) !== digest) throw refuse();
  const table = privatizedTableSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (table.mode !== partition.part || table.day !== partition.day) throw refuse();
  return table;
}
