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

/** Is that δ above n/d? */
export const isAbove = (delta: bigint, [n, d]: [bigint, bigint]): boolean => delta * d > n << PLACES;
