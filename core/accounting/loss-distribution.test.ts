import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hockeyStick, noisyCount } from '../../test/oracles/hockey-stick.ts';
import {
  compare,
  ONE,
  parseRational,
  power,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../rational/rational.ts';
import { convolution } from './convolution.ts';
import { domainLoss, shiftLoss } from './discrete-laplace-loss.ts';
import { regrid } from './grid.ts';
import { deltaAt, epsilonAt } from './loss-curve.ts';
import { compose, composeTimes, type LossDistribution, withFailure } from './loss-distribution.ts';
import { worstLoss } from './optimal-composition.ts';

const BITS = 256;
/** More than any rounding here, and far below any δ. */
const ROUNDING = power(rational(2n), -150);
const percent = (from: number, to: number) => fc.integer({ min: from, max: to }).map((n) => rational(BigInt(n), 100n));
const rates = percent(5, 300);
const epsilons = percent(0, 900);
const deltas = fc.integer({ min: 1, max: 60 }).map((n) => power(rational(2n), -n));

/** `bound` is not below the truth, which is between two ends, and is hardly above it. */
function isTightUpperBound(bound: Rational, truth: { lower: Rational; upper: Rational }): boolean {
  return compare(bound, truth.lower) >= 0 && compare(subtract(bound, truth.upper), ROUNDING) <= 0;
}

describe('the loss of noisy counts against enumeration of the outcomes', () => {
  const shifts = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
  const lossOf = (rate: Rational, list: number[]) => list.map((shift) => shiftLoss(rate, shift)).reduce(compose);

  test('δ at any ε is the hockey stick, rounded up by less than 2^-150', () => {
    fc.assert(
      fc.property(rates, shifts, epsilons, (rate, list, epsilon) => {
        const counts = list.map((shift) => noisyCount(9, 9 + shift, rate, BITS));
        return isTightUpperBound(deltaAt(lossOf(rate, list), epsilon), hockeyStick(counts, epsilon, BITS));
      }),
      { numRuns: 100 },
    );
  });

  test('broken twin: probabilities rounded down are caught', () => {
    const rate = parseRational('7/10');
    const down = (loss: LossDistribution) => ({
      ...loss,
      masses: loss.masses.map((m) => (m === 0n ? m : m - (1n << 30n))),
    });
    const truth = hockeyStick([noisyCount(9, 11, rate, BITS)], rational(1n, 2n), BITS);
    expect(isTightUpperBound(deltaAt(shiftLoss(rate, 2), rational(1n, 2n)), truth)).toBe(true);
    expect(isTightUpperBound(deltaAt(down(shiftLoss(rate, 2)), rational(1n, 2n)), truth)).toBe(false);
  });

  test('at its own losses, a count that moves by s has δ = 1 − α^m', () => {
    const loss = shiftLoss(rational(1n, 4n), 6);
    for (const m of [0, 1, 2, 3]) {
      expect(toNumber(deltaAt(loss, rational(BigInt(6 - 2 * m), 4n)))).toBeCloseTo(-Math.expm1(-m / 4), 14);
    }
  });

  test('one count that moves by s is the worst of all counts that move by s in total', () => {
    fc.assert(
      fc.property(rates, shifts, epsilons, (rate, list, epsilon) => {
        const together = shiftLoss(
          rate,
          list.reduce((sum, shift) => sum + shift, 0),
        );
        const excess = subtract(deltaAt(lossOf(rate, list), epsilon), deltaAt(together, epsilon));
        return compare(excess, ROUNDING) <= 0;
      }),
    );
  });
});

describe('laws', () => {
  const losses = fc
    .tuple(rates, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 4 }), deltas, fc.boolean())
    .map(([rate, removed, added, delta, mayMeet]) =>
      withFailure(domainLoss(rate, { taps: removed, mayMeet }, { taps: added, mayMeet }), delta),
    );
  const releases = fc.integer({ min: 1, max: 12 });

  test('δ falls in ε and grows with every release', () => {
    fc.assert(
      fc.property(losses, releases, epsilons, percent(0, 500), (loss, k, epsilon, more) => {
        const several = composeTimes(loss, k);
        const further = {
          numerator: epsilon.numerator * more.denominator + more.numerator * epsilon.denominator,
          denominator: epsilon.denominator * more.denominator,
        };
        expect(compare(deltaAt(several, further), deltaAt(several, epsilon))).toBeLessThanOrEqual(0);
        expect(compare(deltaAt(several, epsilon), deltaAt(compose(several, loss), epsilon))).toBeLessThanOrEqual(0);
      }),
      { numRuns: 60 },
    );
  });

  test('ε falls in δ and grows with every release, and its δ is the one asked for', () => {
    fc.assert(
      fc.property(losses, releases, deltas, (loss, k, delta) => {
        const several = composeTimes(loss, k);
        const epsilon = epsilonAt(several, delta);
        if (epsilon === null) return compare(rational(several.infinite, 1n << 192n), delta) > 0;
        const twice = epsilonAt(several, rational(2n * delta.numerator, delta.denominator))!;
        const next = epsilonAt(compose(several, loss), delta);
        const reached = deltaAt(several, epsilon);
        return (
          compare(twice, epsilon) <= 0 &&
          (next === null || compare(next, epsilon) >= 0) &&
          compare(subtract(reached, delta), ROUNDING) <= 0 &&
          (epsilon.numerator === 0n || compare(subtract(delta, reached), ROUNDING) <= 0)
        );
      }),
      { numRuns: 60 },
    );
  });

  test('nothing is worse than optimal composition of (ε, δ)', () => {
    fc.assert(
      fc.property(rates, releases, deltas, epsilons, (rate, k, delta, at) => {
        const unit = { taps: 2, mayMeet: false };
        const loss = composeTimes(withFailure(domainLoss(rate, unit, unit), delta), k);
        const epsilon = rational(4n * rate.numerator, rate.denominator);
        return compare(deltaAt(loss, at), deltaAt(worstLoss({ epsilon, delta }, k), at)) <= 0;
      }),
      { numRuns: 60 },
    );
  });

  test('K releases are the same whether composed one by one or by halves', () => {
    const loss = shiftLoss(rational(1n, 3n), 2);
    const one = [1, 2, 3, 4, 5, 6].reduce((sum) => compose(sum, loss), loss);
    const excess = subtract(deltaAt(one, ONE), deltaAt(composeTimes(loss, 7), ONE));
    expect(Math.abs(toNumber(excess))).toBeLessThan(1e-50);
  });

  test('losses on different grids are not added, and numbers of releases are whole', () => {
    expect(() => compose(shiftLoss(ONE, 1), shiftLoss(rational(2n), 1))).toThrow(RangeError);
    expect(() => composeTimes(shiftLoss(ONE, 1), 1.5)).toThrow(RangeError);
    expect(composeTimes(shiftLoss(ONE, 1), 0).masses).toHaveLength(1);
  });
});

describe('another grid', () => {
  test('a finer grid that holds the losses changes no δ', () => {
    const loss = shiftLoss(rational(1n, 2n), 3);
    for (const epsilon of [rational(0n), rational(1n, 3n), rational(1n)]) {
      const excess = subtract(deltaAt(regrid(loss, rational(1n, 10n)), epsilon), deltaAt(loss, epsilon));
      expect(Math.abs(toNumber(excess))).toBeLessThan(1e-50);
    }
  });

  test('no grid lowers δ, and the loss never rises by more than a step', () => {
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 4 }), percent(3, 90), epsilons, (rate, shift, step, epsilon) => {
        const loss = shiftLoss(rate, shift);
        const other = regrid(loss, step);
        const later = subtract(epsilon, step);
        expect(compare(deltaAt(other, epsilon), subtract(deltaAt(loss, epsilon), ROUNDING))).toBeGreaterThanOrEqual(0);
        expect(compare(subtract(deltaAt(other, epsilon), deltaAt(loss, later)), ROUNDING)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('broken twin: losses rounded down to the grid are caught', () => {
    const loss = shiftLoss(rational(7n, 10n), 1);
    const twin = { ...loss, step: rational(1n, 2n) };
    expect(compare(deltaAt(twin, ONE), deltaAt(loss, rational(1n, 2n)))).toBe(-1);
    expect(compare(deltaAt(twin, rational(1n, 2n)), deltaAt(loss, rational(1n, 2n)))).toBe(-1);
  });
});

describe('convolution', () => {
  const lists = fc.array(fc.bigInt({ min: 0n, max: (1n << 200n) - 1n }), { minLength: 1, maxLength: 20 });
  test('is the sum of products', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const plain = Array.from({ length: a.length + b.length - 1 }, () => 0n);
        for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) plain[i + j]! += x * y;
        expect(convolution(a, b)).toEqual(plain);
        expect(convolution(a, a)).toHaveLength(2 * a.length - 1);
      }),
    );
  });
});
