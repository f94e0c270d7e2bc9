import { productDown, productUp } from '../rational/fixed-point.ts';
import {
  commonMeasure,
  compare,
  divide,
  floorOf,
  multiply,
  type Rational,
  rational,
  subtract,
} from '../rational/rational.ts';
import type { LossDistribution } from './loss-distribution.ts';
import { decay, FACTOR_BITS } from './probability-units.ts';

/**
 * The step of a grid for losses that are multiples of these numbers (all above 0) and add up to at most `largest`: their
 * common measure, on which nothing is rounded, unless `largest` has more than `mostSteps` such steps; then that part.
 */
export function commonStep(losses: readonly Rational[], largest: Rational, mostSteps: number): Rational {
  const coarse = divide(largest, rational(BigInt(mostSteps)));
  const exact = losses.reduce(commonMeasure);
  return compare(exact, coarse) >= 0 ? exact : coarse;
}

const ONE_FACTOR = 1n << FACTOR_BITS;

/** e^(−x) between two bounds, in units of factors. */
type Decay = ReturnType<typeof decay>;

/**
 * Shares a probability between the grid points below and above its loss, so that P and Q keep their totals: above goes
 * (1 − e^(−rest))/(1 − e^(−step)), rest being how far it is above the lower one. Both are rounded up.
 */
function share(mass: bigint, toLoss: Decay, toNext: Decay): { below: bigint; above: bigint } {
  const partUp = ONE_FACTOR - toLoss.lower;
  const partDown = ONE_FACTOR - toLoss.upper;
  const wholeUp = ONE_FACTOR - toNext.lower;
  const wholeDown = ONE_FACTOR - toNext.upper;
  return {
    below: mass - (mass * partDown) / wholeUp,
    above: (mass * partUp + wholeDown - 1n) / wholeDown,
  };
}

/**
 * The same loss on another grid. Losses on the grid stay as they are; each other one is spread over its two neighbours
 * with the same mean of Q/P, which can only raise δ. Throws RangeError for a step that is not above 0. Cost: a product
 * for each loss, and an exponential for each step of the new grid between the least and the largest.
 */
export function regrid(loss: LossDistribution, step: Rational): LossDistribution {
  if (step.numerator <= 0n) throw new RangeError('the step of a grid is above 0');
  if (compare(loss.step, step) === 0) return loss;
  const ratio = divide(loss.step, step);
  const place = (i: number) => multiply(ratio, rational(BigInt(loss.first + i)));
  const first = Number(floorOf(place(0)));
  const last = Number(floorOf(place(loss.masses.length - 1))) + 1;
  const masses = Array.from({ length: last - first + 1 }, () => 0n);
  const [toNext, each] = [decay(step), decay(loss.step)];
  let [lower, toLoss]: [bigint | null, Decay] = [null, toNext];
  for (const [i, mass] of loss.masses.entries()) {
    const at = place(i);
    const below = floorOf(at);
    const rest = subtract(at, rational(below));
    // Between two points of the grid each loss is one step of the old grid above the last.
    if (below !== lower) toLoss = decay(multiply(rest, step));
    else
      toLoss = {
        lower: productDown(toLoss.lower, each.lower, FACTOR_BITS),
        upper: productUp(toLoss.upper, each.upper, FACTOR_BITS),
      };
    lower = below;
    const parts = rest.numerator === 0n ? { below: mass, above: 0n } : share(mass, toLoss, toNext);
    masses[Number(below) - first]! += parts.below;
    masses[Number(below) + 1 - first]! += parts.above;
  }
  // The slot above the largest loss is empty when that loss is on the grid.
  if (masses.at(-1) === 0n) masses.pop();
  return { step, first, masses, infinite: loss.infinite };
}
