import { expect, test } from 'vitest';
import { noiseProbability } from '../../../core/statistics/noise-law.ts';
import { clearMean, type DeclaredNoise, equalityChance } from '../../../core/statistics/pair-laws.ts';

/** P[both counts are equal | both are published and their mean is clear of the threshold], by enumeration. */
function chanceOfEqual({ model, scale, threshold }: DeclaredNoise, first: number, second: number): number {
  const reach = Math.ceil(40 * scale);
  const least = clearMean({ model, scale, threshold });
  let [equal, clear] = [0, 0];
  for (let x = -reach; x <= reach; x += 1)
    for (let y = -reach; y <= reach; y += 1) {
      const [a, b] = [first + x, second + y];
      if (a < threshold! || b < threshold! || (a + b) / 2 < least) continue;
      const weight = noiseProbability(model, scale, x) * noiseProbability(model, scale, y);
      clear += weight;
      if (a === b) equal += weight;
    }
  return equal / clear;
}

// Nothing is random here.
test.each([0.3, 5 / 9, 1.25, 3])('a truth that changed makes equal counts no more frequent (scale %f)', (scale) => {
  const noise: DeclaredNoise = { model: 'discrete-laplace', scale, threshold: 18 };
  const chance = equalityChance(noise, clearMean(noise));
  const limit = Math.round(clearMean(noise));
  for (const first of [limit - 3, limit - 1, limit, limit + 1, limit + 9])
    for (const apart of [0, 1, 2, 3, 8])
      expect(chanceOfEqual(noise, first, first + apart)).toBeLessThanOrEqual(chance + 1e-12);
});
