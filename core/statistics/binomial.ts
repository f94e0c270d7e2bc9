/** A probability with its complement, each to full relative precision: neither is computed as one minus the other. */
export type Proportion = { readonly value: number; readonly complement: number };

/** The proportion whose natural log-odds ln(value/complement) are given; any real number, infinities included. */
export const fromLogOdds = (logOdds: number): Proportion => ({
  value: 1 / (1 + Math.exp(-logOdds)),
  complement: 1 / (1 + Math.exp(logOdds)),
});

/** A proportion given by its value alone: the complement of a value near 1 is as exact as the value. */
export const proportion = (value: number): Proportion => ({ value, complement: 1 - value });

/** A term this small beside the sum so far changes nothing, nor do the smaller ones after it. */
const NEGLIGIBLE = 1e-18;
/** From here on the series of stirlingError is exact to a double's last digit. */
const SERIES_FROM = 16;

/** ln n! − ln(√(2πn)·(n/e)^n) for an integer n ≥ 1: the error of Stirling's formula. */
function stirlingError(n: number): number {
  if (n >= SERIES_FROM) {
    const square = 1 / (n * n);
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - square / 1188) * square) * square) * square) / n;
  }
  let factorial = 1;
  for (let i = 2; i <= n; i += 1) factorial *= i;
  return Math.log(factorial) - ((n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI));
}

/** x·ln(x/mean) + mean − x, without cancellation near x = mean (Loader 2000, "Fast and accurate computation…"). */
function deviance(x: number, mean: number): number {
  const ratio = (x - mean) / (x + mean);
  if (Math.abs(ratio) > 0.1) return x * Math.log(x / mean) + mean - x;
  let [sum, power] = [(x - mean) * ratio, 2 * x * ratio];
  for (let odd = 3; ; odd += 2) {
    power *= ratio * ratio;
    const next = sum + power / odd;
    if (next === sum) return sum;
    sum = next;
  }
}

/** P[K = k] for K binomial with `trials` ≥ 1 and the given chance; relative error about 1e-14 for up to 10^7 trials. */
export function binomialProbability(k: number, trials: number, { value, complement }: Proportion): number {
  if (k < 0 || k > trials) return 0;
  if (value === 0 || complement === 0) return k === (value === 0 ? 0 : trials) ? 1 : 0;
  if (k === 0) return Math.exp(trials * Math.log1p(-value));
  if (k === trials) return Math.exp(trials * Math.log1p(-complement));
  const errors = stirlingError(trials) - stirlingError(k) - stirlingError(trials - k);
  const distance = deviance(k, trials * value) + deviance(trials - k, trials * complement);
  return Math.exp(errors - distance) * Math.sqrt(trials / (2 * Math.PI * k * (trials - k)));
}

/** Σ P[K = j] from j = k upwards: for k above the mean, where the terms fall. */
function sumUpwards(k: number, trials: number, chance: Proportion): number {
  const odds = chance.value / chance.complement;
  let term = binomialProbability(k, trials, chance);
  let sum = term;
  for (let j = k; j < trials && term > sum * NEGLIGIBLE; j += 1) {
    term *= (odds * (trials - j)) / (j + 1);
    sum += term;
  }
  return sum;
}

const swap = ({ value, complement }: Proportion): Proportion => ({ value: complement, complement: value });

/**
 * P[K ≥ k] for K binomial. The smaller of the two tails is summed term by term, so that a tail of 1e-200 is as exact,
 * relatively, as one of 0.1.
 */
export function atLeast(k: number, trials: number, chance: Proportion): number {
  if (k <= 0) return 1;
  if (k > trials) return 0;
  if (k > trials * chance.value) return Math.min(1, sumUpwards(k, trials, chance));
  return 1 - Math.min(1, sumUpwards(trials - k + 1, trials, swap(chance)));
}

/** P[K ≤ k] for K binomial; see atLeast. */
export const atMost = (k: number, trials: number, chance: Proportion): number =>
  atLeast(trials - k, trials, swap(chance));

/** What the alternative says of the chance of an event: that it is greater than supposed, smaller, or either. */
export type Alternative = 'greater' | 'less' | 'either';

/**
 * The exact binomial test: a valid p-value (P[p ≤ u] ≤ u for every u, proved in binomial.proof.md) of "the chance of the
 * event is the one given", or at most it for `greater`, at least it for `less`.
 */
export function binomialTest(events: number, trials: number, chance: Proportion, alternative: Alternative): number {
  if (trials === 0) return 1;
  if (alternative === 'greater') return atLeast(events, trials, chance);
  if (alternative === 'less') return atMost(events, trials, chance);
  return Math.min(1, 2 * Math.min(atLeast(events, trials, chance), atMost(events, trials, chance)));
}
