import { truncate } from '../../core/rational/decimal.ts';
import { isBelowLimit } from '../../core/rational/interval.ts';
import type { Rational } from '../../core/rational/rational.ts';
import { smallestFrom } from '../../core/search/smallest-integer.ts';
import { impossible } from './amounts.ts';
import type { Pattern } from './l1-change.ts';
import { tightDelta } from './tight-delta.ts';

/**
 * The smallest integer T, larger than any count of the patterns, whose upper bound on δ (20 significant digits, rounded
 * up) is at most the δ asked for. `rate` is ε_cells/D1. Throws CERTIFICATE_IMPOSSIBLE when δ is 0 or T leaves the
 * safe integers.
 *
 * @contract C10
 */
export function smallestThreshold(patterns: readonly Pattern[], rate: Rational, delta: Rational): number {
  if (delta.numerator <= 0n)
    throw impossible('The stability histogram needs a δ above 0; with δ = 0 only complete-domain is certified.');
  // A number rounded up to 20 digits is at most δ exactly if the number itself is at most δ cut to 20 digits.
  const limit = truncate(delta);
  const least = Math.max(...patterns.map(({ taps }) => taps)) + 1;
  const threshold = smallestFrom(least, (candidate) =>
    isBelowLimit(limit, (bits) => tightDelta(patterns, candidate, rate, bits)),
  );
  if (threshold === null) throw impossible('No usable threshold exists: ε is far too small for this δ.');
  return threshold;
}
