import type { PrivateContext } from '../../activities/private/context.ts';
import type { Partition } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { CellCount } from '../../core/mechanisms/cell-counts.ts';
import { readCells } from '../../kinds/taps/private/cells.ts';

/** The exact counts of one partition as rows in lexicographic order. */
export async function readCellRows(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<CellCount[]> {
  const { tap, time, location, count } = await readCells(context, run, round, partition);
  const rows = Array.from(
    count,
    (each, at): CellCount => [tap[at] === 'on' ? 'on' : 'off', time[at]!, location[at]!, each],
  );
  return rows.sort((a, b) => {
    const column = ([0, 1, 2] as const).find((one) => a[one] !== b[one]);
    return column === undefined ? 0 : a[column] < b[column] ? -1 : 1;
  });
}
