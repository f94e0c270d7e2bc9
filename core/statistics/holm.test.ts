import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/clopper-pearson.json' with { type: 'json' };
import {
  compare,
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../rational/rational.ts';
import { exactRational, FAMILYWISE_LEVEL, holm, TEST_LEVEL } from './holm.ts';

type HolmCase = {
  id: string;
  in: { p: string[]; alpha: string };
  out: { adjusted: string[]; reject: boolean[]; bonferroni_reject: boolean[]; any_rejected: boolean };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'holm') as unknown as HolmCase[];

const bonferroni = (pValues: readonly Rational[], level: Rational): boolean[] =>
  pValues.map((pValue) => compare(multiply(pValue, rational(BigInt(pValues.length))), level) <= 0);

describe('Holm', () => {
  test('there are 7 vectors', () => expect(cases).toHaveLength(7));

  test.each(cases)('$id', ({ in: input, out }) => {
    const { adjusted, rejected } = holm(input.p.map(parseRational), parseRational(input.alpha));
    expect(adjusted.map(formatRational)).toEqual(out.adjusted);
    expect(rejected).toEqual(out.reject);
    expect(rejected.includes(true)).toBe(out.any_rejected);
    expect(bonferroni(input.p.map(parseRational), parseRational(input.alpha))).toEqual(out.bonferroni_reject);
  });

  test('broken twins: Bonferroni, and < for ≤, are caught by the vectors', () => {
    const differing = (decide: (pValues: Rational[], level: Rational) => boolean[]) =>
      cases.filter(
        ({ in: input, out }) =>
          decide(input.p.map(parseRational), parseRational(input.alpha)).join() !== out.reject.join(),
      ).length;
    expect(differing(bonferroni)).toBeGreaterThan(0);
    expect(differing((p, level) => holm(p, level).adjusted.map((value) => compare(value, level) < 0))).toBeGreaterThan(
      0,
    );
  });

  test('does not depend on the order of the tests', () => {
    const pValues = fc.array(
      fc.integer({ min: 0, max: 1000 }).map((n) => rational(BigInt(n), 1000n)),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pValues, (list) => {
        const forward = holm(list, FAMILYWISE_LEVEL).adjusted;
        const backward = holm([...list].reverse(), FAMILYWISE_LEVEL).adjusted.reverse();
        expect(forward.map(formatRational)).toEqual(backward.map(formatRational));
      }),
    );
  });

  test('40 tests at TEST_LEVEL make up the familywise level', () => {
    expect(40 * TEST_LEVEL).toBeCloseTo(toNumber(FAMILYWISE_LEVEL), 12);
  });

  test('a floating-point p-value is taken exactly', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (x) => toNumber(exactRational(x)) === x || x < 1e-300),
    );
    expect(() => exactRational(Number.NaN)).toThrow(RangeError);
  });
});
