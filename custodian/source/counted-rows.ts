import { join } from 'node:path';
import type { SeriesKind } from '../../contracts/kind.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { BinInput, ObjectFault } from '../../contracts/stages.ts';
import { withScratchFolder } from '../../services/files/scratch-folder.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import type { PrivateContext } from '../private-context.ts';
import { readRowsOrCode, type TakeRow } from './csv-rows.ts';
import {
  byObject,
  type DistinctObject,
  faultsOf,
  meet,
  type Pin,
  partitionsOf,
  readInventory,
  sourceWindow,
} from './inventory.ts';
import { keepRejects, openRejects, type RejectedLines } from './rejected-rows.ts';
import { dropCopies } from './scratch-copy.ts';

/** How a kind counts rows of CSV objects, where a row is of the part and day that its object names. */
export type RowCounting = {
  kind: SeriesKind;
  series: Series;
  /** Columns of the source that are read. */
  columns: readonly string[];
  objects(pins: readonly Pin[]): DistinctObject[];
  /** `partitions`: what the object feeds by its first name; `wanted`: of all that it may feed, those that are counted. */
  take(object: { partitions: Partition[]; wanted: Partition[] }, rejects: RejectedLines): TakeRow;
  /** What is stored of a partition in the end. */
  counts(partition: Partition): object;
};

/**
 * Counts the rows of the named partitions, one object of counts a partition. A bad row is a private reject and stops
 * nothing (C5); an object that cannot be read, has changed or lacks a column is a fault of exactly the partitions that it
 * may feed, and the others are finished (C6).
 *
 * Safe to run twice: counts are a function of the pinned objects, put if absent.
 *
 * @contract C5
 * @contract C6
 * @contract safe-to-retry
 */
export async function countRows(
  context: PrivateContext,
  input: BinInput,
  { kind, series, columns, objects, take, counts }: RowCounting,
): Promise<{ faults: ObjectFault[] }> {
  const source = sourceWindow(kind, series, input.window);
  const inventory = await readInventory(context, input, input.round);
  const faults = faultsOf(inventory, input.partitions);
  await withScratchFolder(context.scratch, async (folder) => {
    const reading = { context, run: input, source: series.source, folder, columns };
    for (const [number, { pins, names }] of objects(inventory.objects).entries()) {
      const targets = partitionsOf(source, names).filter((one) => meet([one], input.partitions));
      if (targets.length === 0) continue;
      const rejects = openRejects(join(folder, `rejects-${number}`));
      const partitions = partitionsOf(source, [names[0]]);
      const code = await readRowsOrCode(reading, pins[0], rejects, take({ partitions, wanted: targets }, rejects));
      if (code) faults.push({ object: pins[0].key, code, partitions: targets });
      else await keepRejects(context, folder, rejects, PRIVATE_KEYS.rejects(input, input.round, number));
    }
  });
  const gaps = faults.flatMap(({ partitions }) => partitions);
  for (const partition of input.partitions) {
    if (meet([partition], gaps)) continue;
    const bytes = jsonBytes(counts(partition));
    await context.privateStore.putIfAbsent(PRIVATE_KEYS.cells(input, input.round, partition), bytes);
  }
  await dropCopies(context.scratch, input);
  return { faults: faults.sort(byObject) };
}
