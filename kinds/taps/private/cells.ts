import { parquetMetadata, parquetRead } from 'hyparquet';
import { z } from 'zod';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { readBytes } from '../../../activities/stores/json-objects.ts';
import { type Partition, PRIVATE_KEYS, TAPS } from '../../../contracts/names.ts';
import type { Run } from '../../../contracts/stages.ts';
import type { CellColumns } from '../../../core/mechanisms/cell-counts.ts';
import type { LeftOutCount } from '../../../core/mechanisms/left-out.ts';
import { LEFT_OUT } from './tally.ts';

const COLUMNS = ['tap', 'time', 'location', 'count'] as const;

/**
 * The exact counts of one partition as bin stored them, in columns. They are read in memory and without DuckDB, which
 * takes twenty times as long for the cells of a small town (docs/adr/0041). Throws OBJECT_MISSING when the partition was
 * not binned in that round.
 */
export async function readCells(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<CellColumns> {
  const bytes = await readBytes(context.privateStore, PRIVATE_KEYS.cells(run, round, partition));
  const read: Record<string, unknown[]> = { tap: [], time: [], location: [], count: [] };
  await parquetRead({
    file: new Uint8Array(bytes).buffer,
    columns: [...COLUMNS],
    onChunk: ({ columnName, columnData, rowStart }) => {
      const column = read[columnName]!;
      for (let at = 0; at < columnData.length; at++) column[rowStart + at] = columnData[at];
    },
  });
  const [tap, time, location] = [read.tap, read.time, read.location] as string[][];
  return { tap: tap!, time: time!, location: location!, count: Float64Array.from(read.count!, Number) };
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
