import type { AuditCheck } from '../../../contracts/audit.ts';
import {
  add,
  compare,
  divide,
  multiply,
  parseRational,
  type Rational,
  rational,
  subtract,
} from '../../rational/rational.ts';
import { report } from '../check.ts';

const HUNDRED = rational(100n);
const HALF = rational(1n, 2n);

const floor = ({ numerator, denominator }: Rational): bigint =>
  numerator / denominator - (numerator % denominator < 0n ? 1n : 0n);
const ceiling = ({ numerator, denominator }: Rational): bigint => -floor(rational(-numerator, denominator));

/** The shares that print as this percentage with so many decimals: percent/100, half a unit of the last place each way. */
function sharesPrintedAs(percent: string, decimals: number): { lower: Rational; upper: Rational } {
  const halfUnit = multiply(HALF, rational(1n, 10n ** BigInt(decimals)));
  const value = parseRational(percent);
  return { lower: divide(subtract(value, halfUnit), HUNDRED), upper: divide(add(value, halfUnit), HUNDRED) };
}

export type RemovedRows = {
  /** Share times rows, taken at its word. */
  product: Rational;
  /** Between these the number of removed rows lies, exactly. */
  lower: Rational;
  upper: Rational;
  /** The first and the last whole number in between, null when there is none: with few the number is given away. */
  integers: [first: bigint, last: bigint] | null;
  /** Totals of which one removed row prints as this percentage; null when there is no upper end. */
  totalsIfOne: [bigint, bigint] | null;
};

/** What a percentage of removed rows, printed with so many decimals, says of their number among `rows`. Exact. */
export function removedRows(rows: bigint, percent: string, decimals: number): RemovedRows {
  const shares = sharesPrintedAs(percent, decimals);
  const lower = multiply(shares.lower, rational(rows));
  const upper = multiply(shares.upper, rational(rows));
  const first = ceiling(lower) > 0n ? ceiling(lower) : 0n;
  const last = floor(upper);
  return {
    product: divide(multiply(parseRational(percent), rational(rows)), HUNDRED),
    lower,
    upper,
    integers: first <= last ? [first, last] : null,
    totalsIfOne:
      shares.lower.numerator > 0n
        ? [ceiling(divide(rational(1n), shares.upper)), floor(divide(rational(1n), shares.lower))]
        : null,
  };
}

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
    verdict: leaking.length === 0 ? 'pass' : 'fail',
    statistic: leaking.length,
    bound: 0,
    sentence:
      leaking.length === 0
        ? 'Every printed statistic follows from the published rows, so none tells of rows that were removed.'
        : `These statistics do not follow from the published rows: ${leaking.map(({ name }) => name).join(', ')}.`,
  });
}
