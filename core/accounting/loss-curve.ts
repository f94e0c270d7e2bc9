import { productDown } from '../rational/fixed-point.ts';
import { type Interval, logBounds } from '../rational/interval.ts';
import { add, compare, multiply, type Rational, rational, subtract, ZERO } from '../rational/rational.ts';
import type { LossDistribution } from './loss-distribution.ts';
import { decay, FACTOR_BITS, PROBABILITY_BITS } from './probability-units.ts';

/** Proofs: loss-distribution.proof.md. */

const LOG_BITS = 192;
/** Units of δ: probabilities times factors. */
const DELTA_UNIT = 1n << (PROBABILITY_BITS + FACTOR_BITS);

/** The loss of masses[i]. */
const lossAt = ({ step, first }: LossDistribution, i: number): Rational => multiply(step, rational(BigInt(first + i)));

/**
 * δ at ε: infinite + Σ over losses l > ε of p(l)·(1 − e^(ε−l)), rounded up. For any ε; exactly 0 for ε from the largest
 * loss on if nothing is lost entirely.
 */
export function deltaAt(loss: LossDistribution, epsilon: Rational): Rational {
  const { step, masses } = loss;
  const ratio = decay(step).lower;
  // From the top down: `total` of the probabilities, and `weight` = Σ p(l)·e^(l_i − l), rounded down.
  let [total, weight, i] = [loss.infinite, 0n, masses.length - 1];
  for (; i >= 0 && compare(lossAt(loss, i), epsilon) > 0; i -= 1) {
    total += masses[i]!;
    weight = (masses[i]! << FACTOR_BITS) + productDown(weight, ratio, FACTOR_BITS);
  }
  if (i === masses.length - 1) return rational(total, 1n << PROBABILITY_BITS);
  const discount = productDown(weight, decay(subtract(lossAt(loss, i + 1), epsilon)).lower, FACTOR_BITS);
  return rational((total << FACTOR_BITS) - discount, DELTA_UNIT);
}

/** ε between two neighbouring losses at which δ = total − e^(ε − upper)·weighted is the δ asked for, rounded up. */
function epsilonBetween({ lower, upper }: Interval, total: bigint, weight: bigint, delta: Rational): Rational {
  const rest = subtract(rational(total, 1n << PROBABILITY_BITS), delta);
  const epsilon = add(upper, logBounds(multiply(rest, rational(DELTA_UNIT, weight)), LOG_BITS).upper);
  if (compare(epsilon, upper) > 0) return upper;
  return compare(epsilon, lower) < 0 ? lower : epsilon;
}

/**
 * The smallest ε ≥ 0 whose δ is at most the one asked for, rounded up: solved in closed form between two neighbouring
 * losses. Null when no ε will do, because more than δ is lost entirely.
 */
export function epsilonAt(loss: LossDistribution, delta: Rational): Rational | null {
  const { step, masses } = loss;
  if (compare(rational(loss.infinite, 1n << PROBABILITY_BITS), delta) > 0) return null;
  if (compare(deltaAt(loss, ZERO), delta) <= 0) return ZERO;
  const ratio = decay(step).lower;
  let [total, weight] = [loss.infinite, 0n];
  for (let i = masses.length - 1; ; i -= 1) {
    total += masses[i]!;
    weight = (masses[i]! << FACTOR_BITS) + productDown(weight, ratio, FACTOR_BITS);
    const upper = lossAt(loss, i);
    const lower = subtract(upper, step);
    // δ at the loss below, rounded up; at 0 or less it is above the δ asked for, as was found before.
    const below = rational((total << FACTOR_BITS) - productDown(weight, ratio, FACTOR_BITS), DELTA_UNIT);
    if (compare(below, delta) <= 0 && lower.numerator > 0n) continue;
    const epsilon = epsilonBetween({ lower, upper }, total, weight, delta);
    return epsilon.numerator < 0n ? ZERO : epsilon;
  }
}
