import { multiply, type Rational, rational } from '../rational/rational.ts';

/** What is left of a margin after its published cells, and the nominal variance of that. */
export type Residual = { readonly residual: bigint; readonly variance: Rational };

/** Fitted remainders of both sides: integers of at least 0, with equal sums. */
export type FittedRemainders = { first: number[]; second: number[] };

/**
 * Fits non-negative remainders r and s to the residuals of two margins of the same taps: the minimum of
 * Σ (r_i − a_i)²/V_i + Σ (s_j − d_j)²/W_j subject to r, s ≥ 0 and Σr = Σs, in exact rationals; then rounds both to
 * integers with one total, the sum rounded half up, by largest fractional parts, ties to the earlier place. A side
 * that is empty was not measured: the other is then only cut at 0 (remainder-fit.proof.md).
 *
 * @contract C9
 */
export function fitRemainders(first: readonly Residual[], second: readonly Residual[]): FittedRemainders {
  const { first: exactFirst, second: exactSecond } = exactRemainders(first, second);
  return { first: roundedTogether(exactFirst), second: roundedTogether(exactSecond) };
}

/** The fit before rounding, with the multiplier: r_i = max(0, a_i + μ·V_i), s_j = max(0, d_j − μ·W_j). */
export function exactRemainders(
  first: readonly Residual[],
  second: readonly Residual[],
): { multiplier: Rational; first: Rational[]; second: Rational[] } {
  const multiplier = first.length === 0 || second.length === 0 ? rational(0n) : commonMultiplier(first, second);
  const shifted = (residual: bigint, variance: Rational, sign: bigint): Rational => {
    const { numerator, denominator } = multiply(multiplier, variance);
    const sum = residual * denominator + sign * numerator;
    return sum > 0n ? rational(sum, denominator) : rational(0n);
  };
  return {
    multiplier,
    first: first.map(({ residual, variance }) => shifted(residual, variance, 1n)),
    second: second.map(({ residual, variance }) => shifted(residual, variance, -1n)),
  };
}

/**
 * One term of Σr − Σs as a function of ν: residual + ν·slope, while that is positive (a remainder of the first side)
 * or while it is negative (minus one of the second). It is 0 on the other side of −residual/slope.
 */
type Term = { readonly residual: bigint; readonly slope: bigint; readonly side: 'first' | 'second' };

/**
 * A root μ of Σr − Σs, which never falls in μ and is linear between the points where one of its terms becomes 0. (Where
 * there is more than one root, all remainders are 0 at each.) Variances are brought to a common denominator Q and
 * μ = ν·Q, so that all but the root is integer arithmetic.
 */
function commonMultiplier(first: readonly Residual[], second: readonly Residual[]): Rational {
  const common = [...first, ...second].reduce((q, { variance }) => leastCommonMultiple(q, variance.denominator), 1n);
  const whole = ({ numerator, denominator }: Rational): bigint => numerator * (common / denominator);
  const terms: Term[] = [
    ...first.map(({ residual, variance }): Term => ({ residual, slope: whole(variance), side: 'first' })),
    ...second.map(({ residual, variance }): Term => ({ residual: -residual, slope: whole(variance), side: 'second' })),
  ];
  terms.sort((a, b) => signOf(b.residual * a.slope - a.residual * b.slope));
  // Far below all points only the terms of the second side are there.
  let residual = 0n;
  let slope = 0n;
  for (const term of terms) {
    if (term.side === 'first') continue;
    residual += term.residual;
    slope += term.slope;
  }
  for (const term of terms) {
    const isRootPassed = residual * term.slope - term.residual * slope >= 0n;
    if (isRootPassed) break;
    const sign = term.side === 'first' ? 1n : -1n;
    residual += sign * term.residual;
    slope += sign * term.slope;
  }
  return rational(-residual * common, slope);
}

const signOf = (value: bigint): number => (value > 0n ? 1 : value < 0n ? -1 : 0);

/** Of two positive integers: a/b in lowest terms is p/q, and p·b is a multiple of both. */
const leastCommonMultiple = (a: bigint, b: bigint): bigint => rational(a, b).numerator * b;

/** Integers with the sum of the values rounded half up: whole parts, then one more for the largest fractional parts. */
export function roundedTogether(values: readonly Rational[]): number[] {
  const common = values.reduce((q, { denominator }) => leastCommonMultiple(q, denominator), 1n);
  const parts = values.map(({ numerator, denominator }, place) => {
    const scaled = numerator * (common / denominator);
    return { place, whole: scaled / common, fraction: scaled % common };
  });
  const scaledSum = parts.reduce((sum, { whole, fraction }) => sum + whole * common + fraction, 0n);
  const total = (2n * scaledSum + common) / (2n * common);
  const missing = total - parts.reduce((sum, { whole }) => sum + whole, 0n);
  const rounded = parts.map(({ whole }) => Number(whole));
  parts.sort((a, b) => signOf(b.fraction - a.fraction) || a.place - b.place);
  for (const { place } of parts.slice(0, Number(missing))) rounded[place]! += 1;
  return rounded;
}
