import { describe, expect, test } from 'vitest';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { binChances, binOf, excessBinOf, excessChances, noiseBinsOf, sizeLaw } from './noise-bins.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const SCALES = [0.1, 5 / 9, 1, 3.9, 4, 40, 401];

describe('bins of noise', () => {
  test.each(SCALES)('have the chances of the values that fall into them (scale %f)', (scale) => {
    const bins = noiseBinsOf(scale);
    const [chances, excess] = [binChances(laplace(scale)), excessChances(laplace(scale))];
    const [sums, excessSums] = [chances.map(() => 0), excess.map(() => 0)];
    for (let x = -Math.ceil(60 * scale); x <= 60 * scale; x += 1) {
      sums[binOf(bins, x)]! += noiseProbability('discrete-laplace', scale, x);
      if (x >= 0) excessSums[excessBinOf(bins, x)]! += Math.exp(-x / scale) * -Math.expm1(-1 / scale);
    }
    for (const [bin, chance] of chances.entries()) expect(sums[bin]).toBeCloseTo(chance, 12);
    for (const [bin, chance] of excess.entries()) expect(excessSums[bin]).toBeCloseTo(chance, 12);
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
  });

  test.each(SCALES)('of |noise| have the mean and the moments of the law (scale %f)', (scale) => {
    const { mean, logMoment } = sizeLaw(laplace(scale));
    const sum = (value: (size: number) => number): number =>
      Array.from(
        { length: Math.ceil(60 * scale) + 1 },
        (_, size) => (size === 0 ? 1 : 2) * value(size) * noiseProbability('discrete-laplace', scale, size),
      ).reduce((total, part) => total + part, 0);
    expect(sum((size) => size) / mean).toBeCloseTo(1, 9);
    for (const perScale of [-8, -0.1, 0, 0.5])
      expect(sum((size) => Math.exp((perScale * size) / scale)) / Math.exp(logMoment(perScale / scale))).toBeCloseTo(
        1,
        9,
      );
  });

  test('broken twin: an even width would count some values twice or not at all', () => {
    const even = { width: 4, last: 5 };
    const held = [-6, -5, -4, -3, -2].filter((x) => binOf(even, x) === 4).length;
    expect(held).toBe(4);
    const middle = [-2, -1, 0, 1, 2].filter((x) => binOf(even, x) === 5).length;
    expect(middle).not.toBe(4);
  });
});
