import { describe, expect, test } from 'vitest';
import { differenceProbability } from './difference-law.ts';
import { type IntegerNoise, noiseProbability } from './noise-law.ts';
import { clearMean, type DeclaredNoise, isClear, pairLaws } from './pair-laws.ts';
import type { SizeLaw } from './sum-test.ts';

const noise = (model: IntegerNoise, scale: number, threshold: number | null): DeclaredNoise => ({
  model,
  scale,
  threshold,
});

/** The law of |X − Y| of published pairs of this truth, by going through all noises. */
function enumerated({ model, scale, threshold }: DeclaredNoise, truth: number, leastMean: number): number[] {
  const law = Array<number>(30).fill(0);
  let total = 0;
  for (let x = -60; x <= 60; x += 1)
    for (let y = -60; y <= 60; y += 1) {
      const seen = Math.min(truth + x, truth + y) >= (threshold ?? -Infinity) && truth + (x + y) / 2 >= leastMean;
      if (!seen) continue;
      const weight = noiseProbability(model, scale, x) * noiseProbability(model, scale, y);
      total += weight;
      if (Math.abs(x - y) < law.length) law[Math.abs(x - y)]! += weight;
    }
  return law.map((weight) => weight / total);
}

const expectLaw = (law: SizeLaw, exact: readonly number[]): void => {
  for (const [size, chance] of exact.entries()) expect(law[size]).toBeCloseTo(chance, 12);
};

describe('laws of pairs of equal truth', () => {
  test.each(['discrete-laplace', 'rounded-laplace'] as const)('%s: one for each truth, by enumeration', (model) => {
    const declared = noise(model, 1, 18);
    const laws = pairLaws(declared, clearMean(declared));
    for (const truth of [17, 18, 22, 26, 31]) expectLaw(laws[truth - 17]!, enumerated(declared, truth, 26.5));
    // All truths under the threshold have one law.
    expectLaw(laws[0]!, enumerated(declared, 12, 26.5));
    expect(laws.every((law) => Math.abs(law.reduce((sum, chance) => sum + chance, 0) - 1) < 1e-12)).toBe(true);
  });

  test('far above the threshold, and without one, it is the plain law of differences', () => {
    const plain = Array.from(
      { length: 20 },
      (_, d) => (d === 0 ? 1 : 2) * differenceProbability('discrete-laplace', 1.4, d),
    );
    expectLaw(pairLaws(noise('discrete-laplace', 1.4, 18), 18).at(-1)!, plain);
    const [only, ...none] = pairLaws(noise('discrete-laplace', 1.4, null), Number.NEGATIVE_INFINITY);
    expectLaw(only!, plain);
    expect(none).toHaveLength(0);
  });

  test('broken twin: the plain law misses what suppression does to pairs near the threshold', () => {
    const near = pairLaws(noise('discrete-laplace', 1, 18), 18)[0]!;
    expect(near[0]! / differenceProbability('discrete-laplace', 1, 0)).toBeGreaterThan(1.6);
  });

  test('a pair is clear from T + 8b and a half on', () => {
    const declared = noise('discrete-laplace', 2, 18);
    expect(clearMean(declared)).toBe(34.5);
    expect(isClear(declared, [34, 35])).toBe(true);
    expect(isClear(declared, [33, 35])).toBe(false);
    expect(isClear(noise('discrete-laplace', 2, null), [-5, 0])).toBe(true);
  });
});
