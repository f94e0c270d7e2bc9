import type { AuditCheck } from '../../../contracts/audit.ts';
import { notTried, report } from '../../../core/verdict/check.ts';

/** A published table as an attacker sees it. */
export type NamedCounts = { name: string; counts: readonly number[] };

export type RecoveredThreshold = {
  table: string;
  /** The smallest published count: the threshold, as it shows. */
  smallest: number;
  /** How many counts are that small. */
  times: number;
  /**
   * Bound on the chance that a threshold lower than this would have shown no smaller count; null without a scale. Of two
   * neighbouring values each noise law gives the lower one at least α = e^(−1/b) times the weight of the higher, so each
   * of the smallest counts would have come out one lower with a chance of at least α/(1+α).
   */
  chanceIfLower: number | null;
};

/** The threshold of each table that has rows, from its counts alone. */
export function recoverThresholds(tables: readonly NamedCounts[], scale: number | null): RecoveredThreshold[] {
  return tables
    .filter(({ counts }) => counts.length > 0)
    .map(({ name, counts }) => {
      const smallest = counts.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY);
      const times = counts.filter((count) => count === smallest).length;
      const chanceIfLower = scale === null ? null : Math.exp(-times * Math.log1p(Math.exp(-1 / scale)));
      return { table: name, smallest, times, chanceIfLower };
    });
}

/**
 * Threshold recovery, for publications of any origin. Statistic: the smallest count of all tables; bound: the declared
 * threshold of the table with the smallest margin to it. A table without a declared threshold is a point for attention:
 * hiding it protects nobody, and readers need it. Fails when a count lies under what is declared.
 */
export function checkThresholdRecovery(
  tables: readonly NamedCounts[],
  declared: ReadonlyMap<string, number>,
  scale: number | null,
): AuditCheck {
  const attack = 'Read the threshold off the smallest published counts.';
  const found = recoverThresholds(tables, scale);
  if (found.length === 0) return notTried('threshold-recovery', attack, 'No counts are published.');
  const under = found.filter(({ table, smallest }) => smallest < (declared.get(table) ?? Number.NEGATIVE_INFINITY));
  const hidden = found.filter(({ table }) => !declared.has(table));
  const list = found.map(({ table, smallest, times }) => `${smallest} in ${table} (${times} times)`).join(', ');
  const nearest = under[0] ?? found.reduce((least, one) => (one.smallest < least.smallest ? one : least));
  return report('threshold-recovery', attack, {
    verdict: under.length > 0 ? 'fail' : hidden.length > 0 ? 'attention' : 'pass',
    statistic: nearest.smallest,
    bound: declared.get(nearest.table) ?? null,
    sentence:
      under.length > 0
        ? `Counts smaller than the declared threshold are published: ${under.map(({ table, smallest }) => `${smallest} in ${table}`).join(', ')}.`
        : `The smallest published counts show the threshold: ${list}.`,
  });
}
