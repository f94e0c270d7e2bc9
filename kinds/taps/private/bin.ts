import { type Partition, PRIVATE_KEYS, partitionPath } from '../../../contracts/names.ts';
import type { BinInput } from '../../../contracts/stages.ts';
import { expandToScope } from '../../../core/calendar/draw-scope.ts';
import { columnsOf } from '../../../counts/mechanisms/cell-counts.ts';
import type { PrivateContext, PrivateKind } from '../../../custodian/private-context.ts';
import {
  byObject,
  type DistinctObject,
  distinctObjects,
  faultsOf,
  meet,
  partitionsOf,
  readInventory,
  sourceWindow,
} from '../../../custodian/source/inventory.ts';
import { dropCopies } from '../../../custodian/source/scratch-copy.ts';
import { mapAtOnce } from '../../../services/at-once.ts';
import { withScratchFolder } from '../../../services/files/scratch-folder.ts';
import { withDatabase } from '../../../services/sql/duckdb.ts';
import { tapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { cardBound, countMemory } from './bounding.ts';
import { type CountedTaps, choiceThreads, countCardTaps, openCardTaps } from './card-taps.ts';
import { splitCells } from './cell-numbers.ts';
import { cellBytes, type StoredCells } from './cells.ts';
import { openCounts } from './counted-cells.ts';
import { openScan, type Scan } from './object-scan.ts';
import { onAllObjects, scanObjects } from './object-scans.ts';

/**
 * Counts the taps of the named partitions into cells, one object a partition, empty partitions too. A bad row
 * is a private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is a fault
 * of exactly the partitions that it may feed, and the others are finished (C6).
 *
 * Safe to run twice: cells are a function of the pinned objects, put if absent; a partition that has cells is not
 * counted again.
 *
 * @contract C2
 * @contract C3
 * @contract C4
 * @contract C5
 * @contract C6
 * @contract safe-to-retry
 */
export const binTaps: PrivateKind['bin'] = async (context, input, document) => {
  const series = tapsSeries(document);
  const gaps = await withoutCells(context, input);
  if (gaps.length === 0) {
    // An earlier run may have been killed between its last cells and this.
    await dropCopies(context.scratch, input);
    return { faults: [] };
  }
  const source = sourceWindow(tapsKind, series, input.window);
  const { days } = source;
  // Whole scopes are counted, also when some of their partitions have cells already or wait for others (C2).
  const scopes = expandToScope(source, days, gaps);
  const targets = input.partitions.filter((partition) => meet([partition], scopes));
  const inventory = await readInventory(context, input, input.round);
  const objects = distinctObjects(series, inventory.objects);
  const targetsOf = (names: DistinctObject['names']): Partition[] =>
    partitionsOf(source, names).filter((partition) => meet([partition], targets));

  return withScratchFolder(context.scratch, (folder) =>
    withDatabase({ folder, memoryMiB: context.memoryMiB }, async (database) => {
      const limits = { folder, memoryMiB: context.memoryMiB };
      const bound = cardBound(series, input, limits);
      const place = { context, database, folder, run: input, round: input.round, series };
      const scan: Scan = await openScan(place, days, scopes, (numbers) =>
        bound ? openCardTaps(bound, numbers) : openCounts(numbers.size, countMemory(limits)),
      );
      if (series.privacy.rejects && !bound) scan.rejects = { days, counted: new Map() };
      const tasks = objects
        .map((object, number) => ({ object, number, partitions: targetsOf(object.names) }))
        .filter(({ partitions }) => partitions.length > 0);
      const faults = [...faultsOf(inventory, targets), ...(await scanObjects(scan, tasks))];
      const failures = faults.flatMap(({ partitions }) => partitions);
      const whole = targets.filter((partition) => !meet([partition], failures));
      await storeCells(scan, whole);
      await dropCopies(context.scratch, input);
      return { faults: faults.sort(byObject) };
    }),
  );
};

/** Partitions whose cells are looked for or stored at a time: the next are counted out while some are written. */
const CELLS_AT_ONCE = 4;

async function withoutCells(context: PrivateContext, input: BinInput): Promise<Partition[]> {
  const facts = await mapAtOnce(input.partitions, CELLS_AT_ONCE, (partition) =>
    context.privateStore.head(PRIVATE_KEYS.cells(input, input.round, partition)),
  );
  return input.partitions.filter((_, place) => facts[place] === null);
}

/** What was counted of all objects. */
async function collectTaps({ database, rules, taps, rejects }: Scan): Promise<CountedTaps> {
  if ('bound' in taps) return countCardTaps(taps, choiceThreads(taps, database.threads));
  return { cells: splitCells(rules.numbers, taps.ranges()), leftOut: rejects === null ? null : rejects.counted };
}

/** Cells of partitions that were counted, empty ones too. */
async function storeCells(scan: Scan, partitions: readonly Partition[]): Promise<void> {
  if (partitions.length === 0) return;
  const { context, run, round } = scan;
  const { cells: counted, leftOut } = await onAllObjects(context, () => collectTaps(scan));
  const store = (partition: Partition, cells: StoredCells['cells']): Promise<unknown> => {
    const record = { cells, leftOut: leftOut && (leftOut.get(partitionPath(partition)) ?? []) };
    return context.privateStore.putIfAbsent(PRIVATE_KEYS.cells(run, round, partition), cellBytes(record));
  };
  const due = new Map(partitions.map((partition) => [partitionPath(partition), partition]));
  await mapAtOnce(counted, CELLS_AT_ONCE, async ({ partition, cells }) => {
    if (due.delete(partitionPath(partition))) await store(partition, cells);
  });
  await mapAtOnce(due.values(), CELLS_AT_ONCE, (partition) => store(partition, columnsOf([])));
}
