import type { BlockCharge, LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { type Amount, type AmountText, amountOf, formatAmount } from '../accounting/basic-composition.ts';
import { dayNumber } from '../calendar/civil-day.ts';
import {
  add,
  compare,
  formatRational,
  multiply,
  parseRational,
  type Rational,
  rational,
  ZERO,
} from '../rational/rational.ts';

export type Reserve = Extract<LedgerEntry, { kind: 'reserve' }>;
/** What a release charges or would charge: its blocks, and the caps that it is held against. */
export type Charge = { blocks: readonly BlockCharge[]; caps: Reserve['caps'] };
/** Caps of C12: of a block for ever, and of a unit over any 365 consecutive days of data. */
export type Caps = Reserve['caps'];

export const NOTHING: Amount = { epsilon: ZERO, delta: ZERO };
const YEAR_DAYS = 365;

/** Of two amounts the larger ε and the larger δ. */
export const larger = (a: Amount, b: Amount): Amount => ({
  epsilon: largest(a.epsilon, b.epsilon),
  delta: largest(a.delta, b.delta),
});

/** Basic composition: amounts add up. */
export const sum = (amounts: readonly Amount[]): Amount =>
  amounts.reduce((a, b) => ({ epsilon: add(a.epsilon, b.epsilon), delta: add(a.delta, b.delta) }), NOTHING);

/** The same of amounts as text. Nearly all of a ledger are equal, so each is read once and counted. */
const sumOfTexts = (texts: readonly AmountText[]): Amount => ({
  epsilon: sumOfEqual(texts.map(({ epsilon }) => epsilon)),
  delta: sumOfEqual(texts.map(({ delta }) => delta)),
});

function sumOfEqual(texts: readonly string[]): Rational {
  const times = new Map<string, bigint>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0n) + 1n);
  return [...times]
    .map(([text, count]) => multiply(parseRational(text), rational(count)))
    .reduce((a, b) => add(a, b), ZERO);
}

const largest = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);

/** All reserves. Reserved budget counts as spent whatever came after: a draw may exist (C12). */
export const reserves = (entries: readonly LedgerEntry[]): Reserve[] =>
  entries.filter((entry) => entry.kind === 'reserve');

/** The reserve of a release, whatever its series file; null when it was never charged. There is one at most (C12). */
export function reserveOfRelease(entries: readonly LedgerEntry[], release: ReleaseReference): Reserve | null {
  const path = releasePath(release);
  return entries.find((entry): entry is Reserve => entry.kind === 'reserve' && entry.release === path) ?? null;
}

/** What was charged to the blocks of a release: by a reserve, or by a takeover where no entry explains it. */
export type ChargedBlocks = { release: string; blocks: readonly BlockCharge[] };

/** All charges, in the order of the ledger. */
export const charges = (entries: readonly LedgerEntry[]): ChargedBlocks[] =>
  entries.flatMap((entry): readonly ChargedBlocks[] => {
    if (entry.kind === 'reserve') return [entry];
    return entry.kind === 'takeover' ? entry.unexplained : [];
  });

/** The part of a block where one unit may be in all parts of a day. */
export const EVERY_PART = 'all';

/** May one unit be charged by both blocks of a day? */
const touches = (a: string, b: string): boolean => a === b || a === EVERY_PART || b === EVERY_PART;

/** What was charged to one block (population, part, day) so far, by basic sums. */
export const blockSpent = (entries: readonly LedgerEntry[], part: string, day: string): Amount =>
  blockTotal(charges(entries), part, day);

/** Of each charge what it names of the dearest part that touches this one: its certificate holds over all parts. */
export function blockTotal(charged: readonly Pick<Charge, 'blocks'>[], part: string, day: string): Amount {
  return sumOfTexts(
    charged.flatMap(({ blocks }) => {
      const near = blocks.filter((block) => block.day === day && touches(block.part, part));
      return near.some((block) => block.part !== part) ? dearestPart(near) : near;
    }),
  );
}

function dearestPart(blocks: readonly BlockCharge[]): AmountText[] {
  const parts = [...Map.groupBy(blocks, (block) => block.part).values()].map(sumOfTexts);
  return [formatAmount(parts.reduce(larger))];
}

/** How many blocks a release has, and on which days. */
export type Span = { firstDay: string; lastDay: string; blocks: number };

export function spanOf(blocks: readonly { day: string }[]): Span {
  const days = blocks.map(({ day }) => day).sort();
  return { firstDay: days[0]!, lastDay: days.at(-1)!, blocks: blocks.length };
}

/** What one release costs one unit: its certificate holds over the whole release, so it is the dearest block, once. */
export const unitCharge = (blocks: readonly BlockCharge[]): Amount => ({
  epsilon: largestText(blocks.map(({ epsilon }) => epsilon)),
  delta: largestText(blocks.map(({ delta }) => delta)),
});

const largestText = (texts: readonly string[]): Rational => [...new Set(texts)].map(parseRational).reduce(largest);

/**
 * The most that any 365 consecutive days of data cost one unit, of the spans that touch the days of these blocks. A
 * release counts in a span when one of its days is in it. A fullest span can be shifted right until it starts on a day
 * with data without losing a release, so only such starts are tried.
 */
export function yearPeak(reserved: readonly Pick<Charge, 'blocks'>[], touched: readonly { day: string }[]): Amount {
  const wanted = touched.map(({ day }) => dayNumber(day));
  const first = Math.min(...wanted) - YEAR_DAYS + 1;
  const last = Math.max(...wanted);
  const near = reserved
    .map(({ blocks }) => ({ blocks, days: [...new Set(blocks.map(({ day }) => day))].map(dayNumber) }))
    .filter(({ days }) => days.some((day) => day >= first && day < last + YEAR_DAYS))
    .map(({ blocks, days }) => ({ days, amount: formatAmount(unitCharge(blocks)) }));
  const starts = new Set(near.flatMap((charge) => charge.days).filter((day) => day >= first && day <= last));
  const inSpan = ({ days }: { days: number[] }, start: number) =>
    days.some((day) => day >= start && day < start + YEAR_DAYS);
  return [...starts]
    .map((start) => sumOfTexts(near.filter((charge) => inSpan(charge, start)).map(({ amount }) => amount)))
    .reduce(larger, NOTHING);
}

/**
 * Why a charge cannot be reserved on top of the entries, in one sentence, or null when it can. Both caps of C12, by
 * exact basic sums.
 *
 * @contract C12
 */
export const overCap = (entries: readonly LedgerEntry[], draft: Charge): string | null =>
  overCapOf(charges(entries), draft);

/** The same on top of charges that may be planned only. */
export function overCapOf(charged: readonly Pick<Charge, 'blocks'>[], draft: Charge): string | null {
  const block = amountOf(draft.caps.block);
  // Of a ledger of years, few releases share a day with the draft.
  const own = new Set(draft.blocks.map(({ day }) => day));
  const near = [...charged.filter(({ blocks }) => blocks.some(({ day }) => own.has(day))), draft];
  for (const charge of draft.blocks) {
    const total = blockTotal(near, charge.part, charge.day);
    const excess = exceeds(total, block);
    if (excess) return `Block ${charge.part}/${charge.day} would reach ${excess}, the cap of a block.`;
  }
  const excess = exceeds(yearPeak([...charged, draft], draft.blocks), amountOf(draft.caps.year));
  return excess ? `One unit would reach ${excess}, the cap over 365 days of data.` : null;
}

/** Of two caps the smaller one, in each amount. */
export function smallerCaps(a: Caps, b: Caps): Caps {
  const smaller = (one: AmountText, other: AmountText): AmountText => {
    const [first, second] = [amountOf(one), amountOf(other)];
    return formatAmount({
      epsilon: smallest(first.epsilon, second.epsilon),
      delta: smallest(first.delta, second.delta),
    });
  };
  return { block: smaller(a.block, b.block), year: smaller(a.year, b.year) };
}

const smallest = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);

/** The caps of the population: those of its newest rules. */
export const populationCaps = (entries: readonly LedgerEntry[]): Caps | null =>
  entries.findLast((entry) => entry.kind === 'policy')?.caps ?? null;

function exceeds(total: Amount, cap: Amount): string | null {
  if (compare(total.epsilon, cap.epsilon) > 0)
    return `ε = ${formatRational(total.epsilon)}, over ${formatRational(cap.epsilon)}`;
  if (compare(total.delta, cap.delta) > 0)
    return `δ = ${formatRational(total.delta)}, over ${formatRational(cap.delta)}`;
  return null;
}
