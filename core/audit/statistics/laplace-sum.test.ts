import { describe, expect, test } from 'vitest';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { parseRational, toNumber } from '../../rational/rational.ts';
import { laplaceSumHalfWidth, laplaceSumTail } from './laplace-sum.ts';
import { noiseVariance } from './noise-law.ts';

type Widths = Record<'0.95' | '0.99', string>;
type RealCase = {
  id: string;
  in: { scales: string[]; D?: number };
  out: {
    half_width: Widths;
    sd: string;
    normal_approximation_half_width: Widths;
    interval?: Record<'0.95' | '0.99', [string, string]>;
  };
};
type Theorem5Case = { id: string; in: { p: string; alpha: string }; out: Record<string, string> };

const real = vectors.cases.filter(({ kind }) => kind === 'differencing-real') as unknown as RealCase[];
const theorem5 = vectors.cases.filter(({ kind }) => kind === 'theorem-5') as unknown as Theorem5Case[];
const number = (text: string): number => toNumber(parseRational(text));
const distance = (value: number, exact: string): number => Math.abs(value - Number(exact)) / Math.abs(Number(exact));

describe('sums of real Laplace noise', () => {
  test('there are 5 and 4 vectors', () => expect([real.length, theorem5.length]).toEqual([5, 4]));

  test.each(real)('$id', ({ in: input, out }) => {
    const scales = input.scales.map(number);
    const variance = scales.reduce((sum, b) => sum + noiseVariance('real-laplace', b), 0);
    expect(distance(Math.sqrt(variance), out.sd)).toBeLessThan(1e-12);
    for (const confidence of ['0.95', '0.99'] as const) {
      const halfWidth = laplaceSumHalfWidth(scales, Number(confidence));
      expect(distance(halfWidth, out.half_width[confidence])).toBeLessThan(1e-9);
      const interval = out.interval?.[confidence];
      if (interval === undefined || input.D === undefined) continue;
      expect(distance(input.D - halfWidth, interval[0])).toBeLessThan(1e-9);
      expect(distance(input.D + halfWidth, interval[1])).toBeLessThan(1e-9);
    }
  });

  test('broken twin: the normal approximation is caught by the vectors', () => {
    const quantiles = { '0.95': 1.959963984540054, '0.99': 2.5758293035489 };
    for (const { out } of real)
      for (const confidence of ['0.95', '0.99'] as const) {
        const approximation = quantiles[confidence] * Number(out.sd);
        expect(distance(approximation, out.normal_approximation_half_width[confidence])).toBeLessThan(1e-9);
        expect(distance(approximation, out.half_width[confidence])).toBeGreaterThan(0.02);
      }
  });

  // The report's half-width p·ln(1/(4α)) bounds the tail from the wrong side, so it covers far less than it says.
  test.each(theorem5)('$id: coverage of the printed formula', ({ in: input, out }) => {
    const [p, alpha] = [number(input.p), number(input.alpha)];
    const coverage = (halfWidth: number): number => (halfWidth <= 0 ? 0 : 1 - 2 * laplaceSumTail([p, p, p], halfWidth));
    const natural = p * Math.log(1 / (4 * alpha));
    expect(natural).toBeCloseTo(number(out.half_width_natural_log!), 12);
    expect(coverage(natural)).toBeCloseTo(number(out.coverage_of_natural_log!), 11);
    expect(coverage(natural)).toBeLessThan(1 - alpha);
    if (out.coverage_of_printed === undefined) return;
    const printed = p * Math.log10(1 / (4 * alpha));
    expect(distance(printed, out.half_width_log10_as_printed!)).toBeLessThan(1e-12);
    expect(distance(coverage(printed), out.coverage_of_printed)).toBeLessThan(1e-9);
  });

  test('three of scale 1 have the closed form e^(−x)(x² + 5x + 8)/16', () => {
    for (const x of [0, 0.3, 4.9686, 60])
      expect(laplaceSumTail([1, 1, 1], x) / ((Math.exp(-x) * (x * x + 5 * x + 8)) / 16)).toBeCloseTo(1, 12);
    expect(laplaceSumHalfWidth([1, 1, 1], 0.95)).toBeCloseTo(4.9686, 4);
    expect(laplaceSumHalfWidth([1, 1, 1], 0.99)).toBeCloseTo(7.0598, 4);
    expect(laplaceSumTail([1, 2, 2], -1) + laplaceSumTail([1, 2, 2], 1)).toBeCloseTo(1, 12);
  });

  test('refuses to sum none, or so many that digits are lost', () => {
    expect(() => laplaceSumTail([], 1)).toThrow(RangeError);
    expect(() => laplaceSumTail(Array<number>(17).fill(1), 1)).toThrow(RangeError);
  });
});
