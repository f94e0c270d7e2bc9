import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Neighbours } from '../../contracts/certificate.ts';
import type { Interval } from '../../core/rational/interval.ts';
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
} from '../../core/rational/rational.ts';
import { exchanged, hockeyStick, noisyCount, stabilityCell } from '../../test/oracles/hockey-stick.ts';
import vectors from '../../test/vectors/threshold.json' with { type: 'json' };
import { certify } from './certify.ts';
import { type Pattern, patternsOfUnit, type UnitRule } from './l1-change.ts';
import { smallestThreshold } from './threshold.ts';
import { publicationProbability, tightDelta, worstPattern } from './tight-delta.ts';

type Case = {
  id: string;
  in: { unit: string; neighbours: Neighbours; eps: string; delta: string; k?: number };
  out: {
    D1: number;
    b: string;
    alpha: string;
    T: number;
    delta_tight: string;
    delta_tight_at_T_minus_1: string;
    worst_pattern: number[];
    delta_reverse: string;
    delta_union_bound: string;
    T_union_bound: number;
  };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'smallest-threshold') as unknown as Case[];
const BITS = 160;

function ruleOf({ unit, neighbours, k }: Case['in']): UnitRule {
  if (unit === 'card-day') return { unit, neighbours, maxTaps: k!, publish: 'on+off' };
  return { unit: 'trip', neighbours, publish: unit === 'trip-on-and-off' ? 'on+off' : 'on' };
}

/** Do the bounds hold the value that is printed with 20 digits? */
function expectEncloses({ lower, upper }: Interval, printed: string): void {
  const value = parseRational(printed);
  const slack = add(multiply(value, parseRational('1e-19')), parseRational('1e-40'));
  expect(compare(lower, add(value, slack))).toBeLessThanOrEqual(0);
  expect(compare(upper, subtract(value, slack))).toBeGreaterThanOrEqual(0);
}

/** The largest sum of publication probabilities over the patterns. */
function unionBound(patterns: Pattern[], threshold: number, rate: Rational): Interval {
  return patterns
    .map(({ cells, taps }) => {
      const { lower, upper } = publicationProbability(taps, threshold, rate, BITS);
      const times = rational(BigInt(cells));
      return { lower: multiply(lower, times), upper: multiply(upper, times) };
    })
    .reduce((a, b) => (compare(a.upper, b.upper) >= 0 ? a : b));
}

describe('@contract C10 smallest threshold, vectors', () => {
  test('there are 240', () => expect(cases).toHaveLength(240));

  test.each(cases)('$id', ({ in: input, out }) => {
    const rule = ruleOf(input);
    const patterns = patternsOfUnit(rule);
    const epsilon = parseRational(input.eps);
    const rate = divide(epsilon, rational(BigInt(out.D1)));
    const certificate = certify({
      ...rule,
      mechanism: 'stability-histogram',
      epsilon: input.eps,
      delta: input.delta,
      split: {},
    });
    expect(certificate.d1).toBe(out.D1);
    expect(certificate.scale).toBe(out.b);
    expect(certificate.threshold).toBe(out.T);
    expect(certificate.worstPattern).toEqual(out.worst_pattern);
    const bounds = { lower: parseRational(certificate.deltaLower), upper: parseRational(certificate.deltaUpper) };
    expectEncloses(bounds, out.delta_tight);
    expect(compare(bounds.upper, parseRational(input.delta))).toBeLessThanOrEqual(0);
    expectEncloses(
      { lower: parseRational(certificate.alphaLower!), upper: parseRational(certificate.alphaUpper!) },
      out.alpha,
    );
    expectEncloses(tightDelta(patterns, out.T - 1, rate, BITS), out.delta_tight_at_T_minus_1);
    expectEncloses(unionBound(patterns, out.T, rate), out.delta_union_bound);
    const limit = parseRational(input.delta);
    expect(compare(unionBound(patterns, out.T_union_bound, rate).upper, limit)).toBeLessThanOrEqual(0);
    expect(compare(unionBound(patterns, out.T_union_bound - 1, rate).lower, limit)).toBe(1);
  });

  // The reverse direction follows from the joint law of the worst pattern; under replacement, with cells that both hold.
  test.each(cases.filter((_, index) => index % 6 === 0))('reverse direction of $id', ({ in: input, out }) => {
    const epsilon = parseRational(input.eps);
    const rate = divide(epsilon, rational(BigInt(out.D1)));
    const vanishing = out.worst_pattern.map((count) => stabilityCell(count, 0, out.T, rate, BITS));
    const appearing = input.neighbours === 'replace-one' ? exchanged(vanishing) : [];
    const far = out.worst_pattern.length > 2 ? [] : [noisyCount(3, 3, rate, BITS)];
    expectEncloses(hockeyStick(exchanged([...vanishing, ...appearing, ...far]), epsilon, BITS), out.delta_reverse);
  });
});

describe('laws', () => {
  const rates = fc
    .tuple(fc.bigInt({ min: 1n, max: 400n }), fc.bigInt({ min: 10n, max: 200n }))
    .map(([n, d]) => rational(n, d));
  const patternLists = fc
    .integer({ min: 1, max: 12 })
    .map((k) => patternsOfUnit({ unit: 'card-day', maxTaps: k, neighbours: 'add-remove', publish: 'on' }));
  const deltas = fc.integer({ min: 1, max: 12 }).map((digits) => parseRational(`1e-${digits}`));

  test('T is the smallest: δ holds at T and not at T − 1', () => {
    fc.assert(
      fc.property(patternLists, rates, deltas, (patterns, rate, delta) => {
        const threshold = smallestThreshold(patterns, rate, delta);
        expect(compare(tightDelta(patterns, threshold, rate, BITS).upper, delta)).toBeLessThanOrEqual(0);
        if (threshold - 1 > Math.max(...patterns.map(({ taps }) => taps))) {
          expect(compare(tightDelta(patterns, threshold - 1, rate, BITS).lower, delta)).toBe(1);
        }
      }),
    );
  });

  test('δ falls in T and in ε, and more taps never lower it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), rates, fc.integer({ min: 12, max: 60 }), (k, rate, threshold) => {
        const of = (taps: number) =>
          patternsOfUnit({ unit: 'card-day', maxTaps: taps, neighbours: 'add-remove', publish: 'on' });
        const delta = tightDelta(of(k), threshold, rate, BITS);
        expect(compare(tightDelta(of(k), threshold + 1, rate, BITS).upper, delta.lower)).toBe(-1);
        expect(compare(tightDelta(of(k), threshold, multiply(rate, rational(11n, 10n)), BITS).upper, delta.lower)).toBe(
          -1,
        );
        expect(compare(tightDelta(of(k + 1), threshold, rate, BITS).lower, delta.upper)).toBe(1);
      }),
    );
  });

  test('no partition of k beats [k] and [1,…,1]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9 }), rates, fc.integer({ min: 1, max: 30 }), (k, rate, more) => {
        const threshold = k + more;
        const published = (taps: number) => publicationProbability(taps, threshold, rate, BITS).lower;
        // worst[n]: the largest δ of any partition of n, by its first part.
        const worst: Rational[] = [rational(0n)];
        for (let n = 1; n <= k; n += 1) {
          const options = Array.from({ length: n }, (_, i) => {
            const [p, rest] = [published(i + 1), worst[n - i - 1]!];
            return subtract(add(p, rest), multiply(p, rest));
          });
          worst.push(options.reduce((a, b) => (compare(a, b) >= 0 ? a : b)));
        }
        const patterns = patternsOfUnit({ unit: 'card-day', maxTaps: k, neighbours: 'add-remove', publish: 'on' });
        expect(compare(worst[k]!, tightDelta(patterns, threshold, rate, BITS).upper)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 40 },
    );
  });

  test('a count at the threshold has no such probability', () => {
    expect(() => publicationProbability(9, 9, rational(2n), BITS)).toThrow(RangeError);
  });

  test('both patterns can be the worst', () => {
    const patterns = [
      { cells: 3, taps: 1 },
      { cells: 1, taps: 3 },
    ];
    expect(worstPattern(patterns, 20, rational(1n, 6n))).toEqual({ cells: 3, taps: 1 });
    expect(worstPattern(patterns, 20, rational(8n, 3n))).toEqual({ cells: 1, taps: 3 });
  });

  test('broken twin: a threshold from one pattern alone is above δ', () => {
    const patterns = [
      { cells: 3, taps: 1 },
      { cells: 1, taps: 3 },
    ];
    const delta = parseRational('1e-6');
    for (const [rate, only] of [
      [rational(1n, 6n), patterns[1]!],
      [rational(8n, 3n), patterns[0]!],
    ] as const) {
      const threshold = smallestThreshold([only], rate, delta);
      expect(compare(tightDelta(patterns, threshold, rate, BITS).lower, delta)).toBe(1);
    }
  });

  test('a δ that agrees with the tight one to 19 digits is still decided exactly', () => {
    const patterns = [{ cells: 2, taps: 1 }];
    const rate = rational(2n);
    const { lower, upper } = tightDelta(patterns, 9, rate, 400);
    expect(smallestThreshold(patterns, rate, add(upper, multiply(upper, parseRational('1e-19'))))).toBe(9);
    expect(smallestThreshold(patterns, rate, subtract(lower, multiply(lower, parseRational('1e-30'))))).toBe(10);
  });
});
