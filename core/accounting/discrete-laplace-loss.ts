import { productUp } from '../rational/fixed-point.ts';
import type { Rational } from '../rational/rational.ts';
import { compose, composeTimes, type LossDistribution } from './loss-distribution.ts';
import { CERTAIN, decay, FACTOR_BITS, PROBABILITY_BITS } from './probability-units.ts';

/** Proofs: discrete-laplace-loss.proof.md. `rate` is 1/b, so that α = e^(−rate). */

/**
 * The loss of one count with discrete Laplace noise that moves by `shift` ≥ 0 (vectors: `sensitivity`): (s − 2m)·rate
 * with probability 1/(1+α) for m = 0, (1−α)α^m/(1+α) for 0 < m < s, and α^s/(1+α) for m = s. With a shift of 1 and rate
 * ε it is randomised response, whose loss is the largest that an ε-differentially private release can have.
 */
export function shiftLoss(rate: Rational, shift: number): LossDistribution {
  if (!Number.isSafeInteger(shift) || shift < 0) throw new RangeError('a count moves by a whole number');
  if (shift === 0) return { step: rate, first: 0, masses: [CERTAIN], infinite: 0n };
  const alpha = decay(rate);
  const one = 1n << FACTOR_BITS;
  const inverse = ((one << FACTOR_BITS) + one + alpha.lower - 1n) / (one + alpha.lower);
  const inner = productUp(one - alpha.lower, inverse, FACTOR_BITS);
  const masses = Array.from({ length: 2 * shift + 1 }, () => 0n);
  let power = one;
  for (let m = 0; m <= shift; m += 1) {
    const law = m === 0 || m === shift ? inverse : inner;
    masses[2 * (shift - m)] = productUp(power, law, 2n * FACTOR_BITS - PROBABILITY_BITS);
    power = productUp(power, alpha.upper, FACTOR_BITS);
  }
  return { step: rate, first: -shift, masses, infinite: 0n };
}

/** The taps that a unit brings to the counts or takes from them: how many, and whether several may be in one count. */
export type TapsOfUnit = { taps: number; mayMeet: boolean };

/**
 * The worst loss of noisy counts that exist anyway when `taps` of them are taken away or added: all in one count if
 * they may meet, and in counts of their own otherwise.
 */
export const tapsLoss = (rate: Rational, { taps, mayMeet }: TapsOfUnit): LossDistribution =>
  mayMeet ? shiftLoss(rate, taps) : composeTimes(shiftLoss(rate, 1), taps);

/** The worst loss of noisy counts over a whole domain when one unit is taken away and another is added. */
export const domainLoss = (rate: Rational, one: TapsOfUnit, other: TapsOfUnit): LossDistribution =>
  compose(tapsLoss(rate, one), tapsLoss(rate, other));
