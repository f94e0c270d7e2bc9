import type { Certificate } from '../../contracts/certificate.ts';
import type { Partition } from '../../contracts/names.ts';
import { sumHalfWidth } from '../../core/statistics/integer-sum.ts';
import { compareText } from '../derive/count-row.ts';
import { type Sum, sumOf, type TableSums } from '../derive/table-totals.ts';
import type { IntegerInterval } from '../mechanisms/count-interval.ts';
import { type NoiseOfCount, noiseOfCount } from '../mechanisms/mechanisms.ts';
import type { PublishedTable } from '../tables/tap-tables.ts';

/** A sum of noisy rows, and an interval of the exact sum; it misses with a chance of at most 5 %. */
export type NoisyTotal = { total: number } & IntegerInterval;

/** What a release shows of the taps of one mode, by its published rows alone. Counts are of counted taps (C2). */
export type ShownTaps = {
  mode: string;
  /** A sum of noisy rows that cover every counted tap once; null where no such rows are published. */
  noisy: NoisyTotal | null;
  /** What the counts of published cells are of the exact total; null where no noisy total is above 0. */
  inCells: TapShare | null;
  /** Null where there are no hour rows, too. */
  inHours: TapShare | null;
};

/** A share from 0 to 1 of the noisy total, with its interval of the exact one: it misses when that of the total does. */
export type TapShare = { share: number; lowest: number; highest: number };

/** P[the interval of a mode misses the exact total] is at most 1 − this. */
const CONFIDENCE = 0.95;

/** Noisy rows that cover every tap once, and the noise of each. */
type View = Sum & NoiseOfCount;

/** What of a certificate says how noisy a sum is. */
type NoiseOfSums = Pick<Certificate, 'mechanism' | 'scale' | 'marginScales' | 'threshold'>;

/**
 * What a release shows of these modes, one by one. The noisy total is that of the view with the least noise among time
 * margins, location margins and, where every cell is published, cells; which one is decided by public numbers of rows
 * and scales alone, so that the interval holds: the sum has the noise of that many independent
 * numbers (shown-taps.proof.md). Cost: per mode that of sumHalfWidth.
 *
 * @contract C9
 * @contract C19
 */
export const tapsByMode = (tables: TableSums, modes: readonly string[], certificate: NoiseOfSums): ShownTaps[] =>
  modes.map((mode) => {
    const sumIn = (table: PublishedTable): Sum => sumOf(tables, table, ({ part }) => part === mode);
    const noisy = noisyTotal(sumIn, certificate);
    return {
      mode,
      noisy,
      inCells: shareOf(sumIn('time-location'), noisy),
      inHours: tables.has('hours') ? shareOf(sumIn('hours'), noisy) : null,
    };
  });

/**
 * One row of the table `totals`: the taps of a partition, with an interval that misses the exact number with a chance
 * of at most 5 %. Without rows that cover every tap it is what the published cells add up to, and there is no interval.
 */
export type DayTotal = Readonly<Partition> & { readonly count: number; readonly low?: number; readonly high?: number };

/** Does a release of this certificate publish rows that cover every tap once, so that its totals have intervals? */
export const hasIntervals = ({ marginScales, threshold }: Pick<Certificate, 'marginScales' | 'threshold'>): boolean =>
  threshold === null || Object.keys(marginScales).length > 0;

/**
 * The table `totals`, a row for each of these partitions, which were drawn: the same view as shownTaps takes of a mode. A
 * pure function of published rows, and so 0 ε. Cost: per partition that of sumHalfWidth.
 *
 * @contract C9
 * @contract C19
 */
export const dayTotals = (tables: TableSums, partitions: readonly Partition[], certificate: NoiseOfSums): DayTotal[] =>
  partitions.toSorted(byPartition).map(({ part, day }) => {
    const sumIn = (table: PublishedTable): Sum => sumOf(tables, table, (one) => one.part === part && one.day === day);
    const noisy = noisyTotal(sumIn, certificate);
    if (!noisy) return { part, day, count: sumIn('time-location').total };
    return { part, day, count: noisy.total, low: noisy.lowest, high: noisy.highest };
  });

const byPartition = (a: Partition, b: Partition): number => compareText(a.part, b.part) || compareText(a.day, b.day);

/** Rows that cover every tap once, of the tables whose sums are given: those of each view that is published. */
function viewsOf(
  sumIn: (table: PublishedTable) => Sum,
  { mechanism, scale, marginScales: { time, location }, threshold }: NoiseOfSums,
): View[] {
  const view = (table: PublishedTable, text: string | undefined): View[] => {
    const sum = sumIn(table);
    return text === undefined || sum.rows === 0 ? [] : [{ ...sum, ...noiseOfCount(mechanism, text) }];
  };
  return [
    ...view('margins-time', time),
    ...view('margins-location', location),
    ...(threshold === null ? view('time-location', scale) : []),
  ];
}

/**
 * The taps that the bound leaves out of all modes together, of each card those that the clamp counts; null where they are
 * not counted. The interval is that of a sum of independent numbers of its law, one for each row.
 *
 * @contract C19
 */
export function leftOutTotal(
  tables: TableSums,
  { mechanism, leftOutScale }: Pick<Certificate, 'mechanism' | 'leftOutScale'>,
): NoisyTotal | null {
  const sum = sumOf(tables, 'left-out');
  if (leftOutScale === undefined || sum.rows === 0) return null;
  return withInterval({ ...sum, ...noiseOfCount(mechanism, leftOutScale) });
}

const noiseOf = ({ rows, scale }: View): number => rows * scale * scale;

function noisyTotal(sumIn: (table: PublishedTable) => Sum, certificate: NoiseOfSums): NoisyTotal | null {
  const [best] = viewsOf(sumIn, certificate).toSorted((a, b) => noiseOf(a) - noiseOf(b));
  return best ? withInterval(best) : null;
}

/** What is exact is never negative. */
function withInterval({ rows, total, model, scale }: View): NoisyTotal {
  const { halfWidth } = sumHalfWidth(model, [[scale, rows]], CONFIDENCE);
  const highest = total + halfWidth;
  return { total, lowest: Math.min(Math.max(0, total - halfWidth), highest), highest };
}

function shareOf({ total: part }: Sum, noisy: NoisyTotal | null): TapShare | null {
  if (!noisy || noisy.total <= 0) return null;
  const of = (whole: number): number => (part <= 0 ? 0 : Math.min(1, part / whole));
  return { share: of(noisy.total), lowest: of(noisy.highest), highest: of(noisy.lowest) };
}
