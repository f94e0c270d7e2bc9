import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { sumLaw } from '../../../core/statistics/integer-sum.ts';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import {
  cellLikelihood,
  likeliest,
  likelihoodInterval,
  suppressionLimit,
  suppressionProbability,
} from './suppressed-cell.ts';

const NOISE = { model: 'discrete-laplace' as const, scale: 1, threshold: 18 };

describe('the evidence of suppression', () => {
  test('is the chance that count and noise stay under the threshold, by enumeration', () => {
    for (let count = 1; count < 40; count += 1) {
      let sum = 0;
      for (let x = -200; x < 18 - count; x += 1) sum += noiseProbability('discrete-laplace', 1, x);
      expect(suppressionProbability(NOISE, count)).toBeCloseTo(sum, 12);
    }
    expect(suppressionProbability(NOISE, 0)).toBe(1);
    expect(suppressionProbability({ ...NOISE, threshold: null }, 3)).toBe(0);
  });

  test('alone says how much a suppressed cell can hold', () => {
    const limit = suppressionLimit(NOISE, 0.95);
    expect(limit).toBe(19);
    expect(suppressionProbability(NOISE, limit)).toBeGreaterThanOrEqual(0.05);
    expect(suppressionProbability(NOISE, limit + 1)).toBeLessThan(0.05);
  });
});

describe('the likelihood of a suppressed cell', () => {
  const law = sumLaw('discrete-laplace', [[1, 3]]);

  test('weighs the difference and the suppression, and rules negative counts out', () => {
    const likelihood = cellLikelihood(18, law, NOISE);
    expect(likelihood.weights.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 12);
    // The difference alone says 18 with as much above as below; that the cell is suppressed speaks for less.
    expect(likeliest(likelihood)).toBe(17);
    const [lower, upper] = likelihoodInterval(likelihood, 0.95);
    expect([lower, upper]).toEqual([13, 19]);
    expect(likeliest(cellLikelihood(-5, law, NOISE))).toBe(0);
    expect(cellLikelihood(-500, law, NOISE)).toEqual({ from: 0, step: 1, weights: Float64Array.of(1) });
  });

  // Truths even over 0 to 30, 3,000 cells: the share that lies in its interval is 0.95 or more, within 4 standard errors.
  test('its interval holds the truth as often as it says, when all counts are alike beforehand', () => {
    const noise = discreteLaplace(rational(1n), seededSource(9));
    let [inside, cells] = [0, 0];
    for (let index = 0; index < 12_000; index += 1) {
      const truth = index % 31;
      if (truth > 0 && truth + noise.draw() >= 18) continue;
      cells += 1;
      const difference = truth + noise.draw() + noise.draw() + noise.draw();
      const [lower, upper] = likelihoodInterval(cellLikelihood(difference, law, NOISE), 0.95);
      if (lower <= truth && truth <= upper) inside += 1;
    }
    expect(inside / cells).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / cells));
  });

  test('of wide noise is looked at in steps, about a cell that is sharp or wide itself', () => {
    const wide = sumLaw('discrete-laplace', [
      [16_000, 1],
      [1, 95],
    ]);
    // Nothing but the suppression tells anything here, and it does so to single counts.
    const sharp = cellLikelihood(1234, wide, NOISE);
    expect([sharp.from, sharp.step]).toEqual([0, 1]);
    expect(likelihoodInterval(sharp, 0.95)).toEqual([0, 17]);
    const coarse = cellLikelihood(90_000, wide, { ...NOISE, scale: 16_000, threshold: 240_000 });
    expect(coarse.weights.length).toBeLessThanOrEqual(8192);
    const [lower, upper] = likelihoodInterval(coarse, 0.95);
    expect(likeliest(coarse) / 90_000).toBeCloseTo(1, 1);
    // Of one Laplace noise 95 % lie within ln 20 scales.
    expect((upper - lower) / (2 * Math.log(20) * 16_000)).toBeCloseTo(1, 1);
  });

  test('broken twin: without the evidence of suppression the interval reaches too high', () => {
    const [, upper] = likelihoodInterval(cellLikelihood(18, law, { ...NOISE, threshold: 1000 }), 0.95);
    expect(upper).toBeGreaterThan(20);
  });
});
