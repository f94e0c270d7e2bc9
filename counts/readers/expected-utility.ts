import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, rational, toNumber } from '../../core/rational/rational.ts';
import { noiseTail } from '../../core/statistics/noise-law.ts';
import { ALL } from '../derive/count-row.ts';
import { type CountTable, totalOf } from '../derive/count-table.ts';
import { sumOverLocations, sumOverTimes } from '../derive/tables.ts';
import { interval } from './count-interval.ts';

/** What an earlier public release says of how much there is to count. It has no exact count. */
export type EarlierRelease = {
  /** Published count → number of cells. */
  counts: ReadonlyMap<number, number>;
  /** Where its own cells begin; null: every cell is published. */
  threshold: number | null;
  /** Its fitted total of taps. */
  total: number;
  /** Rows of its time table and of its location table, over all modes, days and taps. */
  keys: { time: number; location: number };
};

/** What a design would show of counts such as those of an earlier release; estimates without an interval. */
export type ExpectedUtility = {
  /** Share of taps in published cells, from 0 to 1. */
  inCells: number;
  /** The design shows smaller cells than the earlier release, which nobody can see: the share is at least that. */
  isAtLeast: boolean;
  /** Mean size of the noise of a margin as a share of the mean total of its keys. */
  errors: { time?: number; location?: number };
  /** Margins of which 95 % of the noise reaches further than the mean total of a key. */
  tooNoisy: ('time' | 'location')[];
};

const CONFIDENCE = rational(19n, 20n);
const MARGINS = ['time', 'location'] as const;

/** An earlier release from its published rows; null when they do not say how many taps there were. Cost: O(rows). */
export function earlierRelease(
  { cells, hours, remainder }: Record<'cells' | 'hours' | 'remainder', CountTable>,
  { threshold }: Pick<Certificate, 'threshold'>,
): EarlierRelease | null {
  const hasRemainder = remainder.count.length > 0;
  if (!hasRemainder && threshold !== null) return null;
  const [times, locations] = [sumOverLocations(cells, remainder), sumOverTimes(cells, remainder, hours)];
  const all = remainder.times.indexOf(ALL);
  const total = totalOf(!hasRemainder || remainder.time.some((time) => time !== all) ? times : locations);
  if (total <= 0) return null;
  const counts = new Map<number, number>();
  for (const count of cells.count) counts.set(count, (counts.get(count) ?? 0) + 1);
  return { counts, threshold, total, keys: { time: times.count.length, location: locations.count.length } };
}

/**
 * What a design would show, as if the published counts of the earlier release were exact: each cell is published with
 * P[Y + X ≥ T] of the design. Only public output goes in (C17). Formulas in expected-utility.proof.md. Cost: O(counts).
 *
 * @contract C17
 */
export function expectedUtility(
  earlier: EarlierRelease,
  { scale, threshold, marginScales }: Pick<Certificate, 'scale' | 'threshold' | 'marginScales'>,
): ExpectedUtility {
  const b = toNumber(parseRational(scale));
  const chance = (count: number): number =>
    threshold === null ? 1 : noiseTail('discrete-laplace', b, threshold - count);
  let shown = 0;
  for (const [count, cells] of earlier.counts) shown += count * cells * chance(count);
  const meanOf = (margin: 'time' | 'location'): number => earlier.total / earlier.keys[margin];
  const errorOf = (margin: 'time' | 'location', text: string): number =>
    1 / Math.sinh(1 / toNumber(parseRational(text))) / meanOf(margin);
  const isTooNoisy = (margin: 'time' | 'location'): boolean => {
    const text = marginScales[margin];
    return text !== undefined && interval(0, CONFIDENCE, parseRational(text)).highest > meanOf(margin);
  };
  return {
    inCells: Math.min(1, Math.max(0, shown / earlier.total)),
    isAtLeast: earlier.threshold !== null && (threshold ?? 0) < earlier.threshold,
    errors: {
      ...(marginScales.time !== undefined && { time: errorOf('time', marginScales.time) }),
      ...(marginScales.location !== undefined && { location: errorOf('location', marginScales.location) }),
    },
    tooNoisy: MARGINS.filter(isTooNoisy),
  };
}
