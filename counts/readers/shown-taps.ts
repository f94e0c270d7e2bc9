import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { sumHalfWidth } from '../../core/statistics/integer-sum.ts';
import { type Sum, sumOf, type TableSums } from '../derive/table-totals.ts';
import type { IntegerInterval } from './count-interval.ts';

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
type View = Sum & { scale: number };

type Sums = Record<keyof typeof TABLES, Sum>;

/**
 * What a release shows of these modes, one by one. The noisy total is that of the view with the least noise among time
 * margins, location margins and, where every cell is published, cells; which one is decided by public numbers of rows
 * and scales alone, so that the interval holds: the noise of the sum is that of so many independent discrete Laplace
 * numbers (shown-taps.proof.md). Cost: per mode that of sumHalfWidth.
 *
 * @contract C9
 * @contract C19
 */
export function shownTaps(
  tables: TableSums,
  modes: readonly string[],
  certificate: Pick<Certificate, 'scale' | 'marginScales' | 'threshold'>,
): ShownTaps[] {
  return modes.map((mode) => {
    const sums = Object.fromEntries(
      Object.entries(TABLES).map(([name, table]) => [name, sumOf(tables, table, ({ part }) => part === mode)]),
    ) as Sums;
    const [best] = viewsOf(sums, certificate).toSorted((a, b) => noiseOf(a) - noiseOf(b));
    const noisy = best ? withInterval(best) : null;
    const fitted = sums.timeRest.rows + sums.locationRest.rows > 0 ? fittedTotal(sums) : null;
    const total = fitted ?? noisy?.total ?? 0;
    const share = (part: number): number | null => (total > 0 ? Math.min(1, Math.max(0, part / total)) : null);
    return {
      ...{ mode, noisy, fitted, inCells: share(sums.cells.total) },
      inHours: tables.has('hours') ? share(sums.hours.total) : null,
    };
  });
}

/** The published tables that are asked about. */
const TABLES = {
  cells: 'time-location',
  hours: 'hours',
  timeMargins: 'margins-time',
  locationMargins: 'margins-location',
  timeRest: 'remainder-time',
  locationRest: 'remainder-location',
} as const;

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
  tables: TableSums,
  { leftOutScale }: Pick<Certificate, 'leftOutScale'>,
): NoisyTotal | null {
  const sum = sumOf(tables, 'left-out');
  if (leftOutScale === undefined || sum.rows === 0) return null;
  return withInterval({ ...sum, scale: toNumber(parseRational(leftOutScale)) });
}

const noiseOf = ({ rows, scale }: View): number => rows * scale * scale;

/** What is exact is never negative. */
function withInterval({ rows, total, scale }: View): NoisyTotal {
  const { halfWidth } = sumHalfWidth('discrete-laplace', [[scale, rows]], CONFIDENCE);
  const highest = total + halfWidth;
  return { total, lowest: Math.min(Math.max(0, total - halfWidth), highest), highest };
}

/** Time remainders cover what hour rows show as well; location remainders leave it out (C9). */
const fittedTotal = ({ cells, hours, timeRest, locationRest }: Sums): number =>
  cells.total + (timeRest.rows > 0 ? timeRest.total : hours.total + locationRest.total);
