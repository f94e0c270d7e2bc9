import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enumerateLaw } from '../../../core/random/coin-tree.fixture.ts';
import { exactCoins } from '../../../core/random/coins.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { goodnessOfFit } from '../../../core/statistics/goodness-of-fit.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { exponentialChoice } from './exponential-choice.ts';

/** P[place] ∝ e^(rate·score/(2·unit)). */
function chances(scores: readonly number[], unit: number, rate: number): number[] {
  const best = Math.max(...scores);
  const pulls = scores.map((score) => Math.exp((rate * (score - best)) / (2 * unit)));
  const all = pulls.reduce((sum, pull) => sum + pull, 0);
  return pulls.map((pull) => pull / all);
}

describe('the exponential mechanism', () => {
  test.each([
    [[3, 1], 1, '1/2'],
    [[0, 0, 0], 1, '1'],
    [[128, 0, 64], 64, '3/2'],
    [[0, 7], 1, '1'],
  ] as const)('has its exact law, along every sequence of coins: scores %j of 1/%i at %s', (scores, unit, rate) => {
    const asked = parseRational(rate);
    const { probabilities, rest } = enumerateLaw(
      (coins) => exponentialChoice(scores, BigInt(unit), asked, coins),
      1e-6,
    );
    const law = chances(scores, unit, toNumber(asked));
    expect(rest).toBeLessThan(0.03);
    for (const [place, chance] of law.entries()) {
      const found = probabilities.get(place) ?? 0;
      expect(found).toBeLessThanOrEqual(chance + 1e-12);
      expect(found + rest).toBeGreaterThanOrEqual(chance - 1e-12);
    }
    // Broken twin: without the halving, the law is another one as soon as scores differ.
    const twice = chances(scores, unit, 2 * toNumber(asked));
    const misses = twice.some((chance, place) => Math.abs(chance - (probabilities.get(place) ?? 0)) > rest + 1e-3);
    expect(misses).toBe(new Set(scores).size > 1);
  });

  test('is the law of many draws', () => {
    const scores = [40, 10, 0, 33, 40];
    const counts = scores.map(() => 0);
    const coins = exactCoins(seededSource(7));
    for (let draw = 0; draw < 20_000; draw += 1)
      counts[exponentialChoice(scores, 8n, parseRational('3/4'), coins)]! += 1;
    expect(goodnessOfFit(counts, chances(scores, 8, 0.75))).toBeGreaterThan(1e-4);
    expect(goodnessOfFit(counts, chances(scores, 8, 0.9))).toBeLessThan(1e-6);
  });

  test('a score far below the best one is not drawn, and ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9 }), (best) => {
        const scores = Array.from({ length: 10 }, (_, place) => (place === best ? 1e9 : 0));
        expect(exponentialChoice(scores, 64n, parseRational('1'), exactCoins(seededSource(best)))).toBe(best);
      }),
      { numRuns: 10 },
    );
  });
});
