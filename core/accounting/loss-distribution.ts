import { productDown, productUp, unitsDown, unitsUp } from '../rational/fixed-point.ts';
import { compare, type Rational } from '../rational/rational.ts';
import { convolution } from './convolution.ts';
import { CERTAIN, PROBABILITY_BITS } from './probability-units.ts';

/**
 * A bound on the law of the privacy loss ln(P(o)/Q(o)) when o is drawn from P: the probability of each loss on a grid,
 * never too small. All δ that are computed from it are then upper bounds, after any composition
 * (loss-distribution.proof.md). Losses are in nats, probabilities in units of 2^−192.
 */
export type LossDistribution = {
  /** Distance of neighbouring losses, above 0. */
  readonly step: Rational;
  /** masses[i] is the probability of the loss (first + i)·step. */
  readonly first: number;
  readonly masses: readonly bigint[];
  /** Probability of outcomes that Q never gives. */
  readonly infinite: bigint;
};

/** 1 − (1 − p)(1 − q), rounded up. */
const either = (p: bigint, q: bigint): bigint => p + q - productDown(p, q, PROBABILITY_BITS);

/** The loss of two independent releases together. Throws RangeError when their steps differ. */
export function compose(a: LossDistribution, b: LossDistribution): LossDistribution {
  if (compare(a.step, b.step) !== 0) throw new RangeError('only losses on one grid can be added');
  return {
    step: a.step,
    first: a.first + b.first,
    masses: convolution(a.masses, b.masses).map((sum) => -(-sum >> PROBABILITY_BITS)),
    infinite: either(a.infinite, b.infinite),
  };
}

/** The loss of K ≥ 0 independent releases of one kind. */
export function composeTimes(loss: LossDistribution, releases: number): LossDistribution {
  if (!Number.isSafeInteger(releases) || releases < 0) throw new RangeError('a number of releases is a whole number');
  if (releases === 0) return { step: loss.step, first: 0, masses: [CERTAIN], infinite: 0n };
  if (releases === 1) return loss;
  const half = composeTimes(loss, Math.floor(releases / 2));
  const double = compose(half, half);
  return releases % 2 === 0 ? double : compose(double, loss);
}

/** With probability δ everything is lost, and otherwise what was lost before. */
export function withFailure(loss: LossDistribution, delta: Rational): LossDistribution {
  const failure = unitsUp(delta, PROBABILITY_BITS);
  const rest = CERTAIN - unitsDown(delta, PROBABILITY_BITS);
  return {
    ...loss,
    masses: loss.masses.map((mass) => productUp(mass, rest, PROBABILITY_BITS)),
    infinite: either(loss.infinite, failure),
  };
}
