import fc from 'fast-check';
import { expect, test } from 'vitest';
import vectors from '../../test/vectors/consistency.json' with { type: 'json' };
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
  ZERO,
} from '../rational/rational.ts';
import { exactRemainders, fitRemainders, type Residual, roundedTogether } from './weighted-fit.ts';

const sumOf = (values: readonly Rational[]): Rational => values.reduce(add, ZERO);

/** Σ (fitted − residual)²/variance. */
function objective(side: readonly Residual[], fitted: readonly Rational[]): Rational {
  return sumOf(
    side.map(({ residual, variance }, place) => {
      const error = subtract(fitted[place]!, rational(residual));
      return divide(multiply(error, error), variance);
    }),
  );
}

const side = fc.array(
  fc.record({
    residual: fc.bigInt({ min: -40n, max: 40n }),
    variance: fc
      .tuple(fc.bigInt({ min: 1n, max: 60n }), fc.constantFrom(1n, 2n, 7n, 49n))
      .map(([p, q]) => rational(p, q)),
  }),
  { minLength: 1, maxLength: 7 },
);

test('C9: both sides are at least 0 and have one sum, exactly and rounded, whatever the residuals', () => {
  fc.assert(
    fc.property(side, side, (first, second) => {
      const exact = exactRemainders(first, second);
      expect([...exact.first, ...exact.second].every(({ numerator }) => numerator >= 0n)).toBe(true);
      expect(compare(sumOf(exact.first), sumOf(exact.second))).toBe(0);
      const rounded = fitRemainders(first, second);
      const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
      expect(total(rounded.first)).toBe(total(rounded.second));
      for (const [place, count] of [...rounded.first, ...rounded.second].entries()) {
        const value = [...exact.first, ...exact.second][place]!;
        const whole = value.numerator / value.denominator;
        expect(BigInt(count) === whole || BigInt(count) === whole + 1n).toBe(true);
      }
    }),
    { numRuns: 1000, seed: 1 },
  );
});

test('C9: no feasible step makes the fit better, and a twin that only cuts at 0 and evens out the sums is caught', () => {
  let twinsWorse = 0;
  fc.assert(
    fc.property(side, side, fc.nat(), fc.nat(), fc.constantFrom('1', '1/10', '1/1000'), (first, second, i, j, size) => {
      const exact = exactRemainders(first, second);
      const [a, b] = [i % first.length, j % second.length];
      const best = add(objective(first, exact.first), objective(second, exact.second));
      const step = parseRational(size);
      // One remainder on either side up, or down, by the same amount: the sums stay equal.
      for (const change of [step, multiply(step, rational(-1n))]) {
        const moved = [
          exact.first.map((value, place) => (place === a ? add(value, change) : value)),
          exact.second.map((value, place) => (place === b ? add(value, change) : value)),
        ] as const;
        if ([...moved[0], ...moved[1]].some(({ numerator }) => numerator < 0n)) continue;
        expect(compare(add(objective(first, moved[0]), objective(second, moved[1])), best)).toBeGreaterThanOrEqual(0);
      }
      const cut = (of: readonly Residual[]) => of.map(({ residual }) => rational(residual > 0n ? residual : 0n));
      const [twinFirst, twinSecond] = [cut(first), cut(second)];
      const gap = subtract(sumOf(twinFirst), sumOf(twinSecond));
      const lift = (values: Rational[], by: Rational) => [add(values[0]!, by), ...values.slice(1)];
      const twin =
        gap.numerator >= 0n
          ? add(objective(first, twinFirst), objective(second, lift(twinSecond, gap)))
          : add(objective(first, lift(twinFirst, multiply(gap, rational(-1n)))), objective(second, twinSecond));
      expect(compare(twin, best)).toBeGreaterThanOrEqual(0);
      if (compare(twin, best) > 0) twinsWorse++;
    }),
    { numRuns: 500, seed: 2 },
  );
  expect(twinsWorse).toBeGreaterThan(250);
});

test('C9: all remainders are 0 where the margins leave less than nothing', () => {
  const below = [{ residual: -3n, variance: rational(2n) }];
  expect(fitRemainders(below, below)).toEqual({ first: [0], second: [0] });
});

test('C9: a side without a margin has no rows, and the other is cut at 0', () => {
  const margin = [4n, -2n, 0n].map((residual) => ({ residual, variance: rational(1n, 3n) }));
  expect(fitRemainders(margin, [])).toEqual({ first: [4, 0, 0], second: [] });
  expect(fitRemainders([], margin)).toEqual({ first: [], second: [4, 0, 0] });
});

for (const vector of vectors.cases)
  if (vector.kind === 'largest-remainder') {
    const { values } = vector.in as unknown as { values: string[] };
    const { rounded } = vector.out as unknown as { rounded: number[] };
    if (values.every((value) => !value.startsWith('-')))
      test(`C9: ${vector.id}, rounding to integers with the same sum`, () => {
        expect(roundedTogether(values.map(parseRational))).toEqual(rounded);
      });
  }
