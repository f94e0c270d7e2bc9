import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type Amount, type AmountText, amountOf, formatAmount } from '../accounting/basic-composition.ts';
import { compare } from '../rational/rational.ts';
import {
  type Caps,
  type ChargedBlocks,
  charges,
  populationCaps,
  reserves,
  type Span,
  spanOf,
  sum,
  unitCharge,
  yearPeak,
} from './budget.ts';

/** How a charge ended: not yet, with a publication, or without one; or it was taken over for draws without an entry. */
export type ChargeState = 'reserved' | 'committed' | 'withheld' | 'taken-over';

/** One release that was charged; amounts are those of its dearest block. */
export type ChargedRelease = AmountText &
  Span & {
    release: string;
    /** Null where no reserve was found. */
    charge: string | null;
    state: ChargeState;
    /** Null where nothing says it. */
    unit: string | null;
    /** The fullest 365 days of data that touch the release, when it was charged: what its cap was held against. */
    year: AmountText;
  };

/** An attempt that policy refused: what, why, and who asked. */
export type RefusedAttempt = { release: string; code: string; subject: string; reason: string };

/** Blocks of which the same was spent. */
export type SpentBlocks = AmountText & Span & { parts: string[] };

export type BurnDown = {
  charges: ChargedRelease[];
  refusals: RefusedAttempt[];
  /** Caps of the population; null when nothing was charged. */
  caps: Caps | null;
  /** The dearest blocks first. */
  blocks: SpentBlocks[];
};

/**
 * What a ledger has charged, seen as budget that burns down: by release, by block for ever, and over 365 days of data.
 * Reserved budget counts as spent, whatever came after (C12).
 *
 * @contract C12
 */
export function burnDown(entries: readonly LedgerEntry[]): BurnDown {
  const charged = charges(entries);
  return {
    charges: charged.map((_, place) => chargedRelease(charged.slice(0, place + 1), entries)),
    refusals: entries
      .filter((entry) => entry.kind === 'refuse')
      .map(({ release, code, subject, reason }) => ({ release, code, subject, reason })),
    caps: charged.length > 0 ? populationCaps(entries) : null,
    blocks: spentBlocks(charged),
  };
}

/** The newest of the charges so far. */
function chargedRelease(charged: readonly ChargedBlocks[], entries: readonly LedgerEntry[]): ChargedRelease {
  const { release, blocks } = charged.at(-1)!;
  const reserve = reserves(entries).find((entry) => entry.blocks === blocks);
  return {
    release,
    charge: reserve?.charge ?? null,
    state: reserve ? stateOf(reserve.charge, entries) : 'taken-over',
    unit: reserve?.unit ?? null,
    ...formatAmount(unitCharge(blocks)),
    ...spanOf(blocks),
    year: formatAmount(yearPeak(charged, blocks)),
  };
}

function stateOf(charge: string, entries: readonly LedgerEntry[]): ChargeState {
  const end = entries.find(
    (entry) => (entry.kind === 'commit' || entry.kind === 'withhold') && entry.charge === charge,
  );
  if (!end) return 'reserved';
  return end.kind === 'commit' ? 'committed' : 'withheld';
}

function spentBlocks(charged: readonly ChargedBlocks[]): SpentBlocks[] {
  const spent = new Map<string, { part: string; day: string; amount: Amount }>();
  for (const block of charged.flatMap(({ blocks }) => blocks)) {
    const name = `${block.part}/${block.day}`;
    const before = spent.get(name);
    const amount = before ? sum([before.amount, amountOf(block)]) : amountOf(block);
    spent.set(name, { part: block.part, day: block.day, amount });
  }
  const groups = Map.groupBy(spent.values(), ({ amount }) => Object.values(formatAmount(amount)).join());
  return [...groups.values()]
    .sort(([a], [b]) => dearer(a!.amount, b!.amount))
    .map((group) => ({
      ...formatAmount(group[0]!.amount),
      ...spanOf(group),
      parts: [...new Set(group.map(({ part }) => part))].sort(),
    }));
}

const dearer = (a: Amount, b: Amount): number => compare(b.epsilon, a.epsilon) || compare(b.delta, a.delta);
