import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { sumHalfWidth } from '../../core/statistics/integer-sum.ts';
import type { PrivatizedTable } from '../tables/columns.ts';
import type { IntegerInterval } from './interval.ts';

/** A sum of noisy rows, and an interval of the exact sum; it misses with a chance of at most 5 %. */
export type NoisyTotal = { total: number } & IntegerInterval;

/** What a release shows of the taps of one mode, by its published rows alone. Counts are of counted taps (C2). */
export type ShownTaps = {
  mode: string;
  /** A sum of noisy rows that cover every counted tap once; null where no such rows are published. */
  noisy: NoisyTotal | null;
  /** The total of the derived tables: published cells and fitted remainder rows; null without remainder rows. */
  fitted: number | null;
  /** Shares of the fitted total, else of the noisy one, from 0 to 1: estimates. Null where no total is above 0. */
  inCells: number | null;
  /** Null where there are no hour rows, too. */
  inHours: number | null;
};

/** P[the interval of a mode misses the exact total] is at most 1 − this. */
const CONFIDENCE = 0.95;

/** Noisy rows that cover every tap once, and the scale of the noise of each. */
type View = { rows: number; total: number; scale: number };

type Sums = Record<'cells' | 'hours' | 'timeMargins' | 'locationMargins' | 'timeRest' | 'locationRest', Sum>;
type Sum = { rows: number; total: number };

/**
 * What a release shows, mode by mode in code-unit order. The noisy total is that of the view with the least noise among
 * time margins, location margins and, where every cell is published, cells; which one is decided by public numbers of
 * rows and scales alone, so that the interval holds: the noise of the sum is that of so many independent discrete
 * Laplace numbers (shown-taps.proof.md). A mode without a drawn partition is absent. Cost: O(rows), and per mode that
 * of sumHalfWidth.
 *
 * @contract C9
 * @contract C19
 */
export function shownTaps(
  tables: readonly PrivatizedTable[],
  certificate: Pick<Certificate, 'scale' | 'marginScales' | 'threshold'>,
): ShownTaps[] {
  const modes = [...new Set(tables.map(({ part }) => part))].sort();
  return modes.map((mode) => {
    const own = tables.filter(({ part }) => part === mode);
    const sums = sumsOf(own);
    const noisy = noisyTotal(viewsOf(sums, certificate));
    const fitted = own.some(({ remainder }) => remainder) ? fittedTotal(sums) : null;
    const total = fitted ?? noisy?.total ?? 0;
    const share = (part: number): number | null => (total > 0 ? Math.min(1, Math.max(0, part / total)) : null);
    return {
      ...{ mode, noisy, fitted, inCells: share(sums.cells.total) },
      inHours: own.some(({ hours }) => hours) ? share(sums.hours.total) : null,
    };
  });
}

function sumsOf(tables: readonly PrivatizedTable[]): Sums {
  const sum = (countsOf: (table: PrivatizedTable) => Float64Array | undefined): Sum => {
    const lists = tables.flatMap((table) => countsOf(table) ?? []);
    return {
      rows: lists.reduce((rows, { length }) => rows + length, 0),
      total: lists.reduce((total, counts) => counts.reduce((whole, count) => whole + count, total), 0),
    };
  };
  return {
    cells: sum(({ cells }) => cells.counts),
    hours: sum(({ hours }) => hours?.counts),
    timeMargins: sum(({ margins }) => margins?.time),
    locationMargins: sum(({ margins }) => margins?.location),
    timeRest: sum(({ remainder }) => remainder?.time),
    locationRest: sum(({ remainder }) => remainder?.location),
  };
}

function viewsOf(
  { cells, timeMargins, locationMargins }: Sums,
  { scale, marginScales: { time, location }, threshold }: Pick<Certificate, 'scale' | 'marginScales' | 'threshold'>,
): View[] {
  const view = (sum: Sum, text: string | undefined): View[] =>
    text === undefined || sum.rows === 0 ? [] : [{ ...sum, scale: toNumber(parseRational(text)) }];
  return [
    ...view(timeMargins, time),
    ...view(locationMargins, location),
    ...(threshold === null ? view(cells, scale) : []),
  ];
}

/**
 * The taps that the bound leaves out of all modes together, of each card those that the clamp counts; null where they are
 * not counted. The interval is that of a sum of so many independent discrete Laplace numbers.
 *
 * @contract C19
 */
export function leftOutTotal(
  tables: readonly PrivatizedTable[],
  { leftOutScale }: Pick<Certificate, 'leftOutScale'>,
): NoisyTotal | null {
  const rows = tables.flatMap(({ leftOut }) => [...(leftOut ?? [])]);
  if (leftOutScale === undefined || rows.length === 0) return null;
  const total = rows.reduce((sum, count) => sum + count, 0);
  return withInterval({ rows: rows.length, total, scale: toNumber(parseRational(leftOutScale)) });
}

const noiseOf = ({ rows, scale }: View): number => rows * scale * scale;

function noisyTotal(views: readonly View[]): ShownTaps['noisy'] {
  const [best] = views.toSorted((a, b) => noiseOf(a) - noiseOf(b));
  return best ? withInterval(best) : null;
}

/** What is exact is never negative. */
function withInterval({ rows, total, scale }: View): NoisyTotal {
  const { halfWidth } = sumHalfWidth('discrete-laplace', [[scale, rows]], CONFIDENCE);
  const highest = total + halfWidth;
  return { total, lowest: Math.min(Math.max(0, total - halfWidth), highest), highest };
}

/** Time remainders cover what hour rows show as well; location remainders leave it out (C9). */
const fittedTotal = ({ cells, hours, timeRest, locationRest }: Sums): number =>
  cells.total + (timeRest.rows > 0 ? timeRest.total : hours.total + locationRest.total);
