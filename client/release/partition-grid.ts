import { type Partition, partitionPath } from '../../contracts/names.ts';
import type { PartitionState } from '../../contracts/stages.ts';

/** A mark for the state of a partition. */
export const PARTITION_MARKS: Readonly<Record<PartitionState, string>> = {
  pending: '·',
  binned: '○',
  drawn: '●',
  failed: '✗',
  abandoned: '–',
};

/** Parts down, days across: the states of the days of each part. */
export function partitionGrid(partitions: readonly (Partition & { state: PartitionState })[]) {
  const days = [...new Set(partitions.map(({ day }) => day))].sort();
  const parts = [...new Set(partitions.map(({ part }) => part))].sort();
  const states = new Map(partitions.map((one) => [partitionPath(one), one.state]));
  const stateOf = (partition: Partition) => states.get(partitionPath(partition)) ?? 'pending';
  const rows = parts.map((part) => ({ part, states: days.map((day) => stateOf({ part, day })) }));
  return { days, rows };
}
