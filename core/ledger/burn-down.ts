import type { LedgerEntry } from '../../contracts/ledger.ts';
import { dayNumber } from '../calendar/civil-day.ts';
import { compare, formatRational } from '../rational/rational.ts';
import { type Amount, amountOf, type Reserve, reserves, sum, unitCharge, YEAR_DAYS } from './budget.ts';

/** How a charge ended: not yet, with a publication, or without one. */
export type ChargeState = 'reserved' | 'committed' | 'withheld';

/** One release that was charged; amounts are those of its dearest block. */
export type ChargedRelease = {
  release: string;
  charge: string;
  state: ChargeState;
  unit: string;
  epsilon: string;
  delta: string;
  firstDay: string;
  lastDay: string;
  blocks: number;
};

/** An attempt that policy refused: what, why, and who asked. */
export type RefusedAttempt = { release: string; code: string; subject: string; reason: string };

/** Blocks of which the same was spent. */
export type SpentBlocks = {
  epsilon: string;
  delta: string;
  blocks: number;
  modes: string[];
  firstDay: string;
  lastDay: string;
};

/** What one unit may have been charged over the 365 days of data that end with `day`. */
export type SpentYear = { day: string; epsilon: string; delta: string };

export type BurnDown = {
  charges: ChargedRelease[];
  refusals: RefusedAttempt[];
  /** Caps of the newest charge; null when nothing was charged. */
  caps: Reserve['caps'] | null;
  /** The dearest blocks first. */
  blocks: SpentBlocks[];
  /** One for the last day of every release, in order of the days. */
  years: SpentYear[];
};

const daysOf = ({ blocks }: Reserve): string[] => blocks.map(({ day }) => day).sort();

/**
 * What a ledger has charged, seen as budget that burns down: by release, by block for ever, and over the 365 days that
 * end with each release. Reserved budget counts as spent, whatever came after (C12).
 *
 * @contract C12
 */
export function burnDown(entries: readonly LedgerEntry[]): BurnDown {
  const reserved = reserves(entries);
  return {
    charges: reserved.map((entry) => chargedRelease(entry, entries)),
    refusals: entries
      .filter((entry) => entry.kind === 'refuse')
      .map(({ release, code, subject, reason }) => ({ release, code, subject, reason })),
    caps: reserved.at(-1)?.caps ?? null,
    blocks: spentBlocks(reserved),
    years: spentYears(reserved),
  };
}

function chargedRelease(entry: Reserve, entries: readonly LedgerEntry[]): ChargedRelease {
  const { release, charge, unit, blocks } = entry;
  const amount = unitCharge(blocks);
  const days = daysOf(entry);
  return {
    release,
    charge,
    state: stateOf(charge, entries),
    unit,
    epsilon: formatRational(amount.epsilon),
    delta: formatRational(amount.delta),
    firstDay: days[0]!,
    lastDay: days.at(-1)!,
    blocks: blocks.length,
  };
}

function stateOf(charge: string, entries: readonly LedgerEntry[]): ChargeState {
  const end = entries.find(
    (entry) => (entry.kind === 'commit' || entry.kind === 'withhold') && entry.charge === charge,
  );
  if (!end) return 'reserved';
  return end.kind === 'commit' ? 'committed' : 'withheld';
}

function spentBlocks(reserved: readonly Reserve[]): SpentBlocks[] {
  const spent = new Map<string, { mode: string; day: string; amount: Amount }>();
  for (const block of reserved.flatMap(({ blocks }) => blocks)) {
    const name = `${block.mode}/${block.day}`;
    const before = spent.get(name);
    const amount = before ? sum([before.amount, amountOf(block)]) : amountOf(block);
    spent.set(name, { mode: block.mode, day: block.day, amount });
  }
  const groups = Map.groupBy(
    spent.values(),
    ({ amount }) => `${formatRational(amount.epsilon)} ${formatRational(amount.delta)}`,
  );
  return [...groups.values()]
    .sort(([a], [b]) => dearer(a!.amount, b!.amount))
    .map((group) => {
      const days = group.map(({ day }) => day).sort();
      const { epsilon, delta } = group[0]!.amount;
      return {
        epsilon: formatRational(epsilon),
        delta: formatRational(delta),
        blocks: group.length,
        modes: [...new Set(group.map(({ mode }) => mode))].sort(),
        firstDay: days[0]!,
        lastDay: days.at(-1)!,
      };
    });
}

const dearer = (a: Amount, b: Amount): number => compare(b.epsilon, a.epsilon) || compare(b.delta, a.delta);

function spentYears(reserved: readonly Reserve[]): SpentYear[] {
  const charges = reserved.map((entry) => {
    const days = daysOf(entry);
    return { days: days.map(dayNumber), last: days.at(-1)!, amount: unitCharge(entry.blocks) };
  });
  const ends = [...new Set(charges.map(({ last }) => last))].sort();
  return ends.map((day) => {
    const end = dayNumber(day);
    const inYear = charges.filter(({ days }) => days.some((one) => one <= end && one > end - YEAR_DAYS));
    const { epsilon, delta } = sum(inYear.map(({ amount }) => amount));
    return { day, epsilon: formatRational(epsilon), delta: formatRational(delta) };
  });
}
