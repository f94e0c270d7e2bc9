import { describe, expect, test } from 'vitest';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { parseRational, toNumber } from '../../rational/rational.ts';
import { integerHalfWidth, noiseSum, type SymmetricLaw, sumProbability, sumTail } from './integer-sum.ts';
import { type IntegerNoise, noiseProbability, noiseTail, noiseVariance } from './noise-law.ts';

type Widths = Record<'0.95' | '0.99', { half_width: number; coverage: string }>;
type DifferenceCase = {
  id: string;
  in: { model: IntegerNoise; scales: string[] };
  out: { smallest_integer_half_width: Widths; p_zero: string };
};
type SumCase = {
  id: string;
  in: { cells: number; b: string };
  out: {
    variance: string;
    sd: string;
    p_zero: string;
    smallest_integer_half_width: Widths;
    real_laplace_variance: string;
  };
};

const differences = vectors.cases.filter(({ kind }) => kind === 'differencing-integer') as unknown as DifferenceCase[];
const sums = vectors.cases.filter(({ kind }) => kind === 'sum-of-cells') as unknown as SumCase[];
const number = (text: string): number => toNumber(parseRational(text));
const distance = (value: number, exact: string): number => Math.abs(value - Number(exact)) / Number(exact);

function expectWidths(law: SymmetricLaw, widths: Widths): void {
  for (const confidence of ['0.95', '0.99'] as const) {
    const { halfWidth, coverage } = integerHalfWidth(law, Number(confidence));
    expect(halfWidth).toBe(widths[confidence].half_width);
    expect(distance(coverage, widths[confidence].coverage)).toBeLessThan(1e-9);
  }
}

describe('sums of integer noise', () => {
  test('there are 4 and 5 vectors', () => expect([differences.length, sums.length]).toEqual([4, 5]));

  test.each(differences)('$id', ({ in: input, out }) => {
    const law = noiseSum(input.model, input.scales.map(number));
    expect(distance(sumProbability(law, 0), out.p_zero)).toBeLessThan(1e-9);
    expectWidths(law, out.smallest_integer_half_width);
  });

  test.each(sums)('$id', ({ in: input, out }) => {
    const [cells, b] = [input.cells, number(input.b)];
    const law = noiseSum('discrete-laplace', Array<number>(cells).fill(b));
    expect(distance(sumProbability(law, 0), out.p_zero)).toBeLessThan(1e-9);
    expectWidths(law, out.smallest_integer_half_width);
    expect(distance(cells * noiseVariance('discrete-laplace', b), out.variance)).toBeLessThan(1e-12);
    expect(distance(Math.sqrt(cells * noiseVariance('discrete-laplace', b)), out.sd)).toBeLessThan(1e-12);
    expect(distance(cells * noiseVariance('real-laplace', b), out.real_laplace_variance)).toBeLessThan(1e-12);
  });

  test('one noise value is its own sum, far into the tail', () => {
    const law = noiseSum('discrete-laplace', [2]);
    expect(sumTail(law, 60) / noiseTail('discrete-laplace', 2, 60)).toBeCloseTo(1, 8);
    expect(sumProbability(law, -3)).toBe(noiseProbability('discrete-laplace', 2, 3));
    expect(sumTail(law, -5) + sumTail(law, 6)).toBeCloseTo(1, 12);
    expect(noiseSum('discrete-laplace', [])).toEqual([1]);
  });

  test('broken twin: the variance of real noise gives widths that the vectors refuse', () => {
    const tooWide = sums.filter(({ in: input, out }) => {
      const width = 1.959963984540054 * Math.sqrt(input.cells * noiseVariance('real-laplace', number(input.b)));
      return Math.ceil(width) !== out.smallest_integer_half_width['0.95'].half_width;
    });
    expect(tooWide.length).toBeGreaterThan(0);
  });
});
