import type { AuditCheck } from '../../../contracts/audit-report.ts';
import type { Certificate } from '../../../contracts/certificate.ts';
import { binomialTest, proportion } from '../../../core/statistics/binomial.ts';
import { bonferroni } from '../../../core/statistics/bonferroni.ts';
import {
  clearMean,
  type DeclaredNoise,
  type EqualPair,
  equalityChance,
  isClear,
} from '../../../core/statistics/pair-laws.ts';
import { notTried, report } from '../../../core/verdict/finding.ts';
import type { AuditSubject } from '../subject.ts';
import { noiseOfCells } from './declared-noise.ts';
import { equalTruthPairs, versionPairs } from './equal-truth-pairs.ts';

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

/**
 * Reuse of noise between the ends of a service, between this version and each earlier one, and between this release and
 * each sibling under the same noise. Partitions that are declared to be the same draw are left out; a truth that differs
 * makes equal counts rarer, never more frequent. Each list of pairs is a test of its own, and the p-value is that of all
 * of them together. Nothing is claimed of siblings under another noise: the law of their pairs is another one.
 */
export function checkKnownReuse({ certificate, cells, knowledge }: AuditSubject, level: number): AuditCheck {
  const lists = [
    equalTruthPairs(cells, knowledge.services),
    ...knowledge.earlier.map((version) => versionPairs(version.cells, cells, version.sameDraw)),
    ...knowledge.siblings
      .filter((sibling) => isSameNoise(sibling.certificate, certificate))
      .map((sibling) => versionPairs(sibling.cells, cells, NOTHING_SHARED)),
  ];
  const noise = noiseOfCells(certificate);
  const tests = lists.map((pairs) => ({ pairs, pValue: checkReuse(noise, pairs, 0).pValue }));
  const pValue = bonferroni(tests.map((list) => list.pValue ?? 1));
  const [first, ...others] = tests.filter((list) => list.pValue !== null);
  if (!first) return checkReuse(noise, lists[0]!, level);
  const worst = others.reduce((least, list) => (list.pValue! < least.pValue! ? list : least), first);
  // By the p-value of all together: a part of the level for each would be rounded where the level is that p-value.
  return { ...checkReuse(noise, worst.pairs, pValue > level ? 0 : 1), pValue };
}

/** Two series never share a draw. */
const NOTHING_SHARED: ReadonlySet<string> = new Set();

/** Are counts drawn with the same noise and threshold? */
export const isSameNoise = (a: Certificate, b: Certificate): boolean =>
  a.mechanism === b.mechanism && a.scale === b.scale && a.threshold === b.threshold;
