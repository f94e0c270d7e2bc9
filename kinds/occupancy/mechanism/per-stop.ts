import type { Amount } from '../../../core/accounting/basic-composition.ts';
import { optimalEpsilon } from '../../../core/accounting/optimal-composition.ts';
import { add, compare, divide, multiply, ONE, type Rational, rational, ZERO } from '../../../core/rational/rational.ts';
import { smallestBetween } from '../../../core/search/smallest-integer.ts';

/** Steps that ε/k is divided into, and the largest ε of a stop that is tried, as a multiple of ε/k. */
const STEPS = 64;
const MOST_GAIN = 4;

/**
 * What one status may lose when a run of k departures is to be (ε, δ)-private by composition, a ride being aboard at
 * all k of them: the better of (ε/k, δ/k) and of δ/(2k) with an ε by optimal composition (Kairouz, Oh, Viswanath 2015)
 * that leaves δ in all, found to within 1/64 of ε/k. With δ = 0 only the first is there. Cost: eight optimal
 * compositions.
 */
export function perStopGuarantee(departures: number, { epsilon, delta }: Amount): Amount {
  const count = rational(BigInt(departures));
  const basic = { epsilon: divide(epsilon, count), delta: divide(delta, count) };
  if (compare(delta, ZERO) === 0) return basic;
  const half = divide(basic.delta, rational(2n));
  const at = (step: number): Rational => multiply(basic.epsilon, add(ONE, rational(BigInt(step), BigInt(STEPS))));
  const exceeds = (step: number): boolean => {
    const total = optimalEpsilon({ epsilon: at(step), delta: half }, departures, delta);
    return total === null || compare(total, epsilon) > 0;
  };
  const last = smallestBetween(0, (MOST_GAIN - 1) * STEPS, exceeds) - 1;
  return last === 0 ? basic : { epsilon: at(last), delta: half };
}
