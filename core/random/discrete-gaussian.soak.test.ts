import { expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import { parseRational, type Rational, rational, toNumber } from '../rational/rational.ts';
import { chiSquareTail } from '../statistics/fisher.ts';
import { discreteGaussian } from './discrete-gaussian.ts';
import { gaussianBins } from './gaussian-bins.fixture.ts';
import { gStatistic } from './goodness-of-fit.fixture.ts';

const AT_A_TIME = 1_000_000;

/** Counts of draws in the bins X ≤ −limit … X ≥ limit. */
function countsOf(variance: Rational, limit: number, draws: number): number[] {
  const sampler = discreteGaussian(variance, seededSource(41));
  const counts = new Array<number>(2 * limit + 1).fill(0);
  const filled = new Int32Array(AT_A_TIME);
  for (let done = 0; done < draws; done += AT_A_TIME) {
    sampler.fill(filled);
    for (const draw of filled) counts[Math.max(-limit, Math.min(limit, draw)) + limit]! += 1;
  }
  return counts;
}

// One honest sampler in 10^6 fails a test: fixed seeds.
test.each([
  ['1/4', 1_000_000_000],
  ['25', 100_000_000],
  ['36440/3', 100_000_000],
])('C7: G-test with σ² = %s of %i draws at 1e-6, and a twin whose σ² is 0.4 percent off fails it', (text, draws) => {
  const variance = parseRational(text);
  let limit = Math.ceil(7 * Math.sqrt(toNumber(variance))) + 2;
  while (gaussianBins(variance, limit)[0]! * draws < 5) limit -= 1;
  const chances = gaussianBins(variance, limit);
  const p = (counts: number[]) => chiSquareTail(gStatistic(counts, chances), 2 * limit);
  expect(p(countsOf(variance, limit, draws))).toBeGreaterThan(1e-6);
  const off = rational(variance.numerator * 251n, variance.denominator * 250n);
  expect(p(countsOf(off, limit, draws))).toBeLessThan(1e-6);
});
