import type { AuditCheck } from '../../../contracts/audit.ts';
import { binomialTest, proportion } from '../../../core/statistics/binomial.ts';
import {
  clearMean,
  type DeclaredNoise,
  type EqualPair,
  equalityChance,
  isClear,
} from '../../../core/statistics/pair-laws.ts';
import { notTried, report } from '../../../core/verdict/check.ts';

/** Equal pairs among those clear of the threshold, and the greatest chance that honest noise makes a pair equal. */
export type EqualCounts = { equal: number; pairs: number; chance: number };

/** Counts how often two published counts of equal truth are the same. */
export function equalCounts(noise: DeclaredNoise, pairs: readonly EqualPair[]): EqualCounts {
  const clear = pairs.filter((pair) => isClear(noise, pair));
  const chance = clear.length === 0 ? 0 : equalityChance(noise, clearMean(noise));
  return { equal: clear.filter(([first, second]) => first === second).length, pairs: clear.length, chance };
}

/**
 * Reuse: pairs of counts of equal truth (two versions of a cell, the two ends of a closed line) must not be equal more
 * often than independent noise makes them. Statistic: share of equal pairs; bound: the greatest chance that honest
 * noise gives. The p-value is valid whatever the truths; fails when it is at most `level`.
 */
export function checkReuse(noise: DeclaredNoise, pairs: readonly EqualPair[], level: number): AuditCheck {
  const attack = 'Look for the same noise in two cells or two versions.';
  const { equal, pairs: tried, chance } = equalCounts(noise, pairs);
  if (tried === 0) return notTried('reuse', attack, 'No two published counts are known to have the same truth.');
  const pValue = binomialTest(equal, tried, proportion(chance), 'greater');
  return report('reuse', attack, {
    holds: pValue > level,
    statistic: equal / tried,
    bound: chance,
    pValue,
    right: `${equal} of ${tried} pairs of counts with the same truth are equal, as independent noise makes them.`,
    wrong: `${equal} of ${tried} pairs of counts with the same truth are equal: noise was used twice.`,
  });
}
