import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { checkDifferencing, differencing } from './differencing.ts';
import type { SiblingTotal } from './sibling-totals.ts';

const NOISE: DeclaredNoise = { model: 'rounded-laplace', scale: 1.4, threshold: 18 };

/** Ferries at midnight: the time table says 150, the time-location table 91 and 41, and one wharf is missing. */
const SECRET_FERRY: SiblingTotal = {
  name: 'tap-offs from ferries at 00:00 on 2016-08-12',
  count: 150,
  scale: 1.4,
  published: { sum: 91 + 41, cells: 2, scale: 1.4 },
  suppressed: 1,
  counted: false,
};

// Nothing is random here.
describe('the secret ferry', () => {
  test('carries 18, and not as exactly as the report of 2017 says', () => {
    const found = differencing(NOISE, 0.95)(SECRET_FERRY);
    expect(found.difference).toBe(18);
    // Real noise would give 18 ± 6.956, whole numbers need 11 to 25; the report prints 17.02 to 18.98.
    expect(found.interval).toEqual([11, 25]);
    expect(differencing(NOISE, 0.99)(SECRET_FERRY).interval).toEqual([8, 28]);
    // That it was suppressed speaks against more than the threshold.
    expect(found.cell!.interval[1]).toBeLessThan(25);
    expect(found.cell!.likeliest).toBe(16);
  });

  test('fails the publication, with the example in the sentence', () => {
    const check = checkDifferencing([SECRET_FERRY], NOISE, 0.95);
    expect(check).toMatchObject({
      verdict: 'fail',
      statistic: 1,
      interval: differencing(NOISE, 0.95)(SECRET_FERRY).cell!.interval,
    });
    expect(check.sentence).toContain(
      '1 of 1 totals give suppressed cells away, such as tap-offs from ferries at 00:00',
    );
  });
});

// Nothing is random here either, but for the margins of the last test.
describe('differencing', () => {
  const derived: SiblingTotal = { ...SECRET_FERRY, count: 132, scale: 0 };

  test('passes derived tables, whose totals are the sums of the published cells', () => {
    const check = checkDifferencing([derived, { ...derived, suppressed: 0 }], NOISE, 0.95);
    expect(check).toMatchObject({ verdict: 'pass', statistic: 0, interval: null });
    expect(check.sentence).toContain('None of 2 totals');
  });

  test('broken twins: a time table from the raw data fails, be it by one tap', () => {
    expect(checkDifferencing([{ ...derived, count: 133 }], NOISE, 0.95).verdict).toBe('fail');
    expect(checkDifferencing([derived, { ...derived, count: 150 }], NOISE, 0.95).statistic).toBe(1);
    // An older version of the same cells, with everything published, is no breach; one that shows a cell is.
    expect(checkDifferencing([{ ...SECRET_FERRY, suppressed: 0 }], NOISE, 0.95).verdict).toBe('pass');
    expect(
      checkDifferencing([{ ...SECRET_FERRY, count: 12, published: { sum: 0, cells: 0, scale: 0 } }], NOISE, 0.95)
        .verdict,
    ).toBe('fail');
  });

  test('passes a noisy total too vague to tell anything, and many cells that share one', () => {
    const vague = { ...SECRET_FERRY, count: 142, scale: 30 };
    expect(checkDifferencing([vague], NOISE, 0.95).verdict).toBe('pass');
    expect(checkDifferencing([{ ...SECRET_FERRY, suppressed: 90, count: 132 }], NOISE, 0.95).verdict).toBe('fail');
  });

  test('reports the interval of a remainder row over a single cell, which is paid for', () => {
    const noise: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 10 };
    const margin: SiblingTotal = {
      name: 'tap-ons at Manly at 05:00',
      count: 26,
      scale: 8,
      suppressed: 1,
      counted: true,
      published: { sum: 21, cells: 1, scale: 1 },
    };
    const check = checkDifferencing([margin, { ...margin, suppressed: 3 }], noise, 0.95);
    expect([check.verdict, check.statistic]).toEqual(['pass', 0]);
    expect(check.interval).toEqual(differencing(noise, 0.95)(margin).cell!.interval);
    expect(check.sentence).toContain('tap-ons at Manly at 05:00');
    expect(checkDifferencing([{ ...margin, counted: false, scale: 1 }], noise, 0.95).verdict).toBe('fail');
  });

  // 2,000 totals: exact intervals miss in at most 5 %, within four standard errors.
  test('its interval holds what is suppressed as often as it says', () => {
    const noise: DeclaredNoise = { model: 'discrete-laplace', scale: 1, threshold: 10 };
    const source = seededSource(13);
    const [cellNoise, totalNoise] = [discreteLaplace(rational(1n), source), discreteLaplace(rational(2n), source)];
    let missed = 0;
    for (let index = 0; index < 2000; index += 1) {
      const [a, b, hidden] = [30 + (index % 7), 55, index % 9];
      const total: SiblingTotal = {
        name: 'total',
        count: a + b + hidden + totalNoise.draw(),
        scale: 2,
        suppressed: 2,
        counted: true,
        published: { sum: a + cellNoise.draw() + b + cellNoise.draw(), cells: 2, scale: 1 },
      };
      const [lower, upper] = differencing(noise, 0.95)(total).interval;
      if (hidden < lower || hidden > upper) missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(2000 * 0.05 + 4 * Math.sqrt(2000 * 0.05 * 0.95));
  });
});
