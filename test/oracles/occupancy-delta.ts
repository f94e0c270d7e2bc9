const PLACES = 256n;
const TERMS = 300n;

/** e^(n/d) in units of 2^−256, from below: every term of the series is cut off. */
function growth(n: bigint, d: bigint): bigint {
  let [term, sum] = [1n << PLACES, 0n];
  for (let index = 1n; index <= TERMS; index += 1n) {
    sum += term;
    term = (term * n) / (d * index);
  }
  return sum;
}

/**
 * The largest δ of rows of weights at ε = n/d, in units of 2^−256 of a row's sum and from above, over all sets of
 * categories. Proof: occupancy-delta.proof.md. Cost: O(2^categories · rows · group).
 */
export function occupancyDelta(weights: readonly (readonly bigint[])[], [n, d]: [bigint, bigint], group = 1): bigint {
  const factor = growth(n, d);
  let largest = 0n;
  for (const [row, one] of weights.entries()) {
    for (const [place, other] of weights.entries()) {
      if (place === row || Math.abs(place - row) > group) continue;
      for (let set = 0; set < 2 ** one.length; set += 1) {
        const inSet = (all: readonly bigint[]) =>
          all.reduce((sum, weight, category) => ((set >> category) & 1 ? sum + weight : sum), 0n);
        const delta = (inSet(one) << PLACES) - factor * inSet(other);
        if (delta > largest) largest = delta;
      }
    }
  }
  const whole = weights[0]!.reduce((sum, weight) => sum + weight, 0n);
  return (largest + whole - 1n) / whole;
}

/** A row of weights, and the row that replaces it in the neighbouring data. */
export type RowPair = readonly [one: readonly bigint[], other: readonly bigint[]];

/**
 * The largest δ of statuses that are drawn from these rows, one each, at ε = n/d, in the units of occupancyDelta and from
 * above, over all sets of outcomes. Cost: O(categories^pairs).
 */
export function jointDelta(pairs: readonly RowPair[], [n, d]: [bigint, bigint]): bigint {
  const factor = growth(n, d);
  const outcomes = pairs.reduce<[bigint, bigint][]>(
    (all, [one, other]) =>
      all.flatMap(([p, q]) => one.map((weight, at): [bigint, bigint] => [p * weight, q * other[at]!])),
    [[1n, 1n]],
  );
  const sum = outcomes.reduce((total, [p, q]) => {
    const over = (p << PLACES) - factor * q;
    return over > 0n ? total + over : total;
  }, 0n);
  const whole = outcomes.reduce((total, [p]) => total + p, 0n);
  return (sum + whole - 1n) / whole;
}

/** Is that δ above n/d? */
export const isAbove = (delta: bigint, [n, d]: [bigint, bigint]): boolean => delta * d > n << PLACES;
