import { lossOfCurve } from '../../core/accounting/connect-the-dots.ts';
import { domainLoss, type TapsOfUnit } from '../../core/accounting/discrete-laplace-loss.ts';
import { type LossDistribution, withFailure } from '../../core/accounting/loss-distribution.ts';
import { CERTAIN, decay, FACTOR_BITS, PROBABILITY_BITS } from '../../core/accounting/probability-units.ts';
import { productDown, unitsUp } from '../../core/rational/fixed-point.ts';
import { multiply, type Rational, rational } from '../../core/rational/rational.ts';
import type { Pattern } from '../certificate/l1-change.ts';
import { tightDelta } from '../certificate/tight-delta.ts';

/** Proofs: stability-histogram-loss.proof.md. */

export type StabilityHistogram = {
  /** 1/b = ε_cells/D1. */
  rate: Rational;
  threshold: number;
  /** Taps of the unit that is taken away, and of the one that is added instead: none for add-remove. */
  removed: TapsOfUnit;
  added: TapsOfUnit;
};

const BITS = 256;
/** Up to this many taps, all patterns are tried; with more, one bound holds for all of them. */
const MOST_TAPS_TRIED = 16;

/** Cells that hold the taps of one unit and nothing else: the worst ways to have this number of taps in them. */
function lonePatterns(taps: number, mayMeet: boolean): Pattern[] {
  const spread = { cells: taps, taps: 1 };
  return mayMeet && taps > 1 ? [spread, { cells: 1, taps }] : [spread];
}

/** The largest probability that a lone cell is published, for this number of lone taps. */
function loneDelta({ rate, threshold, removed }: StabilityHistogram, taps: number): Rational {
  if (taps === 0) return rational(0n);
  return tightDelta(lonePatterns(taps, removed.mayMeet), threshold, rate, BITS).upper;
}

/** e^(−mΔ) for any whole m with |m| ≤ most, rounded down, in units of factors. */
function powers(rate: Rational, most: number): (m: number) => bigint {
  const table = Array.from({ length: most + 1 }, (_, m) => decay(multiply(rate, rational(BigInt(m)))));
  return (m) => (m >= 0 ? table[m]!.lower : (1n << (2n * FACTOR_BITS)) / table[-m]!.upper);
}

/**
 * δ at ε = jΔ when the removed unit has lone cells that are all hidden with probability 1 − deltaRemoved, the added one
 * likewise, and the other taps have the loss `others`:
 * deltaRemoved + Σ max(0, (1−deltaRemoved)·P − e^ε·(1−deltaAdded)·Q).
 */
const patternDelta = (
  others: LossDistribution,
  deltaRemoved: bigint,
  deltaAdded: bigint,
  j: number,
  power: (m: number) => bigint,
): bigint =>
  others.masses.reduce((sum, mass, i) => {
    const ratio = productDown(CERTAIN - deltaAdded, power(others.first + i - j), FACTOR_BITS);
    const excess = CERTAIN - deltaRemoved - ratio;
    return excess > 0n ? sum - ((-mass * excess) >> PROBABILITY_BITS) : sum;
  }, deltaRemoved);

/** The maximum over all patterns, in both directions, of the curve of δ at ε = 0, Δ, …, D1·Δ. */
function worstCurve(histogram: StabilityHistogram): bigint[] {
  const { rate, removed, added } = histogram;
  const d1 = removed.taps + added.taps;
  const power = powers(rate, 2 * d1);
  const deltas = Array.from({ length: Math.max(removed.taps, added.taps) + 1 }, (_, taps) =>
    unitsUp(loneDelta(histogram, taps), PROBABILITY_BITS),
  );
  const curve = Array.from({ length: d1 + 1 }, () => 0n);
  for (let a = 0; a <= removed.taps; a += 1) {
    for (let b = 0; b <= added.taps; b += 1) {
      const others = domainLoss(rate, { ...removed, taps: removed.taps - a }, { ...added, taps: added.taps - b });
      const [first, second] = [deltas[a]!, deltas[b]!];
      for (let j = 0; j <= d1; j += 1) {
        const forward = patternDelta(others, first, second, j, power);
        const back = patternDelta(others, second, first, j, power);
        for (const delta of [forward, back]) if (delta > curve[j]!) curve[j] = delta;
      }
    }
  }
  return curve;
}

/**
 * A loss that bounds the one of a stability histogram, whichever unit changes and whatever else is in the data: the
 * pointwise maximum of the curves of all patterns, between its points the chord (C14). For cards with more than 16 taps
 * it is the loss of noise alone, and everything with probability δ, which is above the maximum by at most δ.
 *
 * @contract C14
 */
export function stabilityHistogramLoss(histogram: StabilityHistogram): LossDistribution {
  const { rate, removed, added } = histogram;
  const taps = Math.max(removed.taps, added.taps);
  if (taps > MOST_TAPS_TRIED) return withFailure(domainLoss(rate, removed, added), loneDelta(histogram, taps));
  return lossOfCurve(worstCurve(histogram), rate);
}
