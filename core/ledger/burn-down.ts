import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type Charged, formatCharged, measuresOf, readCharged } from '../accounting/charged-amount.ts';
import { compare } from '../rational/rational.ts';
import {
  type Caps,
  type ChargedBlocks,
  charges,
  isEnd,
  ledgerAccounting,
  populationCaps,
  spanOf,
  sumOfTexts,
  unitCharge,
  yearPeak,
} from './budget.ts';
import { type ShownCaps, showAmount } from './shown-amount.ts';

export type BurnDown = ReturnType<typeof burnDown>;

/**
 * What a ledger has charged, seen as budget that burns down: by release, by block for ever, and over 365 days of data.
 * Reserved budget counts as spent, whatever came after (C12).
 *
 * @contract C12
 */
export function burnDown(entries: readonly LedgerEntry[]) {
  const history = charges(entries);
  const caps = populationCaps(entries);
  return {
    /** Whether losses are counted as ε and δ, or as ρ; null where no entry says it. */
    accounting: ledgerAccounting(entries),
    charges: history.map((_, place) => describeCharge(history.slice(0, place + 1), entries, caps)),
    /** Attempts that policy refused: what, why, and who asked. */
    refusals: entries
      .filter((entry) => entry.kind === 'refuse')
      .map(({ release, code, subject, reason }) => ({ release, code, subject, reason })),
    /** Caps of the population; null when nothing was charged. */
    caps: history.length > 0 && caps ? showCaps(caps) : null,
    /** The dearest blocks first. */
    blocks: groupBlocks(history, caps),
  };
}

/** Caps as people see them. */
export const showCaps = (caps: Caps): ShownCaps => ({
  block: showAmount(readCharged(caps.block), caps),
  year: showAmount(readCharged(caps.year), caps),
});

/** The newest of the charges so far; amounts are those of its dearest block. */
function describeCharge(history: readonly ChargedBlocks[], entries: readonly LedgerEntry[], caps: Caps | null) {
  const { release, blocks, mechanism, reserve } = history.at(-1)!;
  return {
    release,
    /** Null where no reserve was found. */
    charge: reserve?.charge ?? null,
    /** Taken over: for draws without an entry. */
    state: reserve ? stateOf(reserve.charge, entries) : ('taken-over' as const),
    /** This and the mechanism are null where nothing says it. */
    unit: reserve?.unit ?? null,
    mechanism,
    ...showAmount(unitCharge(blocks), caps),
    ...spanOf(blocks),
    /** The fullest 365 days of data that touch the release, when it was charged: what its cap was held against. */
    year: showAmount(yearPeak(history, blocks), caps),
  };
}

/** How a charge ended: not yet, with a publication, or without one. */
function stateOf(charge: string, entries: readonly LedgerEntry[]): 'reserved' | 'committed' | 'withheld' {
  const end = entries.filter(isEnd).find((entry) => entry.charge === charge);
  if (!end) return 'reserved';
  return end.kind === 'commit' ? 'committed' : 'withheld';
}

/** Blocks of which the same was spent. */
function groupBlocks(history: readonly ChargedBlocks[], caps: Caps | null) {
  const all = history.flatMap(({ blocks }) => blocks);
  const sums = [...Map.groupBy(all, ({ part, day }) => `${part}/${day}`).values()].map((ofBlock) => {
    const { part, day } = ofBlock[0]!;
    return { part, day, amount: sumOfTexts(ofBlock) };
  });
  const groups = Map.groupBy(sums, ({ amount }) => Object.values(formatCharged(amount)).join());
  return [...groups.values()]
    .sort(([a], [b]) => dearer(a!.amount, b!.amount))
    .map((group) => ({
      ...showAmount(group[0]!.amount, caps),
      ...spanOf(group),
      parts: [...new Set(group.map(({ part }) => part))].sort(),
    }));
}

/** The dearer one first: by ε and then by δ, or by ρ. */
const dearer = (a: Charged, b: Charged): number =>
  measuresOf(b, a)
    .map(({ pair }) => compare(...pair))
    .find((order) => order !== 0) ?? 0;
