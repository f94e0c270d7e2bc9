import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { divergenceBits, figure24 } from '../../../test/oracles/multiplicative-weights.ts';
import vectors from '../../../test/vectors/pif.json' with { type: 'json' };
import { factorOf, fitOf, MOST_CELLS } from './weights.ts';
import type { Marginal, Query } from './workload.ts';

type Step = { scores: string[]; selection_probabilities: string[]; measurement: string; A: string[] };
type Mwem = {
  id: string;
  in: { name: string; B: string[]; queries: number[][]; T: number; eps: string; selected: number[]; noise: string[] };
  out: Record<string, string> & {
    steps: Step[];
    average_A0_to_A_T_minus_1: string[];
    average_A1_to_A_T: string[];
  };
};
const ofKind = <T>(kind: string): T[] => vectors.cases.filter((one) => one.kind === kind) as unknown as T[];
const number = (text: string): number => toNumber(parseRational(text));
const average = (rows: readonly (readonly number[])[]): number[] =>
  rows[0]!.map((_, cell) => rows.reduce((sum, row) => sum + row[cell]!, 0) / rows.length);

/** The queries of the vectors, over two attributes of two values each. */
const SHAPE = [2, 2];
const MARGINALS: Marginal[] = [
  { attributes: [0], ordered: 0 },
  { attributes: [1], ordered: 0 },
  { attributes: [0, 1], ordered: 0 },
];
const QUERIES: Query[] = [
  { marginal: 0, from: 0, to: 1 },
  { marginal: 0, from: 1, to: 2 },
  { marginal: 1, from: 0, to: 1 },
  { marginal: 2, from: 1, to: 2 },
];
/** Measurements of the vectors are quarters. */
const QUARTERS = 4;

describe('Figure 24', () => {
  test.each(ofKind<Mwem>('mwem'))('is that of the vector $id, and the weights are its own to five digits', (vector) => {
    const { B, queries, eps, selected, noise } = vector.in;
    const data = B.map(number);
    const taken = selected.map((query, step) => ({ query, noise: number(noise[step]!) }));
    const steps = figure24(data, queries, number(eps), taken);
    for (const [index, { scores, selection_probabilities, measurement, A }] of vector.out.steps.entries()) {
      const own = steps[index]!;
      for (const [actual, expected] of [
        [own.scores, scores],
        [own.chances, selection_probabilities],
        [own.weights, A],
        [[own.measurement], [measurement]],
      ] as const)
        for (const [place, text] of expected.entries()) expect(actual[place]!).toBeCloseTo(number(text), 12);
    }
    const first = data.map(() => data.reduce((sum, rows) => sum + rows, 0) / data.length);
    const all = [first, ...steps.map(({ weights }) => weights)];
    for (const [name, from, to] of [
      ['A0_to_A_T_minus_1', 0, -1],
      ['A1_to_A_T', 1, all.length],
    ] as const)
      expect(divergenceBits(data, average(all.slice(from, to)))).toBeCloseTo(
        number(vector.out[`KL_bits_${name}`]!),
        12,
      );

    const rows = QUARTERS * data.reduce((sum, one) => sum + one, 0);
    const fit = fitOf(SHAPE, MARGINALS, { rows, passes: 0 });
    for (const [step, { A, measurement }] of vector.out.steps.entries()) {
      fit.add({ query: QUERIES[selected[step]!]!, value: QUARTERS * number(measurement) });
      for (const [cell, text] of A.entries())
        expect((fit.weights[cell]! / fit.total()) * (rows / QUARTERS)).toBeCloseTo(number(text), 5);
    }
  });

  test('relative safety is the quotient of two divergences', () => {
    const cases = new Map(ofKind<Mwem>('mwem').map((one) => [one.in.name, one]));
    type Safety = { in: { D1: string; D2: string }; out: Record<string, string> };
    for (const { in: of, out } of ofKind<Safety>('relative-safety'))
      for (const name of ['A0_to_A_T_minus_1', 'A1_to_A_T']) {
        const [one, other] = [of.D1, of.D2].map((table) => number(cases.get(table)!.out[`KL_bits_${name}`]!));
        expect(other! / one!).toBeCloseTo(number(out[`safety_of_D1_relative_to_D2_${name}`]!), 12);
      }
  });
});

const measured = fc.array(
  fc.record({ query: fc.constantFrom(...QUERIES), value: fc.integer({ min: -2000, max: 4000 }) }),
  { maxLength: 12 },
);

describe('weights', () => {
  test('are whole numbers from 1 to 2^30 whose sum is known, whatever was measured', () => {
    fc.assert(
      fc.property(measured, fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 1000 }), (all, passes, rows) => {
        const fit = fitOf(SHAPE, MARGINALS, { rows, passes });
        for (const one of all) {
          fit.add(one);
          expect(fit.weights.every((weight) => Number.isInteger(weight) && weight >= 1 && weight <= 2 ** 30)).toBe(
            true,
          );
          expect(fit.weights.length * Math.max(...fit.weights)).toBeGreaterThan(2 ** 29);
          expect(fit.total()).toBe(fit.weights.reduce((sum, weight) => sum + weight, 0));
        }
      }),
    );
  });

  test('passes bring what was measured nearer', () => {
    const off = (passes: number): number => {
      const fit = fitOf(SHAPE, MARGINALS, { rows: 100, passes });
      for (const value of [90, 10]) fit.add({ query: QUERIES[value === 90 ? 0 : 2]!, value });
      const [a, b, c] = fit.weights as unknown as [number, number, number, number];
      return Math.abs((100 * (a + b)) / fit.total() - 90) + Math.abs((100 * (a + c)) / fit.total() - 10);
    };
    expect(off(0)).toBeGreaterThan(50);
    expect(off(10)).toBeLessThan(off(0) / 2);
    expect(off(200)).toBeLessThan(0.01);
  });

  test('are the same on every machine', () => {
    const fit = fitOf(
      [24, 5, 3],
      [
        { attributes: [1, 0], ordered: 23 },
        { attributes: [2, 1], ordered: 0 },
      ],
      {
        rows: 12_345,
        passes: 3,
      },
    );
    for (let step = 0; step < 12; step += 1)
      fit.add({ query: { marginal: step % 2, from: step, to: step + 1 + (step % 3) }, value: 997 * step - 400 });
    const bytes = Buffer.from([...fit.weights].join(), 'utf8');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '1306fbc734737e65d51877d957b94c45e81bffef9f6ff25f742657a25e78bcb4',
    );
  });

  test('a factor is the exponential, cut to 22 bits, of a step of at most a half', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 41n), max: 2n ** 41n }), (numerator) => {
        const step = Math.max(-0.5, Math.min(0.5, Number(numerator) / 2 ** 40));
        expect(Math.abs(factorOf(numerator, 2n ** 40n) - 2 ** 22 * Math.exp(step))).toBeLessThanOrEqual(1.01);
      }),
    );
    expect([factorOf(0n, 3n), factorOf(-1n, 2n), factorOf(-9n, 1n), factorOf(9n, 1n)]).toEqual([
      2 ** 22,
      2_543_973,
      2_543_973,
      6_915_238,
    ]);
  });

  test('a number of rows that is far off loses no digits of the weights', () => {
    const fit = fitOf(SHAPE, MARGINALS, { rows: 1000, passes: 50 });
    for (const query of [QUERIES[0]!, QUERIES[1]!]) fit.add({ query, value: query === QUERIES[0] ? 3 : 1 });
    expect(Math.max(...fit.weights)).toBeGreaterThan(2 ** 28);
  });

  test('a domain of more than a million cells is refused', () => {
    const shape = [MOST_CELLS + 1];
    expect(() => fitOf(shape, [{ attributes: [0], ordered: 0 }], { rows: 1, passes: 0 })).toThrow(RangeError);
  });
});
