import { compare, divide, multiply, type Rational, rational, subtract } from '../rational/rational.ts';
import { decay, FACTOR_BITS } from './fixed-point.ts';
import type { LossDistribution } from './loss-distribution.ts';

/** ⌊x⌋ */
function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** The largest number that goes into both a ≥ 0 and b > 0 a whole number of times. */
function commonMeasure(a: Rational, b: Rational): Rational {
  let [x, y] = [b, a];
  while (y.numerator !== 0n) [x, y] = [y, subtract(x, multiply(rational(floor(divide(x, y))), y))];
  return x;
}

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

/**
 * Shares a probability between the grid points below and above its loss, which is `rest` above the lower one and less
 * than a step, so that P and Q keep their totals: above goes (1 − e^(−rest))/(1 − e^(−step)). Both are rounded up.
 */
function shared(mass: bigint, rest: Rational, step: Rational): { below: bigint; above: bigint } {
  if (rest.numerator === 0n) return { below: mass, above: 0n };
  const [toLoss, toNext] = [decay(rest), decay(step)];
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
 * with the same mean of Q/P, which can only raise δ. Throws RangeError for a step that is not above 0.
 */
export function regridded(loss: LossDistribution, step: Rational): LossDistribution {
  if (step.numerator <= 0n) throw new RangeError('the step of a grid is above 0');
  if (compare(loss.step, step) === 0) return loss;
  const ratio = divide(loss.step, step);
  const place = (i: number) => multiply(ratio, rational(BigInt(loss.first + i)));
  const first = Number(floor(place(0)));
  const last = Number(floor(place(loss.masses.length - 1))) + 1;
  const masses = Array.from({ length: last - first + 1 }, () => 0n);
  for (const [i, mass] of loss.masses.entries()) {
    if (mass === 0n) continue;
    const at = place(i);
    const lower = floor(at);
    const { below, above } = shared(mass, multiply(subtract(at, rational(lower)), step), step);
    masses[Number(lower) - first]! += below;
    masses[Number(lower) + 1 - first]! += above;
  }
  // The slot above the largest loss is empty when that loss is on the grid.
  if (masses.at(-1) === 0n) masses.pop();
  return { step, first, masses, infinite: loss.infinite };
}
