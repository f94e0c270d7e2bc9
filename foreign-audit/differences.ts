import { sumHalfWidth } from '../core/statistics/integer-sum.ts';
import { ALL } from '../counts/derive/count-row.ts';
import type { Noises, TableNoise } from './noise.ts';
import { type ForeignRow, type ForeignTable, sliceOf } from './table.ts';

/** A published total less the published cells that it covers. */
export type Difference = {
  total: ForeignRow;
  cells: readonly ForeignRow[];
  /** D: the taps that are suppressed, but for noise. */
  difference: number;
  /** D ± the half-width of the exact interval for the sum of all noises; [D, D] when none of them is noisy. */
  interval: [lower: number, upper: number];
};

/**
 * Pairs of a table with totals and a table with their cells. Two publications with certificates are not paired: each is
 * charged by itself, and its totals hold no more than its own cells.
 */
function siblings(tables: readonly ForeignTable[]): { coarse: ForeignTable; fine: ForeignTable }[] {
  const fine = tables.filter(({ kind }) => kind === 'time-location');
  const coarse = tables.filter(({ kind }) => kind !== 'time-location');
  const isCharged = (one: ForeignTable, other: ForeignTable): boolean =>
    one.source !== other.source && one.declared.certificate !== null && other.declared.certificate !== null;
  return coarse.flatMap((one) =>
    fine.filter((other) => !isCharged(one, other)).map((other) => ({ coarse: one, fine: other })),
  );
}

/** The line of a table that a row lies in: its place over all times, or its time over all places; null for neither. */
function lineOf(row: ForeignRow, kind: ForeignTable['kind']): string | null {
  const label = kind === 'location' ? row.location : row.time;
  return label === ALL ? null : JSON.stringify([sliceOf(row), label]);
}

/** Half-widths of the noise of a total and so many cells; the law of a sum is computed once. */
function halfWidths(total: TableNoise, cell: TableNoise, confidence: number): (cells: number) => number {
  const known = new Map<number, number>();
  return (cells) => {
    const width =
      known.get(cells) ??
      sumHalfWidth(
        cell.model,
        [
          [total.most, 1],
          [cell.most, cells],
        ],
        confidence,
      ).halfWidth;
    known.set(cells, width);
    return width;
  };
}

/** Every total that the publication allows to be taken apart. Remainder rows count as cells that are known exactly. */
export function differences(tables: readonly ForeignTable[], noises: Noises, confidence: number): Difference[] {
  return siblings(tables).flatMap(({ coarse, fine }) => {
    const slices = new Set(fine.rows.map(sliceOf));
    const lines = new Map<string, ForeignRow[]>();
    for (const row of fine.rows) {
      const line = lineOf(row, coarse.kind);
      if (line === null) continue;
      const cells = lines.get(line);
      if (cells) cells.push(row);
      else lines.set(line, [row]);
    }
    const halfWidth = halfWidths(noises.get(coarse.name)!, noises.get(fine.name)!, confidence);
    return coarse.rows.flatMap((total): Difference[] => {
      const line = lineOf(total, coarse.kind);
      if (line === null || !slices.has(sliceOf(total))) return [];
      const cells = lines.get(line) ?? [];
      const difference = cells.reduce((rest, { count }) => rest - count, total.count);
      const width = difference === 0 ? 0 : halfWidth(cells.filter(isCell).length);
      return [{ total, cells, difference, interval: [difference - width, difference + width] }];
    });
  });
}

const isCell = ({ time, location }: ForeignRow): boolean => time !== ALL && location !== ALL;
