import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { CellCount } from '../../core/mechanisms/cell-counts.ts';
import { withScratchFile } from '../scratch-folder.ts';
import { type DatabaseInstance, literal, openDatabase } from '../sql/duckdb.ts';
import { readBytes } from '../stores/json-objects.ts';
import type { PrivateContext } from './context.ts';

/** One open database for each worker: privatize reads a hundred partitions a second. */
const readers = new WeakMap<PrivateContext, Promise<DatabaseInstance>>();

function readerOf(context: PrivateContext): Promise<DatabaseInstance> {
  const known = readers.get(context);
  if (known) return known;
  const opened = openDatabase({ folder: context.scratch, memoryMiB: context.memoryMiB, threads: 1 });
  readers.set(context, opened);
  // One that failed to open is not kept: the retry of the activity opens another.
  opened.catch(() => readers.delete(context));
  return opened;
}

/**
 * The exact counts of one partition in lexicographic order of (tap, time, location), as bin stored them. Throws
 * OBJECT_MISSING when the partition was not binned in that round.
 */
export async function readCells(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<CellCount[]> {
  const bytes = await readBytes(context.privateStore, PRIVATE_KEYS.cells(run, round, partition));
  const reader = await readerOf(context);
  return withScratchFile(context.scratch, bytes, (path) =>
    reader.use(async (database) => {
      const rows = await database.rows(
        `SELECT tap, time, location, count FROM read_parquet(${literal(path)}) ORDER BY tap, time, location`,
      );
      return rows.map(
        ([tap, time, location, count]): CellCount => [
          tap === 'on' ? 'on' : 'off',
          String(time),
          String(location),
          Number(count),
        ],
      );
    }),
  );
}
