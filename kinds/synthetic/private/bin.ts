import { join } from 'node:path';
import { PRIVATE_KEYS, partitionPath } from '../../../contracts/names.ts';
import type { BinInput, ObjectFault } from '../../../contracts/stages.ts';
import type { PrivateContext } from '../../../custodian/context.ts';
import { readRowsOrCode } from '../../../custodian/source/csv-rows.ts';
import {
  byObject,
  distinctObjects,
  meet,
  partitionsOf,
  readInventory,
  sourceWindow,
} from '../../../custodian/source/inventory.ts';
import { keepRejects, rejectedLines } from '../../../custodian/source/rejected-rows.ts';
import { dropCopies } from '../../../custodian/source/scratch-copy.ts';
import { withScratchFolder } from '../../../services/files/scratch-folder.ts';
import { jsonBytes } from '../../../services/stores/json-objects.ts';
import { cellOfValues } from '../mechanism/workload.ts';
import { publicAttributes } from '../public-attributes.ts';
import type { SyntheticSeries } from '../series.ts';
import { syntheticKind } from '../series-kind.ts';
import { partitionCells } from './cell-counts.ts';

/**
 * Counts the rows of the named partitions in the cells of the public domain, one object of counts a partition. A row
 * is of the part and day that its object names; of objects with equal bytes the first by key is read. A bad row is a
 * private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is a fault of
 * exactly the partitions that it may feed, and the others are finished (C6).
 *
 * Throws SERIES_INVALID for a series that does not fit its lists. Safe to run twice: counts are a function of the
 * pinned objects, put if absent.
 *
 * @contract C3
 * @contract C4
 * @contract C5
 * @contract C6
 * @contract safe-to-retry
 */
export async function binRows(
  context: PrivateContext,
  input: BinInput,
  series: SyntheticSeries,
): Promise<{ faults: ObjectFault[] }> {
  const attributes = await publicAttributes(context.releaseStore, series);
  const source = sourceWindow(syntheticKind, series, input.window);
  const inventory = await readInventory(context, input, input.round);
  const tallies = new Map(input.partitions.map((one) => [partitionPath(one), new Map<number, number>()]));
  const faults = inventory.faults
    .map((fault) => ({ ...fault, partitions: fault.partitions.filter((one) => meet([one], input.partitions)) }))
    .filter(({ partitions }) => partitions.length > 0);
  await withScratchFolder(context.scratch, async (folder) => {
    const columns = [...new Set(attributes.map(({ column }) => column))];
    const reading = { context, run: input, source: series.source, folder, columns };
    for (const [number, { pins, names }] of distinctObjects(series, inventory.objects).entries()) {
      const partitions = partitionsOf(source, names).filter((one) => meet([one], input.partitions));
      if (partitions.length === 0) continue;
      const [first] = partitionsOf(source, [names[0]]);
      const tally = first && tallies.get(partitionPath(first));
      const rejects = rejectedLines(join(folder, `rejects-${number}`));
      const code = await readRowsOrCode(reading, pins[0], rejects, (fields) => {
        const values = attributes.map(({ column, placeOf }) => placeOf(fields.get(column)!));
        const cell = cellOfValues(series.shape, values);
        tally?.set(cell, (tally.get(cell) ?? 0) + 1);
      });
      if (code) faults.push({ object: pins[0].key, code, partitions });
      else await keepRejects(context, folder, rejects, PRIVATE_KEYS.rejects(input, input.round, number));
    }
  });
  const failed = faults.flatMap(({ partitions }) => partitions);
  for (const partition of input.partitions) {
    if (meet([partition], failed)) continue;
    const counts = partitionCells(tallies.get(partitionPath(partition))!);
    await context.privateStore.putIfAbsent(PRIVATE_KEYS.cells(input, input.round, partition), jsonBytes(counts));
  }
  await dropCopies(context.scratch, input);
  return { faults: faults.sort(byObject) };
}
