import { describe, expect, test } from 'vitest';
import type { Neighbours } from '../../contracts/certificate.ts';
import { expBounds } from '../../core/rational/interval.ts';
import {
  add,
  compare,
  divide,
  multiply,
  ONE,
  parseRational,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../../core/rational/rational.ts';
import { hockeyStick, noisyCount } from '../../test/oracles/hockey-stick.ts';
import vectors from '../../test/vectors/threshold.json' with { type: 'json' };
import { l1Change, type Pattern, patternsOfUnit, tapsOfUnit, type UnitRule } from './l1-change.ts';
import { publicationProbability } from './tight-delta.ts';

/** Claims of other systems, true and false ones: a certificate would have to accept exactly the true ones. */
type Case = {
  id: string;
  in: {
    variant: string;
    eps: string;
    claim: { unit: string; neighbours: Neighbours; eps: string; k?: number };
    mechanism: { noise: string; b: string; rule: string; T?: number; t?: string };
  };
  out: { delta_claimed: string; delta_true: string; claim_holds: boolean };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'claim') as unknown as Case[];
const BITS = 160;
const HALF = rational(1n, 2n);

function ruleOf({ unit, neighbours, k }: Case['in']['claim']): UnitRule {
  if (unit === 'card-day') return { unit, neighbours, maxTaps: k!, publish: 'on+off' };
  return { unit: 'trip', neighbours, publish: unit === 'trip-on-and-off' ? 'on+off' : 'on' };
}

/** From which real value of c + L on a count is released. */
function releasedFrom({ rule, T, t }: Case['in']['mechanism']): Rational {
  const bound = T === undefined ? parseRational(t!) : rational(BigInt(T));
  // Rounded first, compared afterwards: the integer ⌈bound⌉ is reached from half a tap below it.
  if (rule.startsWith('round(')) {
    const ceiling = (bound.numerator + bound.denominator - 1n) / bound.denominator;
    return subtract(rational(ceiling), HALF);
  }
  // The vectors state t already without the 1 for this variant.
  return bound;
}

/** Probability that a lone cell of c taps is released. */
function released(mechanism: Case['in']['mechanism'], count: number): Rational {
  const rate = divide(ONE, parseRational(mechanism.b));
  if (mechanism.noise === 'discrete-laplace') {
    const threshold = mechanism.rule === '>' ? mechanism.T! + 1 : mechanism.T!;
    return publicationProbability(count, threshold, rate, BITS).upper;
  }
  const distance = subtract(releasedFrom(mechanism), rational(BigInt(count)));
  return multiply(HALF, expBounds(multiply(multiply(distance, rate), rational(-1n)), BITS).upper);
}

/** δ of cells that all vanish: 1 − Π(1 − p). */
function vanishing(mechanism: Case['in']['mechanism'], { cells, taps }: Pattern): Rational {
  const p = released(mechanism, taps);
  return Array.from({ length: cells }).reduce<Rational>((q) => subtract(add(q, p), multiply(q, p)), rational(0n));
}

/** The true δ: of vanishing cells, or of counts far above the threshold when the noise is too small. */
function trueDelta({ claim, mechanism }: Case['in']): Rational {
  const rule = ruleOf(claim);
  const rate = divide(ONE, parseRational(mechanism.b));
  const moved = Array.from({ length: tapsOfUnit(rule) }, () => noisyCount(1, 0, rate, BITS));
  const arrived = claim.neighbours === 'replace-one' ? moved.map(() => noisyCount(0, 1, rate, BITS)) : [];
  const far = hockeyStick([...moved, ...arrived], parseRational(claim.eps), BITS).lower;
  return [far, ...patternsOfUnit(rule).map((pattern) => vanishing(mechanism, pattern))].reduce((a, b) =>
    compare(a, b) >= 0 ? a : b,
  );
}

describe('claims of other systems, vectors', () => {
  test('there are 169', () => expect(cases).toHaveLength(169));

  test.each(cases)('$id $in.variant', ({ in: input, out }) => {
    const delta = trueDelta(input);
    expect(Math.abs(toNumber(delta) / Number(out.delta_true) - 1)).toBeLessThan(1e-15);
    // The vectors print 20 digits, and some claims are exactly tight.
    const claimed = multiply(parseRational(out.delta_claimed), parseRational('1.000000000000001'));
    expect(compare(delta, claimed) <= 0).toBe(out.claim_holds);
  });

  test('broken twin: a check of lone cells alone accepts noise that is too small', () => {
    const tooSmall = cases.filter(({ in: { claim, mechanism } }) => {
      const loss = divide(rational(BigInt(l1Change(ruleOf(claim)))), parseRational(mechanism.b));
      return compare(loss, parseRational(claim.eps)) > 0;
    });
    expect(tooSmall.length).toBeGreaterThan(10);
    expect(tooSmall.every(({ out }) => !out.claim_holds)).toBe(true);
    const accepted = tooSmall.filter(({ in: { claim, mechanism }, out }) =>
      patternsOfUnit({ ...ruleOf(claim), publish: 'on' }).every(
        (pattern) => compare(vanishing(mechanism, pattern), parseRational(out.delta_claimed)) <= 0,
      ),
    );
    expect(accepted).toHaveLength(tooSmall.length);
  });
});
