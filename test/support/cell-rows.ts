import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readCells, type StoredCells } from '../../kinds/taps/private/cells.ts';

/** The exact counts of one partition as rows in lexicographic order. */
export async function readCellRows(
  context: PrivateContext,
  run: Run,
  round: number,
  partition: Partition,
): Promise<CellCount[]> {
  const rows = rowsOfCells((await readCells(context.privateStore, PRIVATE_KEYS.cells(run, round, partition))).cells);
  return rows.sort((a, b) => {
    const column = ([0, 1, 2] as const).find((one) => a[one] !== b[one]);
    return column === undefined ? 0 : a[column] < b[column] ? -1 : 1;
  });
}

/** The rows of columns, in their order. */
function rowsOfCells({ taps, times, locations, places, counts }: StoredCells['cells']): CellCount[] {
  return Array.from(places, (place, at) => {
    const row = Math.floor(place / locations.length);
    const tap = taps[Math.floor(row / times.length)] === 'on' ? 'on' : 'off';
    return [tap, times[row % times.length]!, locations[place % locations.length]!, counts[at]!];
  });
}
