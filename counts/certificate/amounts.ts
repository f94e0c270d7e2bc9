import { OpalineError } from '../../contracts/errors.ts';
import { compare, ONE, parseRational, type Rational, rational } from '../../core/rational/rational.ts';

/** Beyond it a guarantee says nothing, and bounds grow long. */
const MAX_EPSILON = rational(1000n);

export const impossible = (sentence: string): OpalineError => new OpalineError('CERTIFICATE_IMPOSSIBLE', sentence);

/** Reads a public amount. Throws CERTIFICATE_IMPOSSIBLE that names the field. */
export function parseAmount(name: string, text: string): Rational {
  try {
    return parseRational(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw impossible(`${name}: ${error.message}.`);
  }
}

/** ε as a number, 0 < ε ≤ 1000. Throws CERTIFICATE_IMPOSSIBLE. */
export function readEpsilon(text: string): Rational {
  const epsilon = parseAmount('epsilon', text);
  if (epsilon.numerator > 0n && compare(epsilon, MAX_EPSILON) <= 0) return epsilon;
  throw impossible('epsilon must be above 0 and at most 1000.');
}

/** δ as a number, 0 ≤ δ < 1. Throws CERTIFICATE_IMPOSSIBLE. */
export function readDelta(text: string): Rational {
  const delta = parseAmount('delta', text);
  if (delta.numerator >= 0n && compare(delta, ONE) < 0) return delta;
  throw impossible('delta must be at least 0 and below 1.');
}
