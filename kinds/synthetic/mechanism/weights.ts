import { expBounds } from '../../../core/rational/interval.ts';
import { rational } from '../../../core/rational/rational.ts';
import { cellsByPlace, cellsOf, type DomainShape, type Marginal, type Query } from './workload.ts';

/** The greatest weight; sums of a million weights are below 2^53 and exact. */
const FULL = 2 ** 30;
const START = 2 ** 29;
export const MOST_CELLS = 1_000_000;
/** Factors are whole numbers of 2^-22, so that a weight times a factor is exact, too. */
const FACTOR_BITS = 22;
const FACTOR_ONE = 2 ** FACTOR_BITS;
/** Steps are rounded towards 0 to whole numbers of 2^-32 before their exponential is taken, and are at most a half. */
const STEP_BITS = 32n;
const LONGEST_STEP = 1n << (STEP_BITS - 1n);

/** What was measured of one query: rows with noise. */
export type Measurement = { query: Query; value: number };

/** Weights of all cells after some measurements; the data has, of all rows, the part weight/total in each cell. */
export type Fit = {
  /** Whole numbers from 1 to 2^30. */
  readonly weights: Float64Array;
  /** Their sum. */
  total(): number;
  /** Takes one more measurement up, and then goes through all measurements so far, in their order, `passes` times. */
  add(measurement: Measurement): void;
};

/**
 * Multiplicative weights (Hardt, Ligett, McSherry 2012, Figure 1; step 3 of Figure 24 in Oppermann (ed.) 2019), in whole
 * numbers: the cells of a query q are multiplied by e^η, η = (m − n·q(A))/(2n), and only shares of the sum count. All
 * weights begin equal. `rows` is n. The same measurements give the same weights on every machine; what rounding does is
 * in weights.proof.md. With no passes it is Figure 24; passes fit better, and ask no more of the data.
 *
 * Throws RangeError for more than a million cells. Cost: 1 + passes · (measurements so far) times the cells of a query,
 * for each measurement.
 */
export function fitOf(
  shape: DomainShape,
  marginals: readonly Marginal[],
  { rows, passes }: { rows: number; passes: number },
): Fit {
  const cells = cellsOf(shape);
  if (cells > MOST_CELLS) throw new RangeError(`a domain has at most ${MOST_CELLS} cells`);
  const orders = marginals.map((marginal) => cellsByPlace(shape, marginal));
  const weights = new Float64Array(cells).fill(START);
  const measurements: Measurement[] = [];
  let total = cells * START;
  /** The sum when the weights were last brought near to the greatest. */
  let scaledAt = total;

  function follow({ query: { marginal, from, to }, value }: Measurement): void {
    const { order, starts } = orders[marginal]!;
    const [first, end] = [starts[from]!, starts[to]!];
    let inside = 0;
    for (let place = first; place < end; place += 1) inside += weights[order[place]!]!;
    // η = (m·S − n·W)/(2·n·S).
    const [n, sum] = [BigInt(rows), BigInt(total)];
    const factor = factorOf(BigInt(value) * sum - n * BigInt(inside), 2n * n * sum);
    if (factor === FACTOR_ONE) return;
    total -= inside;
    let most = 0;
    for (let place = first; place < end; place += 1) {
      const weight = times(weights[order[place]!]!, factor);
      weights[order[place]!] = weight;
      most = Math.max(most, weight);
      total += weight;
    }
    if (most > FULL) scale((weight) => Math.ceil(weight / 2));
    else if (2 * total < scaledAt) {
      let growth = 1;
      for (const most = greatest(weights); most * growth * 2 <= FULL; ) growth *= 2;
      scale((weight) => weight * growth);
    }
  }

  function scale(change: (weight: number) => number): void {
    total = 0;
    for (let cell = 0; cell < cells; cell += 1) {
      weights[cell] = change(weights[cell]!);
      total += weights[cell]!;
    }
    scaledAt = total;
  }

  return {
    weights,
    total: () => total,
    add(measurement) {
      measurements.push(measurement);
      follow(measurement);
      for (let pass = 0; pass < passes; pass += 1) for (const each of measurements) follow(each);
    },
  };
}

function greatest(weights: Float64Array): number {
  let most = 0;
  for (const weight of weights) most = Math.max(most, weight);
  return most;
}

/** A weight times a factor, to the nearest whole number from 1 on; halves go up. */
const times = (weight: number, factor: number): number =>
  Math.max(1, Math.floor((weight * factor + FACTOR_ONE / 2) / FACTOR_ONE));

/** ⌊2^22·e^h⌋; h is numerator/denominator rounded towards 0 to a whole number of 2^-32, from −1/2 to 1/2. */
export function factorOf(numerator: bigint, denominator: bigint): number {
  const exact = (numerator << STEP_BITS) / denominator;
  const step = exact > LONGEST_STEP ? LONGEST_STEP : exact < -LONGEST_STEP ? -LONGEST_STEP : exact;
  if (step === 0n) return FACTOR_ONE;
  for (let bits = 40; ; bits *= 2) {
    const { lower, upper } = expBounds(rational(step, 1n << STEP_BITS), bits);
    const floor = ({ numerator: over, denominator: under }: typeof lower): bigint =>
      (over << BigInt(FACTOR_BITS)) / under;
    if (floor(lower) === floor(upper)) return Number(floor(lower));
  }
}
