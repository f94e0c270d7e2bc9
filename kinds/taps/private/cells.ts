import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { z } from 'zod';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { readBytes } from '../../../activities/stores/json-objects.ts';
import { type Partition, PRIVATE_KEYS, TAPS } from '../../../contracts/names.ts';
import type { Run } from '../../../contracts/stages.ts';
import type { CellCount } from '../../../core/mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../../core/mechanisms/left-out.ts';
import { LEFT_OUT } from './tally.ts';

/**
 * The exact counts of one partition in lexicographic order of (tap, time, location), as bin stored them. They are read
 * in memory and without DuckDB, which takes twenty times as long for the cells of a small town (docs/adr/0041). Throws
 * OBJECT_MISSING when the partition was not binned in that round.
 */
export async function readCells(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<CellCount[]> {
  const bytes = await readBytes(context.privateStore, PRIVATE_KEYS.cells(run, round, partition));
  const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
  return rows
    .map(
      ({ tap, time, location, count }): CellCount => [
        tap === 'on' ? 'on' : 'off',
        String(time),
        String(location),
        Number(count),
      ],
    )
    .sort(inOrder); // the digest of the input must not hang on the order in which DuckDB wrote them
}

function inOrder(a: CellCount, b: CellCount): number {
  for (const column of [0, 1, 2] as const) {
    if (a[column] !== b[column]) return a[column] < b[column] ? -1 : 1;
  }
  return 0;
}

const leftOutSchema = z.array(z.tuple([z.enum(TAPS), z.int().nonnegative()]));

/**
 * What the bound of cards leaves out of one partition, as bin stored it in the footer of the cells; ends without any are
 * absent. Throws OBJECT_MISSING as readCells does, and TypeError when the footer does not say it: a mistake of the
 * program, since a series that counts left-out taps is binned so.
 */
export async function readLeftOut(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<LeftOutCount[]> {
  const bytes = await readBytes(context.privateStore, PRIVATE_KEYS.cells(run, round, partition));
  const { key_value_metadata: notes } = parquetMetadata(new Uint8Array(bytes).buffer);
  const found = notes?.find(({ key }) => key === LEFT_OUT)?.value;
  if (found === undefined) throw new TypeError('the cells do not say what the bound left out');
  return leftOutSchema.parse(JSON.parse(found));
}
