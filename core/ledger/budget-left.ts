import type { LedgerEntry } from '../../contracts/formats/ledger.ts';
import { divide, type Rational, subtract, toNumber, ZERO } from '../rational/rational.ts';
import { type Amount, amountOf, blockSpent, charges, populationCaps, yearPeak } from './budget.ts';

/** Parts of the caps that are left, from 0 (nothing) to 1 (all): of a block for ever, and over 365 days of data. */
export type BudgetLeft = Record<'block' | 'year', { epsilon: number; delta: number }>;

/**
 * What the charges leave of the caps, where the newest days of data lie, rounded to floating point for a gauge: who
 * decides about a charge uses overCap. All of it when nothing was charged.
 *
 * @contract C12
 */
export function budgetLeft(entries: readonly LedgerEntry[]): BudgetLeft {
  const reserved = charges(entries);
  const lastDay = (blocks: readonly { day: string }[]) => blocks.reduce((a, { day }) => (day > a ? day : a), '');
  const [newest] = [...reserved].reverse().sort((a, b) => (lastDay(a.blocks) < lastDay(b.blocks) ? 1 : -1));
  const caps = populationCaps(entries);
  if (!newest || !caps) return { block: { epsilon: 1, delta: 1 }, year: { epsilon: 1, delta: 1 } };
  const days = newest.blocks.map(({ day }) => day);
  const blocks = newest.blocks.map(({ part, day }) => left(blockSpent(entries, part, day), caps.block));
  return {
    block: {
      epsilon: Math.min(...blocks.map(({ epsilon }) => epsilon)),
      delta: Math.min(...blocks.map(({ delta }) => delta)),
    },
    year: left(yearPeak(reserved, days), caps.year),
  };
}

function left(spent: Amount, cap: { epsilon: string; delta: string }): { epsilon: number; delta: number } {
  const whole = amountOf(cap);
  return { epsilon: part(spent.epsilon, whole.epsilon), delta: part(spent.delta, whole.delta) };
}

/** A cap of 0 that nothing is charged to (δ of complete-domain) is whole. */
function part(spent: Rational, cap: Rational): number {
  if (cap.numerator === 0n) return spent.numerator === 0n ? 1 : 0;
  const rest = subtract(cap, spent);
  return toNumber(divide(rest.numerator < 0n ? ZERO : rest, cap));
}
