import { describe, expect, test } from 'vitest';
import { sizeLaw } from '../../counts/audit/mechanism/noise-bins.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { binomialProbability, binomialTest, proportion } from './binomial.ts';
import { differenceProbability } from './difference-law.ts';
import { epsilonTest } from './epsilon-lower-bound.ts';
import { samplesForEpsilon, samplesForEvent, samplesForSum } from './required-samples.fixture.ts';
import { PLANNED } from './required-samples.ts';

const laplace = (scale: number) => ({ model: 'discrete-laplace', scale }) as const;

const GOAL = PLANNED;

/** The power of the exact binomial test, by enumeration. */
const powerOf = (samples: number, supposed: number, actual: number): number =>
  Array.from({ length: samples + 1 }, (_, k) =>
    binomialTest(k, samples, proportion(supposed), 'either') <= GOAL.level
      ? binomialProbability(k, samples, proportion(actual))
      : 0,
  ).reduce((sum, weight) => sum + weight, 0);

describe('samples for a power of 99.9 % at level 2.5e-6', () => {
  const equal = differenceProbability('discrete-laplace', 1, 0);
  test.each([
    ['zeros never perturbed, b = 1', Math.tanh(0.5), 1 - 1e-12, 18],
    ['half of the cells share one noise value', equal, (1 + equal) / 2, 110],
    ['a threshold one too low, seen at c = T − 1, b = 1', 1 / (1 + Math.E), Math.E / (1 + Math.E), 65],
  ])('%s', (_, supposed, actual, stated) => {
    const samples = samplesForEvent(supposed, actual, GOAL);
    expect(samples).toBe(stated);
    expect(powerOf(samples, supposed, actual)).toBeGreaterThanOrEqual(GOAL.power);
    expect(powerOf(Math.floor(0.8 * samples), supposed, actual)).toBeLessThan(GOAL.power);
  });

  test.each([
    [0.5, 152],
    [0.8, 1431],
    [0.9, 6422],
    [1.25, 1440],
  ])('scale × %f', (factor, stated) => {
    expect(samplesForSum(sizeLaw(laplace(1)), sizeLaw(laplace(factor)), GOAL, 0.4)).toBe(stated);
  });

  // 300 seeded runs: the test may miss in at most 1 of 1,000, so more than 3 misses here has a chance under 1e-3.
  test('ε claimed 1, true 2', () => {
    const chances = { present: 1 / (1 + Math.exp(-2)), absent: 1 / (1 + Math.exp(2)) };
    const runs = samplesForEpsilon(chances, { claimed: 1, delta: 0 }, GOAL);
    expect(runs).toBe(446);
    const source = seededSource(21);
    const events = (chance: number): number =>
      Array.from({ length: runs }, () => source.uint32() / 2 ** 32 < chance).filter(Boolean).length;
    let missed = 0;
    for (let seed = 0; seed < 300; seed += 1) {
      const frequencies = {
        present: { events: events(chances.present), runs },
        absent: { events: events(chances.absent), runs },
      };
      if (epsilonTest(frequencies, 0, 1) > GOAL.level) missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(3);
  });

  test('what never differs cannot be found', () => {
    expect(() => samplesForEvent(0.5, 0.5, GOAL)).toThrow(RangeError);
  });
});
