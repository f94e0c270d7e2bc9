import { differencing } from '../counts/audit/checks/differencing.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { sliceKey } from '../counts/derive/count-table.ts';
import type { NoisyTable } from './foreign-noise.ts';
import type { ForeignRow, ForeignTable } from './foreign-table.ts';

/** Of the intervals of what is suppressed. */
export const CONFIDENCE = 0.95;

/** A published total less the published cells that it covers. */
export type Difference = {
  total: ForeignRow;
  cells: readonly ForeignRow[];
  /** D: the taps that are suppressed, except for noise. */
  difference: number;
  /** D ± the half-width of the exact interval for the sum of all noises; [D, D] when none of them is noisy. */
  interval: [lower: number, upper: number];
};

/** How far a difference is from 0, in half-widths of its interval. */
export const distanceOf = ({ difference, interval }: Difference): number => difference / (interval[1] - difference);

/** What a row counts, in words. */
export const totalInWords = ({ mode, day, tap, time, location }: ForeignRow): string =>
  [mode, day, tap, time, location].filter((part) => part !== ALL).join(' ');

/**
 * Pairs of a table with totals and a table with their cells. Two publications with certificates are not paired: each is
 * charged by itself, and its totals hold no more than its own cells.
 */
function siblings(tables: readonly NoisyTable[]): { coarse: NoisyTable; fine: NoisyTable }[] {
  const fine = tables.filter(({ kind }) => kind === 'time-location');
  const coarse = tables.filter(({ kind }) => kind !== 'time-location');
  const isCharged = (one: ForeignTable, other: ForeignTable): boolean =>
    one.source !== other.source && one.declared.certificate !== null && other.declared.certificate !== null;
  return coarse.flatMap((one) =>
    fine.filter((other) => !isCharged(one, other)).map((other) => ({ coarse: one, fine: other })),
  );
}

/** The line of a table that a row is in: its place over all times, or its time over all places; null for neither. */
function lineOf(row: ForeignRow, kind: ForeignTable['kind']): string | null {
  const label = kind === 'location' ? row.location : row.time;
  return label === ALL ? null : JSON.stringify([sliceKey(row), label]);
}

/** Every total that the publication allows to be taken apart. Remainder rows count as cells that are known exactly. */
export function differences(tables: readonly NoisyTable[]): Difference[] {
  return siblings(tables).flatMap(({ coarse, fine }) => {
    const slices = new Set(fine.rows.map(sliceKey));
    const lines = Map.groupBy(fine.rows, (row) => lineOf(row, coarse.kind));
    const learn = differencing(fine.noise, CONFIDENCE);
    return coarse.rows.flatMap((total): Difference[] => {
      const line = lineOf(total, coarse.kind);
      if (line === null || !slices.has(sliceKey(total))) return [];
      const cells = lines.get(line) ?? [];
      const sum = cells.reduce((all, { count }) => all + count, 0);
      if (sum === total.count) return [{ total, cells, difference: 0, interval: [0, 0] }];
      const published = { sum, cells: cells.filter(isCell).length, scale: fine.noise.most };
      return [
        { total, cells, ...learn({ count: total.count, scale: coarse.noise.most, published, suppressed: null }) },
      ];
    });
  });
}

const isCell = ({ time, location }: ForeignRow): boolean => time !== ALL && location !== ALL;
