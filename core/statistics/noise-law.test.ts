import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { parseRational, toNumber } from '../rational/rational.ts';
import { type IntegerNoise, noiseProbability, noiseTail, noiseVariance } from './noise-law.ts';

type Case = {
  id: string;
  kind: string;
  in: { b: string; x: number; t: number; L: number };
  out: Record<string, string & string[]>;
};
const cases = vectors.cases as unknown as Case[];
const ofKind = (kind: string): Case[] => cases.filter((one) => one.kind === kind);
const scaleOf = (one: Case): number => toNumber(parseRational(one.in.b));

const distance = (value: number, exact: string): number => Math.abs(value / toNumber(parseRational(exact)) - 1);

describe('discrete Laplace, vectors', () => {
  test.each(ofKind('pmf'))('$id', (one) => {
    expect(distance(noiseProbability('discrete-laplace', scaleOf(one), one.in.x), one.out.p!)).toBeLessThan(1e-12);
  });
  test.each(ofKind('tail'))('$id', (one) => {
    expect(distance(noiseTail('discrete-laplace', scaleOf(one), one.in.t), one.out.p!)).toBeLessThan(1e-12);
  });
  test.each(ofKind('moments'))('$id', (one) => {
    expect(distance(noiseVariance('discrete-laplace', scaleOf(one)), one.out.variance!)).toBeLessThan(1e-12);
    expect(distance(noiseVariance('real-laplace', scaleOf(one)), one.out.continuous_laplace_variance!)).toBeLessThan(
      1e-12,
    );
  });
  test.each(ofKind('bins'))('$id', (one) => {
    const exact: string[] = one.out.probabilities!;
    const { L } = one.in;
    const chance = (bin: number): number =>
      Math.abs(bin) === L
        ? noiseTail('discrete-laplace', scaleOf(one), L)
        : noiseProbability('discrete-laplace', scaleOf(one), bin);
    expect(Math.max(...exact.map((value, index) => distance(chance(index - L), value)))).toBeLessThan(1e-12);
  });
});

describe('each model of integer noise', () => {
  test.each(['discrete-laplace', 'rounded-laplace'] as const)(
    '%s: values, tails and variance agree',
    (model: IntegerNoise) => {
      for (const scale of [0.5, 1, 1.4, 4]) {
        const values = Array.from({ length: 401 }, (_, index) => index - 200);
        const sum = (value: (x: number) => number): number =>
          values.reduce((total, x) => total + value(x) * noiseProbability(model, scale, x), 0);
        expect(sum(() => 1)).toBeCloseTo(1, 12);
        expect(sum((x) => x * x) / noiseVariance(model, scale)).toBeCloseTo(1, 11);
        for (const t of [-3, 0, 1, 7]) expect(sum((x) => (x >= t ? 1 : 0))).toBeCloseTo(noiseTail(model, scale, t), 12);
      }
    },
  );

  test('broken twin: the variance of real noise is not that of either', () => {
    expect(noiseVariance('discrete-laplace', 1)).toBeLessThan(0.95 * noiseVariance('real-laplace', 1));
    expect(noiseVariance('rounded-laplace', 1)).toBeGreaterThan(1.03 * noiseVariance('real-laplace', 1));
  });
});
