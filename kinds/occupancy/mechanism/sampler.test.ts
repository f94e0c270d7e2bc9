import { describe, expect, test } from 'vitest';
import { chiSquare } from '../../../core/random/goodness-of-fit.fixture.ts';
import { chiSquareTail } from '../../../core/statistics/fisher.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { closedForm } from './closed-form.ts';
import { categoryAt, drawCategory } from './sampler.ts';
import { VDL } from './vehicle-models.fixture.ts';
import { WEIGHT_BITS, weightsOf } from './weights.ts';

/** The seed is fixed; over all seeds an exact sampler would fail once in a million. */
const FALSE_ALARM = 1e-6;
const DRAWS = 60_000;

/** A category that is expected less often is counted with the most likely one. */
const LEAST_EXPECTED = 20;

/** P-value of draws from one row against the law of another; drawn twice, as the tail wants an even number of degrees. */
function pValue(drawn: readonly bigint[], law: readonly bigint[], seed: number): number {
  const expected = law.map((weight) => (DRAWS * Number(weight)) / 2 ** WEIGHT_BITS);
  const likely = expected.indexOf(Math.max(...expected));
  const bins = expected.flatMap((count, category) =>
    count >= LEAST_EXPECTED && category !== likely ? [category] : [],
  );
  const shares = bins.map((category) => expected[category]! / DRAWS);
  const rest = 1 - shares.reduce((sum, share) => sum + share, 0);
  let statistic = 0;
  for (const source of [seededSource(seed), seededSource(seed + 1000)]) {
    const counts = [...bins.map(() => 0), 0];
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const category = drawCategory(drawn, source);
      if (law[category] === 0n) return 0;
      const bin = bins.indexOf(category);
      counts[bin < 0 ? bins.length : bin]! += 1;
    }
    statistic += chiSquare(counts, [...shares, rest]);
  }
  return chiSquareTail(statistic, 2 * bins.length);
}

describe('a draw of a category', () => {
  const weights = weightsOf(closedForm(VDL, { epsilon: 1, delta: 1e-5 }));

  test.each([0, 5, 35, 36, 54, 70])('has the law of the row of %i passengers', (passengers) => {
    expect(pValue(weights[passengers]!, weights[passengers]!, 17 + passengers)).toBeGreaterThan(FALSE_ALARM);
  });

  test('broken twins: draws of the next row, and of uniform categories, are noticed', () => {
    expect(pValue(weights[36]!, weights[35]!, 5)).toBeLessThan(FALSE_ALARM);
    expect(pValue([1n, 1n, 1n, 1n, 1n, 1n], weights[35]!, 5)).toBeLessThan(FALSE_ALARM);
  });

  test('is exact: of all numbers below the sum, as many as its weight give a category', () => {
    const row = [0n, 3n, 0n, 1n, 12n, 0n];
    const counts = row.map(() => 0n);
    for (let number = 0n; number < 16n; number += 1n) counts[categoryAt(row, number)]! += 1n;
    expect(counts).toEqual(row);
  });
});
