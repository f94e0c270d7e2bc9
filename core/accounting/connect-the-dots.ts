import { productDown, productUp } from '../rational/fixed-point.ts';
import { multiply, type Rational, rational } from '../rational/rational.ts';
import type { LossDistribution } from './loss-distribution.ts';
import { CERTAIN, decay, FACTOR_BITS, PROBABILITY_BITS } from './probability-units.ts';

/** Proof: connect-the-dots.proof.md. */

/** Each value of a curve is at most this much above the true one: 2^−160, in units of probability. */
export const CURVE_ERROR = 1n << (PROBABILITY_BITS - 160n);

const ONE_FACTOR = 1n << FACTOR_BITS;

const positive = (x: bigint) => (x > 0n ? x : 0n);

/**
 * The smallest loss on the grid whose δ is at least a given curve (Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022).
 * `curve` holds δ at ε = 0, Δ, …, NΔ, with N ≥ 1, rounded up by at most CURVE_ERROR; from NΔ on δ is constant, and the
 * curve belongs to a relation of neighbours that is symmetric, so that δ(−ε) = 1 − e^(−ε)·(1 − δ(ε)). Between the points
 * the loss has the chord of the curve in e^ε.
 */
export function lossOfCurve(curve: readonly bigint[], step: Rational): LossDistribution {
  const last = curve.length - 1;
  const ratio = decay(step);
  const spread = ONE_FACTOR - ratio.upper;
  // Falls of δ from one point to the next; `fallUp(−1)` is the one to ε = 0.
  const fallUp = (j: number) =>
    j < 0
      ? CERTAIN - productDown(CERTAIN - curve[1]!, ratio.lower, FACTOR_BITS) - curve[0]! + CURVE_ERROR
      : curve[j]! - curve[j + 1]! + CURVE_ERROR;
  const fallDown = (j: number) => (j === last ? 0n : positive(curve[j]! - curve[j + 1]! - CURVE_ERROR));
  const masses = Array.from({ length: 2 * last + 1 }, () => 0n);
  for (let j = 0; j <= last; j += 1) {
    const kink = positive(fallUp(j - 1) - productDown(fallDown(j), ratio.lower, FACTOR_BITS));
    const mass = ((kink << FACTOR_BITS) + spread - 1n) / spread;
    const factor = decay(multiply(step, rational(BigInt(j)))).upper;
    masses[last + j] = mass;
    masses[last - j] = productUp(mass, factor, FACTOR_BITS);
  }
  return { step, first: -last, masses, infinite: curve[last]! };
}
