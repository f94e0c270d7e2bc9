import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type Amount, type AmountText, amountOf, formatAmount } from '../accounting/basic-composition.ts';
import { divide, type Rational, subtract, toNumber, ZERO } from '../rational/rational.ts';
import {
  blockSpent,
  type Charge,
  charges,
  larger,
  NOTHING,
  populationCaps,
  smallerCaps,
  sum,
  unitCharge,
  yearPeak,
} from './budget.ts';

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
  const blocks = newest.blocks.map(({ part, day }) => left(blockSpent(entries, part, day), caps.block));
  return {
    block: {
      epsilon: Math.min(...blocks.map(({ epsilon }) => epsilon)),
      delta: Math.min(...blocks.map(({ delta }) => delta)),
    },
    year: left(yearPeak(reserved, newest.blocks), caps.year),
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

/** Exact amounts, as text in lowest terms, that charges of some blocks leave of the caps; never below 0. */
export type AmountLeft = Record<'block' | 'year', AmountText>;

/**
 * What may still be charged to the blocks of a release: to the dearest of them for ever, and over 365 days of data. Its
 * caps are those of the population, or of its series where these are smaller. Null where the ledger names no caps.
 *
 * @contract C12
 */
export function amountLeft(entries: readonly LedgerEntry[], { blocks, caps: own }: Charge): AmountLeft | null {
  const common = populationCaps(entries);
  if (!common || blocks.length === 0) return null;
  const caps = smallerCaps(common, own);
  const spent = blocks.map(({ part, day }) => blockSpent(entries, part, day));
  return { block: rest(spent.reduce(larger), caps.block), year: rest(yearPeak(charges(entries), blocks), caps.year) };
}

function rest({ epsilon, delta }: Amount, cap: AmountText): AmountText {
  const whole = amountOf(cap);
  return formatAmount(
    larger({ epsilon: subtract(whole.epsilon, epsilon), delta: subtract(whole.delta, delta) }, NOTHING),
  );
}

/** What all charges of one window add up to, by basic sums, and how many they are. */
export type WindowCharges = AmountText & { charges: number };

/** The charges of every version of a window, of releases that were refused or withdrawn too: they stay spent (C12). */
export function windowCharges(entries: readonly LedgerEntry[], series: string, window: string): WindowCharges {
  const own = charges(entries).filter(({ release }) => release.startsWith(`${series}/${window}/`));
  return { ...formatAmount(sum(own.map(({ blocks }) => unitCharge(blocks)))), charges: own.length };
}
