import { describe, expect, test } from 'vitest';
import { logSmallNoiseBound } from './clear-pairs.ts';
import { differenceInformation, differenceProbability, differenceScore } from './difference-law.ts';
import { gaussianTail } from './gaussian-law.ts';
import { sumBounds, sumHalfWidth, sumLaw, type Term } from './integer-sum.ts';
import { noiseProbability, noiseTail, noiseVariance } from './noise-law.ts';
import { clearMean, type DeclaredNoise, differenceSizes, equalityChance } from './pair-laws.ts';

const LAW = 'discrete-gaussian';
const DEVIATIONS = [0.1, 0.4, 0.7, 1.3, 2.9, 3.1, 6];

/** P[X = x] for |x| ≤ reach, by the definition. */
function chancesOf(deviation: number): Map<number, number> {
  const reach = Math.ceil(20 * deviation) + 3;
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at): [number, number] => [
    at - reach,
    Math.exp(-((at - reach) ** 2) / (2 * deviation ** 2)),
  ]);
  const whole = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([x, weight]) => [x, weight / whole]));
}

const total = (chances: ReadonlyMap<number, number>, value: (x: number) => number): number =>
  [...chances].reduce((sum, [x, chance]) => sum + chance * value(x), 0);

function differencesOf(deviation: number): Map<number, number> {
  const chances = chancesOf(deviation);
  const found = new Map<number, number>();
  for (const [x, one] of chances)
    for (const [y, other] of chances) found.set(x - y, (found.get(x - y) ?? 0) + one * other);
  return found;
}

describe.each(DEVIATIONS)('discrete Gaussian noise of σ = %d, by enumeration', (deviation) => {
  const chances = chancesOf(deviation);

  test('chances, tails, moments and variance', () => {
    for (const x of [-3, 0, 1, 4]) expect(noiseProbability(LAW, deviation, x)).toBeCloseTo(chances.get(x) ?? 0, 13);
    for (const t of [-4, -1, 0, 1, 2, 5]) {
      const from = (value: (x: number) => number): number => total(chances, (x) => (x >= t ? value(x) : 0));
      const tail = gaussianTail(deviation, t);
      expect(noiseTail(LAW, deviation, t)).toBeCloseTo(
        from(() => 1),
        13,
      );
      expect(tail.first).toBeCloseTo(
        from((x) => x),
        12,
      );
      expect(tail.second).toBeCloseTo(
        from((x) => x * x),
        11,
      );
    }
    expect(noiseVariance(LAW, deviation)).toBeCloseTo(
      total(chances, (x) => x * x),
      11,
    );
    // Deep tails keep their digits.
    const deep = Math.ceil(12 * deviation);
    const exact = [...chances].reduce((sum, [x, chance]) => (x >= deep ? sum + chance : sum), 0);
    expect(noiseTail(LAW, deviation, deep) / exact).toBeCloseTo(1, 9);
  });

  test('differences, their sizes, their score and their information', () => {
    const found = differencesOf(deviation);
    for (const d of [0, 1, 2, 5]) expect(differenceProbability(LAW, deviation, d)).toBeCloseTo(found.get(d) ?? 0, 12);
    const { mean, logMoment } = differenceSizes({ model: LAW, scale: deviation });
    expect(mean).toBeCloseTo(total(found, Math.abs), 11);
    for (const exponent of [-2 / deviation, -0.3 / deviation, 0.4 / deviation])
      expect(Math.exp(logMoment(exponent))).toBeCloseTo(
        total(found, (d) => Math.exp(exponent * Math.abs(d))),
        9,
      );
    const step = 1e-5 * deviation;
    const chance = (d: number, at: number): number => Math.log(differenceProbability(LAW, at, d));
    for (const d of [0, 1, 3]) {
      const slope = (chance(d, deviation + step) - chance(d, deviation - step)) / (2 * step);
      const size = Math.max(1, Math.abs(slope));
      if (Number.isFinite(slope)) expect((differenceScore(LAW, deviation, d) - slope) / size).toBeCloseTo(0, 4);
    }
    const square = total(found, (d) => differenceScore(LAW, deviation, Math.abs(d)) ** 2);
    expect(differenceInformation(LAW, deviation) / square).toBeCloseTo(1, 6);
  });

  test('sums of several, and the smallest interval that holds them', () => {
    const terms: Term[] = [
      [deviation, 2],
      [2 * deviation, 1],
    ];
    let sum = new Map([[0, 1]]);
    for (const one of [chances, chances, chancesOf(2 * deviation)]) {
      const next = new Map<number, number>();
      for (const [x, a] of sum) for (const [y, b] of one) next.set(x + y, (next.get(x + y) ?? 0) + a * b);
      sum = next;
    }
    const bounds = sumBounds(LAW, terms);
    for (const m of [0, 1, 3, 10]) {
      const within = total(sum, (x) => (Math.abs(x) <= m ? 1 : 0));
      expect(bounds(m).lower).toBeLessThanOrEqual(within + 1e-12);
      expect(bounds(m).upper).toBeGreaterThanOrEqual(within - 1e-12);
      expect(bounds(m).upper - bounds(m).lower).toBeLessThan(1e-11);
    }
    const { halfWidth } = sumHalfWidth(LAW, terms, 0.95);
    expect(total(sum, (x) => (Math.abs(x) <= halfWidth ? 1 : 0))).toBeGreaterThanOrEqual(0.95);
    expect(total(sum, (x) => (Math.abs(x) < halfWidth ? 1 : 0))).toBeLessThan(0.95);
    expect(sumLaw(LAW, terms).chances[0]).toBeCloseTo(sum.get(0)!, 11);
  });

  test('clear pairs of any truth: their moments and their chance to be equal stay under the bounds', () => {
    if (deviation > 3) return;
    const noise: DeclaredNoise = { model: LAW, scale: deviation, threshold: 9 };
    const clear = clearMean(noise);
    for (let truth = 0; truth < clear + 4; truth += 1) {
      let [seen, equal, moment] = [0, 0, 0];
      for (const [x, one] of wide)
        for (const [y, other] of wide) {
          if (truth + Math.min(x, y) < 9 || truth + (x + y) / 2 < clear) continue;
          const weight = Math.exp(one + other);
          seen += weight;
          if (x === y) equal += weight;
          moment += weight * Math.exp(-Math.abs(x - y) / deviation);
        }
      if (seen === 0) continue;
      expect(equal / seen).toBeLessThanOrEqual(equalityChance(noise, clear) * (1 + 1e-9));
      // Of one pair whose difference is 0 the bound is at least −ln of the moment at each exponent, less ln 6.
      expect(Math.log(moment / seen)).toBeLessThanOrEqual(
        Math.log(6) - logSmallNoiseBound(noise, [[clear + 1, clear + 1]]) + 1e-6,
      );
    }
  });
  const reachOfWide = Math.ceil(36 * deviation) + 12;
  const wide = Array.from({ length: 2 * reachOfWide + 1 }, (_, at): [number, number] => [
    at - reachOfWide,
    -((at - reachOfWide) ** 2) / (2 * deviation ** 2),
  ]);
});

test('laws of several mechanisms in one sum: each has its own transform', () => {
  const chance = (term: Term): number => sumLaw(LAW, [[2, 1], term]).chances[0]!;
  const by = (other: 'discrete-laplace' | 'discrete-gaussian'): number =>
    total(chancesOf(2), (x) => noiseProbability(other, 3, x));
  expect(chance([3, 1, 'discrete-laplace'])).toBeCloseTo(by('discrete-laplace'), 11);
  expect(chance([3, 1])).toBeCloseTo(by('discrete-gaussian'), 11);
});

test('the noise of a city is computed as fast: σ of 4,096', () => {
  expect(noiseTail(LAW, 4096, 4096)).toBeCloseTo(0.15865, 3);
  expect(sumHalfWidth(LAW, [[4096, 96]], 0.95).halfWidth / (1.96 * 4096 * Math.sqrt(96))).toBeCloseTo(1, 3);
});
