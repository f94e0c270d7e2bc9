import type { EpsilonSplit, PrivacyParameters } from '../../contracts/certificate.ts';
import { divide, floorOf, multiply, type Rational, rational, subtract } from '../../core/rational/rational.ts';
import { smallestBetween } from '../../core/search/smallest-integer.ts';
import { MECHANISMS } from '../mechanisms/mechanisms.ts';
import { impossible, readDelta, readEpsilon } from './amounts.ts';
import { l1Change, patternsOfUnit, type UnitRule } from './l1-change.ts';
import { formatSplit } from './split.ts';
import { smallestThreshold } from './threshold.ts';

/** Shares are multiples of the first of these that leaves something to both margins. */
const STEPS = [rational(1n, 10n), rational(1n, 100n), rational(1n, 1000n)];

/** Part of the slack that times get: locations are more, so that each has fewer taps and needs a sharper row. */
const TIME_PART = rational(3n, 8n);

/**
 * The split of ε that costs the cells no threshold: the smallest ε_cells, in tenths if possible, that has the T of
 * the whole ε, and the slack for the margins, three eighths of it (rounded down to the step) for times. Example: ε = 8,
 * δ = 1e-6, one trip replaced, on and off: 36/5 for cells, 3/10 for times, 1/2 for locations, T = 9 as without margins.
 *
 * Throws CERTIFICATE_IMPOSSIBLE when the mechanism has not the smallest threshold that keeps δ, or when T leaves no slack
 * of two thousandths.
 */
export function smallestSplit(
  request: UnitRule & Pick<PrivacyParameters, 'mechanism' | 'epsilon' | 'delta'>,
): EpsilonSplit {
  if (MECHANISMS[request.mechanism].threshold !== 'smallest')
    throw impossible('Only the threshold of the stability-histogram leaves slack to split.');
  const whole = readEpsilon(request.epsilon);
  const delta = readDelta(request.delta);
  const patterns = patternsOfUnit(request);
  const d1 = rational(BigInt(l1Change(request)));
  const thresholdOf = (cells: Rational) => smallestThreshold(patterns, divide(cells, d1), delta);
  const threshold = thresholdOf(whole);
  for (const step of STEPS) {
    const largest = Number(floorOf(divide(whole, step)));
    const shareOf = (steps: number): Rational => multiply(step, rational(BigInt(steps)));
    const keeps = (steps: number): boolean => thresholdOf(shareOf(steps)) === threshold;
    if (largest === 0 || !keeps(largest)) continue;
    const cells = shareOf(smallestBetween(0, largest, keeps));
    const slack = subtract(whole, cells);
    const time = multiply(step, rational(floorOf(divide(multiply(slack, TIME_PART), step))));
    if (time.numerator === 0n) continue;
    return formatSplit({ cells, time, location: subtract(slack, time) });
  }
  throw impossible(
    `The threshold ${threshold} needs nearly all of ε: no share of a thousandth is left for margins. Raise ε, or split by hand.`,
  );
}
