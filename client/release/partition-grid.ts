import type { Partition } from '../../contracts/names.ts';
import type { PartitionState } from '../../contracts/stages.ts';

/** A mark for the state of a partition. */
export const PARTITION_MARKS: Readonly<Record<PartitionState, string>> = {
  ...{ pending: '·', binned: '○', drawn: '●', failed: '✗', abandoned: '–' },
};

/** Parts down, days across: the states of the days of each part. */
export function partitionGrid(partitions: readonly (Partition & { state: PartitionState })[]) {
  const days = [...new Set(partitions.map(({ day }) => day))].sort();
  const parts = [...new Set(partitions.map(({ part }) => part))].sort();
  const states = new Map(partitions.map(({ part, day, state }) => [`${part}/${day}`, state]));
  const rows = parts.map((part) => ({ part, states: days.map((day) => states.get(`${part}/${day}`) ?? 'pending') }));
  return { days, rows };
}
