import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import {
  accountingOf,
  type Charged,
  combine,
  formatCharged,
  type Measured,
  readCharged,
} from '../accounting/charged-amount.ts';
import { compare, divide, type Rational, subtract, toNumber, ZERO } from '../rational/rational.ts';
import {
  type Charge,
  charges,
  dearestBlock,
  populationCaps,
  smallerCaps,
  sumOfTexts,
  unitCharge,
  yearPeak,
} from './budget.ts';
import { showCaps } from './burn-down.ts';
import { type ShownAmount, type ShownCaps, showAmount } from './shown-amount.ts';

/** Parts of the caps that are left, from 0 (nothing) to 1 (all): of a block for ever, and over 365 days of data. */
export type BudgetLeft = Record<'block' | 'year', Measured<number>>;

/**
 * What the charges leave of the caps for the newest days of data, rounded to floating point for a gauge: whoever
 * decides about a charge uses overCap. All of it when nothing was charged.
 *
 * @contract C12
 */
export function budgetLeft(entries: readonly LedgerEntry[]): BudgetLeft {
  const history = charges(entries);
  const lastDay = (blocks: readonly { day: string }[]) => blocks.reduce((a, { day }) => (day > a ? day : a), '');
  const [newest] = [...history].reverse().sort((a, b) => (lastDay(a.blocks) < lastDay(b.blocks) ? 1 : -1));
  const caps = populationCaps(entries);
  if (!caps) return { block: { epsilon: 1, delta: 1 }, year: { epsilon: 1, delta: 1 } };
  const part = (total: Charged | undefined, cap: 'block' | 'year'): Measured<number> =>
    combine([readCharged(caps[cap]), ...(total ? [total] : [])], ([whole, sum = ZERO]) => restOf(sum, whole!));
  return {
    block: part(newest && dearestBlock(history, newest.blocks), 'block'),
    year: part(newest && yearPeak(history, newest.blocks), 'year'),
  };
}

/** A cap of 0 that nothing is charged to (δ of complete-domain) is whole. */
function restOf(total: Rational, cap: Rational): number {
  if (cap.numerator === 0n) return total.numerator === 0n ? 1 : 0;
  const rest = subtract(cap, total);
  return toNumber(divide(rest.numerator < 0n ? ZERO : rest, cap));
}

/** Exact amounts that charges of some blocks leave of the caps, never below 0, and these caps. */
export type AmountLeft = Record<'block' | 'year', ShownAmount> & { caps: ShownCaps };

/**
 * What may still be charged to the blocks of a release: to the dearest of them for ever, and over 365 days of data. Its
 * caps are those of the population, or of its series where these are smaller. Null where the ledger names no caps.
 *
 * @contract C12
 */
export function amountLeft(entries: readonly LedgerEntry[], { blocks, caps: own }: Charge): AmountLeft | null {
  const common = populationCaps(entries);
  if (!common || blocks.length === 0) return null;
  // A release of the time before its population counted ρ was held against caps in ε.
  const caps = accountingOf(own.block) === accountingOf(common.block) ? smallerCaps(common, own) : common;
  const rest = (total: Charged, cap: 'block' | 'year'): ShownAmount =>
    showAmount(
      combine([readCharged(caps[cap]), total], ([whole, sum]) =>
        compare(sum!, whole!) > 0 ? ZERO : subtract(whole!, sum!),
      ),
      caps,
    );
  const history = charges(entries);
  return {
    block: rest(dearestBlock(history, blocks), 'block'),
    year: rest(yearPeak(history, blocks), 'year'),
    caps: showCaps(caps),
  };
}

/** What all charges of one window add up to, by basic sums, and how many they are. */
export type WindowCharges = ShownAmount & { charges: number };

/** The charges of every version of a window, of releases that were refused or withdrawn too: they stay spent (C12). */
export function windowCharges(entries: readonly LedgerEntry[], series: string, window: string): WindowCharges {
  const own = charges(entries).filter(({ release }) => release.startsWith(`${series}/${window}/`));
  const all = sumOfTexts(own.map(({ blocks }) => formatCharged(unitCharge(blocks))));
  return { ...showAmount(all, populationCaps(entries)), charges: own.length };
}
