import type { Rational } from '../rational/rational.ts';
import type { Amount } from './basic-composition.ts';
import { shiftLoss } from './discrete-laplace-loss.ts';
import { epsilonAt } from './loss-curve.ts';
import { composeTimes, type LossDistribution, withFailure } from './loss-distribution.ts';

/**
 * Optimal homogeneous composition (Kairouz, Oh, Viswanath 2015, Theorem 3.3): what K releases guarantee when nothing is
 * known of each but (ε, δ). Proof: optimal-composition.proof.md.
 */

/** The loss of the worst K releases of all that are (ε, δ): randomised response that fails with probability δ. */
export const worstLoss = ({ epsilon, delta }: Amount, releases: number): LossDistribution =>
  composeTimes(withFailure(shiftLoss(epsilon, 1), delta), releases);

/**
 * The smallest ε ≥ 0 that holds for K releases of (ε, δ) at this total δ, a real number, rounded up. Null when the
 * total δ is below 1 − (1 − δ)^K, which no ε can reach.
 */
export const optimalEpsilon = (guarantee: Amount, releases: number, totalDelta: Rational): Rational | null =>
  epsilonAt(worstLoss(guarantee, releases), totalDelta);
