/**
 * What noise and suppression may do to sums of a stability histogram, as an interval with a stated error rate. The
 * reference for tests on real inputs: it knows the exact counts, and uses floating point and no code of the product.
 *
 * A cell with exact count c gets Y = c + X, X discrete Laplace with P[X = x] = (1 − α)/(1 + α)·α^|x|, α = e^(−1/b).
 * It shows Y when Y ≥ T, and is suppressed (shows 0) otherwise; all cells are independent.
 */
export type NoiseLaw = { /** Scale b, in taps. */ scale: number; threshold: number };

/** `cells` cells have the exact count `count`. */
export type CountFrequency = { count: number; cells: number };

/** A sum is outside with probability at most the error rate that was asked for. */
export type SumInterval = { expected: number; lowest: number; highest: number };

type Outcome = { probability: number; value: number };

/** Noise beyond this many scales has a probability below 1e-26, and is left out. */
const TAIL_SCALES = 60;

/** Interval of the sum of the published counts: Σ Y over the cells with Y ≥ T. */
export const publishedSum = (cells: readonly CountFrequency[], law: NoiseLaw, errorRate: number): SumInterval =>
  sumInterval(cells, errorRate, law.scale, (count) =>
    noisyCounts(count, law).map(({ probability, value }) => ({
      probability,
      value: value >= law.threshold ? value : 0,
    })),
  );

/** Interval of the suppressed mass: Σ c over the cells with c + X < T. It is never negative, and only lowers totals. */
export const suppressedMass = (cells: readonly CountFrequency[], law: NoiseLaw, errorRate: number): SumInterval =>
  sumInterval(cells, errorRate, law.scale, (count) =>
    noisyCounts(count, law).map(({ probability, value }) => ({
      probability,
      value: value >= law.threshold ? 0 : count,
    })),
  );

/** Interval of Σ |X| over `cells` cells, whether published or not: it says whether the noise has the stated scale. */
export const absoluteNoise = (cells: number, law: NoiseLaw, errorRate: number): SumInterval =>
  sumInterval([{ count: 0, cells }], errorRate, law.scale, (count) =>
    noisyCounts(count, law).map(({ probability, value }) => ({ probability, value: Math.abs(value) })),
  );

/**
 * Smallest h such that the noise of any of `cells` cells exceeds h in size with probability at most the error rate, by
 * the sum of the tails P[|X| > h] = 2α^(h+1)/(1 + α).
 */
export function largestNoise(cells: number, { scale }: NoiseLaw, errorRate: number): number {
  const alpha = Math.exp(-1 / scale);
  let noise = 0;
  while ((cells * 2 * alpha ** (noise + 1)) / (1 + alpha) > errorRate) noise += 1;
  return noise;
}

function noisyCounts(count: number, { scale }: NoiseLaw): Outcome[] {
  const alpha = Math.exp(-1 / scale);
  const reach = Math.ceil(TAIL_SCALES * scale);
  return Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const noise = index - reach;
    return { probability: ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(noise), value: count + noise };
  });
}

/**
 * Chernoff's bound with the exact laws: for every s > 0, P[S − E S ≥ t] ≤ exp(K(s) − s·t), where K is the sum of the
 * logarithms of E e^(s·(Z − E Z)). The smallest t of any grid of s keeps the bound, half of the error rate on each side.
 */
function sumInterval(
  cells: readonly CountFrequency[],
  errorRate: number,
  scale: number,
  lawOf: (count: number) => Outcome[],
): SumInterval {
  const laws = cells.map(({ count, cells: frequency }) => {
    const outcomes = lawOf(count);
    const mean = outcomes.reduce((sum, { probability, value }) => sum + probability * value, 0);
    return { frequency, mean, outcomes: outcomes.map((one) => ({ ...one, value: one.value - mean })) };
  });
  const expected = laws.reduce((sum, { frequency, mean }) => sum + frequency * mean, 0);
  const cumulant = (s: number): number =>
    laws.reduce((sum, { frequency, outcomes }) => sum + frequency * logOfMean(outcomes, s), 0);
  const reach = (sign: 1 | -1): number =>
    Math.min(...grid(scale).map((s) => (cumulant(sign * s) + Math.log(2 / errorRate)) / s));
  return { expected, lowest: expected - reach(-1), highest: expected + reach(1) };
}

/** ln E e^(s·value), as a small number when it is one. */
const logOfMean = (outcomes: readonly Outcome[], s: number): number =>
  Math.log1p(outcomes.reduce((sum, { probability, value }) => sum + probability * Math.expm1(s * value), 0));

/** From far below any useful s up to half of 1/b, where noise has no moments any more. */
const grid = (scale: number): number[] => Array.from({ length: 60 }, (_, step) => (0.5 / scale) * 0.8 ** step);
