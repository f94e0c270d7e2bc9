import { expBounds } from '../rational/interval.ts';
import { rational } from '../rational/rational.ts';
import { type DomainShape, type Marginal, placesInMarginal, type Query } from './workload.ts';

/** The greatest weight, and the greatest number of cells: sums of weights are below 2^53 and exact. */
const FULL = 2 ** 30;
export const MOST_CELLS = 1_000_000;
/** Factors are whole numbers of 2^-22, so that a weight times a factor is exact, too. */
const FACTOR_BITS = 22;
const FACTOR_ONE = 2 ** FACTOR_BITS;
/** Steps are rounded down to whole numbers of 2^-32 before their exponential is taken. */
const STEP_BITS = 32n;
/** A step from here on makes a factor of 2^-22, the smallest. */
const LONGEST_STEP = 16n << STEP_BITS;

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
 * Multiplicative weights (Hardt, Ligett, McSherry 2012, Figure 1; step 3 of Figure 24 in Oppermann (ed.) 2019), in
 * whole numbers: cells of a query q are multiplied by e^η, η = (m − n·q(A))/(2n), as far as their shares go. All
 * weights begin equal. `rows` is n. The same measurements give the same weights on every machine; what rounding does
 * is in weights.proof.md. With no passes it is Figure 24; passes fit better, and ask no more of the data.
 *
 * Throws RangeError for more than a million cells. Cost: 1 + passes · (measurements so far) times the cells, for each
 * measurement.
 */
export function fitOf(
  shape: DomainShape,
  marginals: readonly Marginal[],
  { rows, passes }: { rows: number; passes: number },
): Fit {
  const places = marginals.map((marginal) => placesInMarginal(shape, marginal));
  const cells = places[0]!.length;
  if (cells > MOST_CELLS) throw new RangeError(`a domain has at most ${MOST_CELLS} cells`);
  const weights = new Float64Array(cells).fill(FULL);
  const measurements: Measurement[] = [];
  let total = cells * FULL;

  function follow({ query: { marginal, from, to }, value }: Measurement): void {
    const place = places[marginal]!;
    const isAsked = (cell: number): boolean => place[cell]! >= from && place[cell]! < to;
    let inside = 0;
    for (let cell = 0; cell < cells; cell += 1) if (isAsked(cell)) inside += weights[cell]!;
    // η = (m·S − n·W)/(2·n·S): above 0 all other cells become lighter, below 0 the cells of the query.
    const [n, sum] = [BigInt(rows), BigInt(total)];
    const step = BigInt(value) * sum - n * BigInt(inside);
    const factor = factorOf(step < 0n ? -step : step, 2n * n * sum);
    if (factor === FACTOR_ONE) return;
    const lighter = step < 0n;
    let most = 0;
    total = 0;
    for (let cell = 0; cell < cells; cell += 1) {
      if (isAsked(cell) === lighter) weights[cell] = times(weights[cell]!, factor);
      most = Math.max(most, weights[cell]!);
      total += weights[cell]!;
    }
    let growth = 1;
    while (most * growth * 2 <= FULL) growth *= 2;
    if (growth > 1) for (let cell = 0; cell < cells; cell += 1) weights[cell]! *= growth;
    total *= growth;
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

/** A weight times a factor, to the nearest whole number from 1 on; halves go up. */
const times = (weight: number, factor: number): number =>
  Math.max(1, Math.floor((weight * factor + FACTOR_ONE / 2) / FACTOR_ONE));

/** ⌊2^22·e^(−h)⌋, at least 1; h is numerator/denominator rounded down to a whole number of 2^-32. */
export function factorOf(numerator: bigint, denominator: bigint): number {
  const step = (numerator << STEP_BITS) / denominator;
  if (step === 0n) return FACTOR_ONE;
  if (step >= LONGEST_STEP) return 1;
  for (let bits = 40; ; bits *= 2) {
    const { lower, upper } = expBounds(rational(-step, 1n << STEP_BITS), bits);
    const floor = ({ numerator: over, denominator: under }: typeof lower): bigint =>
      (over << BigInt(FACTOR_BITS)) / under;
    if (floor(lower) === floor(upper)) return Math.max(1, Number(floor(lower)));
  }
}
