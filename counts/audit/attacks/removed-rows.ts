import type { AuditCheck } from '../../../contracts/audit.ts';
import { add, compare, multiply, parseRational, rational, subtract } from '../../../core/rational/rational.ts';
import { report } from '../../../core/verdict/check.ts';

const HALF = rational(1n, 2n);

/** A statistic that a publication prints, and the same statistic of its published rows: null when they do not give it. */
export type PrintedStatistic = { name: string; printed: string; fromRows: string | null };

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;

/** Does the exact value print as this text, rounded to the text's decimals (either way when it lies half-way)? */
function printsAs(value: string, printed: string): boolean {
  const halfUnit = multiply(HALF, rational(1n, 10n ** BigInt(decimalsOf(printed))));
  const [exact, shown] = [parseRational(value), parseRational(printed)];
  return compare(exact, subtract(shown, halfUnit)) >= 0 && compare(exact, add(shown, halfUnit)) <= 0;
}

/**
 * Removed rows: every printed statistic has to follow from the published rows; one that does not was computed from
 * what was removed, and counts it. Statistic: how many do not follow.
 */
export function checkRemovedRows(statistics: readonly PrintedStatistic[]): AuditCheck {
  const leaking = statistics.filter(({ printed, fromRows }) => fromRows === null || !printsAs(fromRows, printed));
  return report('removed-rows', 'Work out the number of removed rows from a printed statistic.', {
    holds: leaking.length === 0,
    statistic: leaking.length,
    bound: 0,
    right: 'Every printed statistic follows from the published rows, so none tells of rows that were removed.',
    wrong: `These statistics do not follow from the published rows: ${leaking.map(({ name }) => name).join(', ')}.`,
  });
}
