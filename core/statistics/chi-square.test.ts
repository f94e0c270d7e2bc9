import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { binProbabilities, chiSquare, gStatistic } from '../random/goodness-of-fit.fixture.ts';
import { parseRational, toNumber } from '../rational/rational.ts';
import { chiSquareTail } from './fisher.ts';

type FitCase = {
  id: string;
  in: { b: string; L: number; counts: number[] };
  out: { chi_square: string; p_chi_square: string; G: string; p_G: string; df: number };
};
type BinsCase = { id: string; out: { df: number; chi_square_critical: Record<string, string> } };
const fits = vectors.cases.filter(({ kind }) => kind === 'gof-example') as unknown as FitCase[];
const bins = vectors.cases.filter(({ kind }) => kind === 'bins') as unknown as BinsCase[];
const distance = (value: number, exact: string): number => Math.abs(value / Number(exact) - 1);

describe('chi-square', () => {
  test.each(fits)('$id', ({ in: input, out }) => {
    const chances = binProbabilities(toNumber(parseRational(input.b)), input.L);
    const [pearson, ratio] = [chiSquare(input.counts, chances), gStatistic(input.counts, chances)];
    expect(distance(pearson, out.chi_square)).toBeLessThan(1e-9);
    expect(distance(ratio, out.G)).toBeLessThan(1e-9);
    expect(distance(chiSquareTail(pearson, out.df), out.p_chi_square)).toBeLessThan(1e-9);
    expect(distance(chiSquareTail(ratio, out.df), out.p_G)).toBeLessThan(1e-9);
  });

  test.each(bins)('$id: critical values', ({ out }) => {
    for (const [level, critical] of Object.entries(out.chi_square_critical))
      expect(distance(chiSquareTail(Number(critical), out.df), level)).toBeLessThan(1e-9);
  });

  test('broken twin: one degree of freedom too few is caught by the vectors', () => {
    for (const { out } of fits)
      expect(distance(chiSquareTail(Number(out.chi_square), out.df - 2), out.p_chi_square)).toBeGreaterThan(0.1);
  });

  test('nothing observed gives 1, and odd degrees are refused', () => {
    expect(chiSquareTail(0, 2)).toBe(1);
    expect(chiSquareTail(3000, 2000)).toBeLessThan(1e-30);
    expect(() => chiSquareTail(1, 3)).toThrow(RangeError);
  });
});
