import { multiply, type Rational, rational } from '../rational/rational.ts';

/** An (ε, δ) guarantee in exact numbers. */
export type Guarantee = { epsilon: Rational; delta: Rational };

/**
 * Releases that are each (ε, δ): K of them are (K·ε, K·δ). Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
 * This is the sum that caps use (C12); a sum of δ above 1 is left as it is.
 */
export function basicComposition({ epsilon, delta }: Guarantee, releases: number): Guarantee {
  const times = rational(BigInt(releases));
  return { epsilon: multiply(times, epsilon), delta: multiply(times, delta) };
}
