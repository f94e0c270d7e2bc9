import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compare,
  formatRational,
  parseRational,
  type Rational,
  rational,
  toNumber,
} from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { curveAt } from '../certificate-check/check-curve.ts';
import { gaussianDelta, type Moves, rhoOf } from './gaussian-curve.ts';
import { type CardRule, worstMoves } from './gaussian-design.ts';

type Case = (typeof vectors.cases)[number];

const ruleOf = ({ k, place, neighbours, clamp }: Case['in']): CardRule => ({
  unit: 'card-window',
  publish: 'on+off',
  neighbours: neighbours as 'add-remove',
  maxTaps: k!,
  place: place ?? 2,
  ...(clamp && { clamp }),
});

const movesOf = (asked: Case['in']): Moves[] =>
  worstMoves(ruleOf(asked), {
    cells: parseRational(asked.cells!),
    ...(asked.time && { time: parseRational(asked.time) }),
    ...(asked.location && { location: parseRational(asked.location) }),
    ...(asked.bounded && { bounded: parseRational(asked.bounded) }),
  }).map((one) => ({ ...one, counts: one.counts * (asked.windows ?? 1) }));

const ofKind = (...kinds: string[]): Case[] => vectors.cases.filter(({ kind }) => kinds.includes(kind));
/** The year of a week of 28 taps takes seconds: gaussian-design.soak.test.ts has it. */
const isShort = ({ in: { k, windows } }: Case): boolean => k! * (windows ?? 1) < 100;

describe('@contract C8 C14 the exact curve of discrete Gaussian noise', () => {
  test.each(ofKind('delta-cells', 'delta-joint', 'year').filter(isShort))('$id', ({ in: asked, out }) => {
    const expected = Number(out.delta ?? out.delta_at_eps);
    const bits = 50 - Math.round(Math.log2(expected));
    const { lower, upper } = gaussianDelta(movesOf(asked), parseRational(asked.eps ?? out.eps!), bits);
    expect(compare(lower, upper)).toBeLessThanOrEqual(0);
    expect(toNumber(lower) / expected).toBeCloseTo(1, 11);
    expect(toNumber(upper) / toNumber(lower) - 1).toBeLessThan(1e-14);
  });

  test.each(ofKind('delta-joint', 'year').filter(({ out }) => out.rho))('$id: ρ exactly', ({ in: asked, out }) => {
    expect(formatRational(rhoOf(movesOf(asked)))).toBe(out.rho);
  });

  test('C8a: δ grows with σ² from 0.19 to 0.22 at k = 1 and ε = 8, so that nobody may round what is certified', () => {
    const at = (s2: string) => gaussianDelta(movesOf({ cells: s2, k: 1 } as Case['in']), parseRational('8'), 60);
    const [a, b, c, d] = ['19/100', '1/5', '21/100', '11/50'].map(at);
    expect(compare(a!.upper, b!.lower)).toBe(-1);
    expect(compare(b!.upper, c!.lower)).toBe(-1);
    expect(compare(c!.upper, d!.lower)).toBe(-1);
    expect([a, b, c, d].map((delta) => toNumber(delta!.lower).toPrecision(2))).toEqual([
      '0.000023',
      '0.000039',
      '0.000060',
      '0.000090',
    ]);
  });

  test('more bits narrow the bounds and never contradict fewer, whatever is cut off', () => {
    const moves = movesOf({ cells: '25', time: '250', location: '1000/3', k: 5 } as Case['in']);
    const exact = gaussianDelta(moves, rational(2n), 160);
    for (const bits of [1, 4, 10, 20, 40, 80]) {
      const { lower, upper } = gaussianDelta(moves, rational(2n), bits);
      expect(compare(lower, exact.lower)).toBeLessThanOrEqual(0);
      expect(compare(upper, exact.upper)).toBeGreaterThanOrEqual(0);
      expect(toNumber(upper) - toNumber(lower)).toBeLessThan(40 * 2 ** -bits);
    }
  });

  const moved = fc.record({
    variance: fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 2, 4)),
    counts: fc.integer({ min: 1, max: 5 }),
    by: fc.integer({ min: 1, max: 3 }),
  });

  test('agrees with the checker, which computes it in another way, on any moves (property)', () => {
    fc.assert(
      fc.property(fc.array(moved, { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 60 }), (list, tenths) => {
        const moves = list.map(({ variance: [n, d], ...one }) => ({
          ...one,
          variance: rational(BigInt(n), BigInt(d)),
        }));
        const epsilon = rational(BigInt(tenths), 10n);
        const other = curveAt(
          moves.map(({ variance, ...one }) => ({
            ...one,
            variance: { n: variance.numerator, d: variance.denominator },
          })),
          { n: BigInt(tenths), d: 10n },
        );
        fc.pre(other !== null && other.delta > 1e-25);
        const { lower, upper } = gaussianDelta(moves, epsilon, 140);
        expect(toNumber(lower)).toBeLessThanOrEqual(other!.delta * (1 + 1e-9));
        expect(toNumber(upper)).toBeGreaterThanOrEqual(other!.delta * (1 - 1e-9));
      }),
      { numRuns: 25 },
    );
  });

  test('a lattice of more than 2^22 points is refused before any work', () => {
    const moves = [
      { variance: rational(1_000_003n, 7n), counts: 20, by: 1 },
      { variance: rational(999_983n, 11n), counts: 20, by: 1 },
    ];
    const begin = performance.now();
    expect(() => gaussianDelta(moves, rational(1n), 40)).toThrow('take simpler shares');
    expect(performance.now() - begin).toBeLessThan(100);
  });
});

/** All ways to write a number as a sum of parts of at most `most`, in falling order. */
const partitionsOf = (sum: number, most = sum): number[][] =>
  sum === 0
    ? [[]]
    : Array.from({ length: Math.min(sum, most) }, (_, less) => less + 1).flatMap((part) =>
        partitionsOf(sum - part, part).map((rest) => [part, ...rest]),
      );

/** Moves of counts by these numbers, with the noise σ². */
const apart = (variance: Rational, parts: readonly number[]): Moves[] =>
  [...new Set(parts)].map((by) => ({ variance, by, counts: parts.filter((part) => part === by).length }));

describe('@contract C1 the worst that one card can move', () => {
  const EPSILONS = ['1/4', '1', '2', '4'].map(parseRational);
  const [cells, time] = [parseRational('3'), parseRational('12')];

  test.each(['1/3', '2', '10', '40'])('no way to spread its taps over locations gives a larger δ, σ² = %s', (s2) => {
    const location = parseRational(s2);
    for (const k of [1, 2, 3, 4, 5]) {
      const rule: CardRule = { unit: 'card-day', publish: 'on', neighbours: 'add-remove', maxTaps: k, place: 2 };
      for (const epsilon of EPSILONS) {
        const worst = gaussianDelta(worstMoves(rule, { cells, time, location }), epsilon, 60);
        for (let taps = 1; taps <= k; taps++)
          for (const parts of partitionsOf(taps, 2)) {
            const ones = (variance: Rational) => ({ variance, counts: taps, by: 1 });
            const moves = [ones(cells), ones(time), ...apart(location, parts)];
            expect(compare(gaussianDelta(moves, epsilon, 60).lower, worst.upper)).toBeLessThanOrEqual(0);
          }
      }
    }
  });

  test.each(['1/3', '2', '9', '50'])(
    'no way to spread left-out taps gives a larger δ than one count, σ² = %s',
    (s2) => {
      for (const epsilon of EPSILONS)
        for (let clamp = 1; clamp <= 7; clamp++) {
          const worst = gaussianDelta(apart(parseRational(s2), [clamp]), epsilon, 60);
          for (const parts of partitionsOf(clamp))
            expect(
              compare(gaussianDelta(apart(parseRational(s2), parts), epsilon, 60).lower, worst.upper),
            ).toBeLessThan(1);
        }
    },
  );
});
