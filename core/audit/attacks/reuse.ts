import type { AuditCheck } from '../../../contracts/audit.ts';
import { report } from '../check.ts';
import { binomialTest, proportion } from '../statistics/binomial.ts';
import { differenceProbability } from '../statistics/difference-law.ts';
import type { IntegerNoise } from '../statistics/noise-law.ts';
import { clearMean, type DeclaredNoise, type EqualPair, isClear, pairLaws } from '../statistics/pair-laws.ts';

/** Equal pairs among those clear of the threshold, and the greatest chance that honest noise makes a pair equal. */
export type EqualCounts = { equal: number; pairs: number; chance: number };

/** Counts how often two published counts of equal truth are the same. */
export function equalCounts(noise: DeclaredNoise, pairs: readonly EqualPair[]): EqualCounts {
  const clear = pairs.filter((pair) => isClear(noise, pair));
  const chance = pairLaws(noise, clearMean(noise)).reduce((worst, law) => Math.max(worst, law[0]!), 0);
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
  if (tried === 0)
    return report('reuse', attack, {
      verdict: 'pass',
      sentence: 'No two published counts are known to have the same truth.',
    });
  const pValue = binomialTest(equal, tried, proportion(chance), 'greater');
  const holds = pValue > level;
  return {
    ...report('reuse', attack, {
      verdict: holds ? 'pass' : 'fail',
      statistic: equal / tried,
      bound: chance,
      sentence: holds
        ? `${equal} of ${tried} pairs of counts with the same truth are equal, as independent noise makes them.`
        : `${equal} of ${tried} pairs of counts with the same truth are equal: noise was used twice.`,
    }),
    pValue,
  };
}

/** Two noise values that should be independent: residuals of shadow runs, where the truth is known. */
export type Residuals = readonly [first: number, second: number];

/**
 * A valid p-value of "the two noise values of each pair are independent, with this law", the pairs being independent of
 * each other: the smaller of two exact tests, doubled. Equality: how many pairs are equal. Correlation: among pairs
 * without a 0 the signs agree with chance ½, whatever the law, as long as it is symmetric.
 */
export function independenceTest(model: IntegerNoise, scale: number, pairs: readonly Residuals[]): number {
  const equal = pairs.filter(([first, second]) => first === second).length;
  const signed = pairs.filter(([first, second]) => first !== 0 && second !== 0);
  const agreeing = signed.filter(([first, second]) => first > 0 === second > 0).length;
  const byEquality = binomialTest(equal, pairs.length, proportion(differenceProbability(model, scale, 0)), 'greater');
  const bySign = binomialTest(agreeing, signed.length, proportion(0.5), 'either');
  return Math.min(1, 2 * Math.min(byEquality, bySign));
}
