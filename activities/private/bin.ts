import type { BinInput, ObjectFault } from '../../contracts/stages.ts';
import { admitCharged, requireCharged } from '../../custodian/custody/custody-charge.ts';
import { countWarnings } from '../../custodian/preview/input-warnings.ts';
import { keepWarnings } from '../../custodian/preview/kept-warnings.ts';
import { newestTallies } from '../../custodian/preview/tallies.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readInventory } from '../../custodian/source/inventory.ts';
import { recordFaults } from '../../custodian/source/recorded-faults.ts';

/**
 * Counts the named partitions into cells, one object a partition, empty partitions too, as the kind of the series says.
 * A bad row is a private reject and stops nothing (C5); an object that cannot be read, has changed or lacks a column is
 * a fault of exactly the partitions that it may feed, and the others are finished (C6). Only what is in the ledger is
 * counted (C11a).
 *
 * Safe to run twice: cells are a function of the pinned objects, put if absent; a partition that has cells is not
 * counted again.
 *
 * @contract C6
 * @contract C11a
 * @contract safe-to-retry
 */
export async function bin(context: PrivateContext, input: BinInput): Promise<{ faults: ObjectFault[] }> {
  const release = await admitCharged(context, input);
  requireCharged(release, input.partitions);
  const { run, series } = release;
  const { round, partitions } = input;
  const { faults } = await release.kind.bin(context, { ...input, ...run }, series);
  await recordFaults(context, run, round, faults);
  const inventory = await readInventory(context, run, round);
  const warnings = countWarnings(partitions, await newestTallies(context, run, round), inventory, faults);
  await keepWarnings(context.privateStore, run, { round, found: 'bin' }, warnings);
  return { faults };
}
