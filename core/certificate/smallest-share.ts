import type { EpsilonSplit } from '../../contracts/certificate.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { divide, multiply, type Rational, rational, subtract } from '../rational/rational.ts';
import { type CertificateRequest, readDelta, readEpsilon } from './certificate.ts';
import { l1Change, vanishingPatterns } from './l1-change.ts';
import { formatSplit, parseAmount } from './split.ts';
import { smallestThreshold } from './threshold.ts';

/** Shares are multiples of the first of these that leaves something to both margins. */
const STEPS = [rational(1n, 10n), rational(1n, 100n), rational(1n, 1000n)];

/** Part of the slack that times get: locations are more, so that each has fewer taps and needs a sharper row. */
const TIME_PART = rational(3n, 8n);

/** ⌊x⌋ for x ≥ 0. */
function floor({ numerator, denominator }: Rational): bigint {
  return numerator / denominator;
}

/** The smallest n from 1 to `largest` for which `works` holds; it holds for `largest` and all above one that works. */
function smallestInteger(largest: bigint, works: (n: bigint) => boolean): bigint {
  let [below, above] = [0n, largest];
  while (above - below > 1n) {
    const middle = (below + above) / 2n;
    if (works(middle)) above = middle;
    else below = middle;
  }
  return above;
}

/** ε without the share of the checks. */
function epsilonToShare(request: CertificateRequest): Rational {
  const epsilon = readEpsilon(request.epsilon);
  return request.split.checks === undefined
    ? epsilon
    : subtract(epsilon, parseAmount('split.checks', request.split.checks));
}

/**
 * The split of ε that costs the cells no threshold: the smallest ε_cells, in tenths if possible, that has the T of
 * the whole ε, and the slack for the margins, three eighths of it (rounded down to the step) for times. A share of
 * checks is kept; the other shares of the request are ignored. Example: ε = 8, δ = 1e-6, one trip replaced, on and off:
 * 36/5 for cells, 3/10 for times, 1/2 for locations, T = 9 as without margins.
 *
 * Throws CERTIFICATE_IMPOSSIBLE when the mechanism is not stability-histogram or T leaves no slack of two thousandths.
 */
export function smallestSplit(request: CertificateRequest): EpsilonSplit {
  if (request.mechanism !== 'stability-histogram') {
    throw new OpalineError(
      'CERTIFICATE_IMPOSSIBLE',
      'Only the threshold of the stability-histogram leaves slack to split.',
    );
  }
  const whole = epsilonToShare(request);
  if (whole.numerator <= 0n) throw new OpalineError('CERTIFICATE_IMPOSSIBLE', 'The checks leave nothing to split.');
  const delta = readDelta(request.delta);
  const patterns = vanishingPatterns(request);
  const d1 = rational(BigInt(l1Change(request)));
  const thresholdOf = (cells: Rational) => smallestThreshold(patterns, divide(cells, d1), delta);
  const threshold = thresholdOf(whole);
  for (const step of STEPS) {
    const largest = floor(divide(whole, step));
    if (largest === 0n || thresholdOf(multiply(step, rational(largest))) !== threshold) continue;
    const steps = smallestInteger(largest, (n) => thresholdOf(multiply(step, rational(n))) === threshold);
    const cells = multiply(step, rational(steps));
    const slack = subtract(whole, cells);
    const time = multiply(step, rational(floor(divide(multiply(slack, TIME_PART), step))));
    if (time.numerator === 0n) continue;
    const checks = request.split.checks;
    return formatSplit({
      cells,
      time,
      location: subtract(slack, time),
      ...(checks !== undefined && { checks: parseAmount('split.checks', checks) }),
    });
  }
  throw new OpalineError(
    'CERTIFICATE_IMPOSSIBLE',
    `The threshold ${threshold} needs nearly all of ε: no share of a thousandth is left for margins. Raise ε, or split by hand.`,
  );
}
