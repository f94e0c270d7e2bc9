import { multiply, type Rational, rational } from '../rational/rational.ts';
import type { Guarantee } from './basic-composition.ts';
import { shiftLoss } from './discrete-laplace-loss.ts';
import { deltaAt, epsilonAt } from './loss-curve.ts';
import { composedTimes, type LossDistribution, withFailure } from './loss-distribution.ts';

/**
 * Optimal homogeneous composition (Kairouz, Oh, Viswanath 2015, Theorem 3.3): what K releases guarantee when nothing is
 * known of each but (ε, δ). Proof: optimal-composition.proof.md.
 */

/** The loss of K releases that are the worst of all that are (ε, δ): randomised response that fails with probability δ. */
export function worstLoss({ epsilon, delta }: Guarantee, releases: number): LossDistribution {
  return composedTimes(withFailure(shiftLoss(epsilon, 1), delta), releases);
}

/**
 * The smallest ε ≥ 0 that holds for K releases of (ε, δ) at this total δ, a real number, rounded up. Null when the
 * total δ is below 1 − (1 − δ)^K, which no ε can reach.
 */
export function optimalEpsilon(guarantee: Guarantee, releases: number, totalDelta: Rational): Rational | null {
  return epsilonAt(worstLoss(guarantee, releases), totalDelta);
}

/** The smallest total δ of K releases of (ε, δ) at this ε, rounded up. */
export function optimalDelta(guarantee: Guarantee, releases: number, totalEpsilon: Rational): Rational {
  return deltaAt(worstLoss(guarantee, releases), totalEpsilon);
}

/** The grid of the paper: ε_i = (K − 2i)·ε for i from 0 to ⌊K/2⌋, with δ_i rounded up. */
export function optimalGrid(guarantee: Guarantee, releases: number): Guarantee[] {
  const loss = worstLoss(guarantee, releases);
  return Array.from({ length: Math.floor(releases / 2) + 1 }, (_, i) => {
    const epsilon = multiply(rational(BigInt(releases - 2 * i)), guarantee.epsilon);
    return { epsilon, delta: deltaAt(loss, epsilon) };
  });
}
