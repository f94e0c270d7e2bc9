import { formatRational, multiply, parseRational, type Rational, rational } from '../rational/rational.ts';

/** Exact privacy amounts: ε in nats, δ as a probability. */
export type Amount = { epsilon: Rational; delta: Rational };
/** The same as text in lowest terms: `36/5`. */
export type AmountText = { epsilon: string; delta: string };

/** Reads exact amounts. Throws RangeError for text that is no number. */
export const amountOf = ({ epsilon, delta }: AmountText): Amount => ({
  epsilon: parseRational(epsilon),
  delta: parseRational(delta),
});

export const formatAmount = ({ epsilon, delta }: Amount): AmountText => ({
  epsilon: formatRational(epsilon),
  delta: formatRational(delta),
});

/**
 * Releases that are each (ε, δ): K of them are (K·ε, K·δ). Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
 * This is the sum that caps use (C12); a sum of δ above 1 is left as it is.
 */
export function basicComposition({ epsilon, delta }: Amount, releases: number): Amount {
  const times = rational(BigInt(releases));
  return { epsilon: multiply(times, epsilon), delta: multiply(times, delta) };
}
