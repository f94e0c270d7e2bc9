/**
 * A published total of one part: its weekday, 0 for Monday; its taps, and the standard deviation of their noise. Of a day
 * that people declared as unusual it is only known that it was published.
 */
export type WeekdayTotal = {
  readonly weekday: number;
  readonly count: number;
  readonly noise: number;
  readonly isUnusual?: boolean;
};

/** What is usual for a weekday, in taps. */
export type UsualRange = {
  /** The median of `days` earlier days, without the unusual ones. */
  readonly centre: number;
  readonly days: number;
  /** A total outside of these is not usual. */
  readonly low: number;
  readonly high: number;
  /** The smallest change that is seen nine times in ten. */
  readonly seenChange: number;
};

/** Fewer earlier days of a weekday say nothing; more than the newest of these add trend and season alone. */
export const FEWEST_DAYS = 4;
const MOST_DAYS = 12;
/** The number of them that have to be usual ones. */
const FEWEST_USUAL_DAYS = 2;

/** Days differ by about so much of their taps; how much they do is measured in units of this and the noise together. */
const DIFFER = 0.05;
/** They are never taken to differ by less than this many units. */
const LEAST_SPREAD = 0.5;
/** Four fifths of normal deviations are smaller than this many standard deviations. */
const FOUR_FIFTHS = { share: 0.8, deviations: 1.2816 };
/** Deviations for a degree of freedom; and no more degrees than this, since some days are far wilder than the most. */
const DEVIATIONS_PER_DEGREE = 4;
const MOST_DEGREES = 10;
/** One tail of a tenth, in standard deviations. */
const NINE_IN_TEN = 1.2816;

/**
 * The usual range of each weekday of one part, by the median of its newest earlier days and the spread of the days of all
 * weekdays about their medians: pooled, so that four weeks say something, and robust, so that a lost day among them
 * hardly matters (usual-range.proof.md). `history` is newest first; `level` is the chance, on either side, that an honest
 * total is outside. Asked for a weekday and the noise of the total that is judged, it gives null where fewer than
 * FEWEST_DAYS were published. Cost: O(n log n).
 */
export function usualRanges(
  history: readonly WeekdayTotal[],
  level: number,
): (weekday: number, noise: number) => UsualRange | null {
  const ofWeekday = new Map<number, { centre: number; days: number; noise: number }>();
  const deviations: number[] = [];
  for (const weekday of new Set(history.map((one) => one.weekday))) {
    const totals = history.filter((one) => one.weekday === weekday);
    const days = totals.filter(({ isUnusual }) => !isUnusual).slice(0, MOST_DAYS);
    if (totals.length < FEWEST_DAYS || days.length < FEWEST_USUAL_DAYS) continue;
    const centre = median(days.map(({ count }) => count));
    const noise = Math.max(...days.map((one) => one.noise));
    ofWeekday.set(weekday, { centre, noise, days: days.length });
    deviations.push(...days.map(({ count }) => Math.abs(count - centre) / unitOf(centre, noise)));
  }
  const degrees = Math.min(MOST_DEGREES, (deviations.length - ofWeekday.size) / DEVIATIONS_PER_DEGREE);
  const spread = Math.max(LEAST_SPREAD, smallerThan(deviations, FOUR_FIFTHS.share) / FOUR_FIFTHS.deviations);
  const critical = Math.sqrt(degrees * ((2 * level) ** (-2 / degrees) - 1));
  return (weekday, noise) => {
    const own = ofWeekday.get(weekday);
    if (!own) return null;
    const { centre, days } = own;
    const deviation = spread * unitOf(centre, Math.max(noise, own.noise)) * Math.sqrt(1 + Math.PI / (2 * days));
    const seenChange = (critical + NINE_IN_TEN) * deviation;
    return { centre, days, low: centre - critical * deviation, high: centre + critical * deviation, seenChange };
  };
}

const unitOf = (centre: number, noise: number): number => Math.hypot(Math.max(1, noise), DIFFER * centre);

/** The smallest value that at least this share of the values do not exceed; 0 without any. */
const smallerThan = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0;

/** The middle one of some values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const order = values.toSorted((a, b) => a - b);
  const middle = order.length / 2;
  return (order[Math.ceil(middle) - 1]! + order[Math.floor(middle)]!) / 2;
}
