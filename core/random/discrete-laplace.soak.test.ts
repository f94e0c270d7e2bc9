import { expect, test } from 'vitest';
import { seededSource } from '../../test/support/seeded-source.ts';
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { parseRational, rational } from '../rational/rational.ts';
import { discreteLaplace } from './discrete-laplace.ts';
import { gStatistic } from './goodness-of-fit.fixture.ts';

const DRAWS = 100_000_000;
const AT_A_TIME = 1_000_000;

/** Counts of 10^8 draws in the bins X ≤ −limit … X ≥ limit. */
function countsOf(scale: ReturnType<typeof parseRational>, limit: number): number[] {
  const sampler = discreteLaplace(scale, seededSource(41));
  const counts = new Array<number>(2 * limit + 1).fill(0);
  const draws = new Int32Array(AT_A_TIME);
  for (let done = 0; done < DRAWS; done += AT_A_TIME) {
    sampler.fill(draws);
    for (const draw of draws) counts[Math.max(-limit, Math.min(limit, draw)) + limit]! += 1;
  }
  return counts;
}

// One honest sampler in 10^6 fails a test: five scales, one fixed seed.
for (const vector of vectors.cases)
  if (vector.kind === 'bins')
    test(`C7: ${vector.id}, G-test of 10^8 draws at 1e-6, and a twin whose scale is 0.2 % off fails it`, () => {
      const scale = parseRational(vector.in.b!);
      const limit = vector.in.L!;
      const probabilities = vector.out.probabilities!.map(Number);
      const critical = Number(vector.out.chi_square_critical!['1e-6']);
      expect(gStatistic(countsOf(scale, limit), probabilities)).toBeLessThan(critical);
      const off = rational(scale.numerator * 501n, scale.denominator * 500n);
      expect(gStatistic(countsOf(off, limit), probabilities)).toBeGreaterThan(critical);
    });
