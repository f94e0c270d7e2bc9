import { OpalineError } from '../../contracts/errors.ts';
import type { BlockCharge, LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import {
  type Accounting,
  accountingOf,
  type Charged,
  type ChargedText,
  combine,
  formatCharged,
  isRho,
  measuresOf,
  readCharged,
  rhoOfPure,
} from '../accounting/charged-amount.ts';
import { dayFromNumber, dayNumber } from '../calendar/civil-day.ts';
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
/** What is charged, without the caps. */
export type Blocks = Pick<Charge, 'blocks'>;
/** Caps of C12: of a block for ever, and of a unit over any 365 consecutive days of data. */
export type Caps = Reserve['caps'];

const YEAR_DAYS = 365;
/** Ends of the calendar. */
const [FIRST_DAY, LAST_DAY] = [dayNumber('0001-01-01'), dayNumber('9999-12-31')];

const largest = (values: readonly Rational[]): Rational => values.reduce((a, b) => (compare(a, b) >= 0 ? a : b), ZERO);

/** Of amounts the largest of each measure. */
const largestOf = (amounts: readonly Charged[]): Charged => combine(amounts, largest);

/**
 * Basic composition: amounts add up, ε and δ each by itself, or ρ; for adaptively chosen releases too. Nearly all texts
 * of a ledger are equal, so each is read once and counted.
 */
export const sumOfTexts = (texts: readonly ChargedText[]): Charged => combine(texts, sumOfEqual);

function sumOfEqual(texts: readonly string[]): Rational {
  const times = new Map<string, bigint>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0n) + 1n);
  return [...times]
    .map(([text, count]) => multiply(parseRational(text), rational(count)))
    .reduce((a, b) => add(a, b), ZERO);
}

/** All reserves. Reserved budget counts as spent whatever came after: a draw may exist (C12). */
export const reserves = (entries: readonly LedgerEntry[]): Reserve[] =>
  entries.filter((entry) => entry.kind === 'reserve');

/** Does the entry end a charge? */
export const isEnd = (entry: LedgerEntry) => entry.kind === 'commit' || entry.kind === 'withhold';

/** The reserves that nothing has ended: their releases have something left to do. */
export function openReserves(entries: readonly LedgerEntry[]): Reserve[] {
  const ends = new Set(entries.filter(isEnd).map(({ charge }) => charge));
  return reserves(entries).filter(({ charge }) => !ends.has(charge));
}

/** The reserve of a release, whatever its series file; null when it was never charged. There is one at most (C12). */
export function reserveOfRelease(entries: readonly LedgerEntry[], release: ReleaseReference): Reserve | null {
  const path = releasePath(release);
  return entries.find((entry): entry is Reserve => entry.kind === 'reserve' && entry.release === path) ?? null;
}

/** What was charged to the blocks of a release: by a reserve, or by a takeover where no entry explains it. */
export type ChargedBlocks = {
  release: string;
  /** Null: nobody recorded it. */
  mechanism: string | null;
  blocks: readonly BlockCharge[];
  reserve: Reserve | null;
};

/** How the population of a ledger counts: as its newest rules say, or else its charges. Null: no entry says. */
export function ledgerAccounting(entries: readonly LedgerEntry[]): Accounting | null {
  const caps = populationCaps(entries);
  const [first] = listCharges(entries);
  const amount = caps?.block ?? first?.blocks[0];
  return amount ? accountingOf(amount) : null;
}

const listCharges = (entries: readonly LedgerEntry[]): ChargedBlocks[] =>
  entries.flatMap((entry): ChargedBlocks[] => {
    if (entry.kind === 'reserve') return [{ ...entry, reserve: entry }];
    return entry.kind === 'takeover' ? entry.unexplained.map((one) => ({ ...one, reserve: null })) : [];
  });

/** The mechanism with δ = 0 of which a population that begins to count ρ is charged ε²/2. */
const PURE_MECHANISM = 'complete-domain';

/**
 * All charges, in the order of the ledger, as its population counts, or as it would: ρ of a charge of ε is ε²/2, where δ
 * is 0 and the mechanism is complete-domain. Throws POLICY_REFUSED for any other charge of ε, of which no ρ follows, and
 * for ρ where ε and δ would be counted.
 *
 * @contract C12
 */
export function charges(
  entries: readonly LedgerEntry[],
  accounting: Accounting | null = ledgerAccounting(entries),
): ChargedBlocks[] {
  const history = listCharges(entries);
  if (accounting === 'rho')
    return history.map((one) => ({ ...one, blocks: one.blocks.map((block) => inRho(block, one)) }));
  if (!history.some(({ blocks }) => blocks.some(isRho))) return history;
  throw new OpalineError(
    'POLICY_REFUSED',
    'The population counts ρ, for good: no ε and δ follow from what is charged.',
  );
}

function inRho(block: BlockCharge, { release, mechanism }: ChargedBlocks): BlockCharge {
  if (isRho(block)) return block;
  const { part, day, epsilon, delta } = block;
  if (mechanism === PURE_MECHANISM && parseRational(delta).numerator === 0n)
    return { part, day, rho: rhoOfPure(epsilon) };
  const name = mechanism ?? 'a mechanism that nobody recorded';
  throw new OpalineError(
    'POLICY_REFUSED',
    `The population cannot count ρ: ${release} was drawn by ${name} and charged δ = ${delta}, and ρ follows from complete-domain with δ = 0 alone. Leave accounting: pure, or begin another population.`,
  );
}

/** The part of a block where one unit may be in all parts of a day. */
export const EVERY_PART = 'all';

/** May one unit be charged by both blocks of a day? */
const touches = (a: string, b: string): boolean => a === b || a === EVERY_PART || b === EVERY_PART;

/** The charges that name a day of these blocks: of a ledger of years, few. */
function chargesOfDays(history: readonly Blocks[], targets: readonly { day: string }[]): Blocks[] {
  const days = new Set(targets.map(({ day }) => day));
  return history.filter(({ blocks }) => blocks.some(({ day }) => days.has(day)));
}

/** What was charged to the dearest of some blocks. */
export function dearestBlock(history: readonly Blocks[], blocks: readonly BlockCharge[]): Charged {
  const near = chargesOfDays(history, blocks);
  return largestOf(blocks.map(({ part, day }) => blockTotal(near, part, day)));
}

/**
 * What was charged to one block (population, part, day), by basic sums: of each charge what it names of the dearest part
 * that touches this one, since its certificate holds over all parts.
 */
export const blockTotal = (history: readonly Blocks[], part: string, day: string): Charged =>
  sumOfTexts(
    history.flatMap(({ blocks }): readonly ChargedText[] => {
      const near = blocks.filter((block) => block.day === day && touches(block.part, part));
      return near.some((block) => block.part !== part) ? dearestPart(near) : near;
    }),
  );

function dearestPart(blocks: readonly BlockCharge[]): ChargedText[] {
  const parts = [...Map.groupBy(blocks, (block) => block.part).values()].map(sumOfTexts);
  return [formatCharged(largestOf(parts))];
}

/** How many blocks a release has, and on which days. */
export type Span = { firstDay: string; lastDay: string; blocks: number };

export function spanOf(blocks: readonly { day: string }[]): Span {
  const days = blocks.map(({ day }) => day).sort();
  return { firstDay: days[0]!, lastDay: days.at(-1)!, blocks: blocks.length };
}

/** What one release costs one unit: its certificate holds over the whole release, so it is the dearest block, once. */
export const unitCharge = (blocks: readonly ChargedText[]): Charged =>
  combine(blocks, (texts) => largest([...new Set(texts)].map(parseRational)));

/**
 * The most that any 365 consecutive days of data cost one unit, of the spans that touch the days of these blocks. A
 * release counts in a span when one of its days is in it. A span loses a release by a shift to the right only where it
 * starts on a day of it after which the release has none for a year, so only such starts and the last are tried.
 */
export function yearPeak(history: readonly Blocks[], targets: readonly { day: string }[]): Charged {
  const numbers = targets.map(({ day }) => dayNumber(day));
  const first = Math.min(...numbers) - YEAR_DAYS + 1;
  const last = Math.max(...numbers);
  // Days are compared as text, which is quick: of a ledger of years, few charges are near.
  const from = dayFromNumber(Math.max(first, FIRST_DAY));
  const to = dayFromNumber(Math.min(last + YEAR_DAYS - 1, LAST_DAY));
  const near = history
    .filter(({ blocks }) => blocks.some(({ day }) => day >= from && day <= to))
    .map(({ blocks }) => ({
      days: [...new Set(blocks.map(({ day }) => day))].map(dayNumber).sort((a, b) => a - b),
      amount: formatCharged(unitCharge(blocks)),
    }));
  const isLeft = (day: number, place: number, days: number[]) => !(days[place + 1]! <= day + YEAR_DAYS);
  const ends = near.flatMap(({ days }) => days.filter(isLeft));
  const starts = new Set([...ends.filter((day) => day >= first && day <= last), last]);
  const inSpan = ({ days }: { days: number[] }, start: number) =>
    days.some((day) => day >= start && day < start + YEAR_DAYS);
  return largestOf(
    [...starts].map((start) => sumOfTexts(near.filter((charge) => inSpan(charge, start)).map(({ amount }) => amount))),
  );
}

/**
 * Why a charge cannot be reserved on top of the entries, in one sentence, or null when it can. Both caps of C12, by
 * exact basic sums: a filter that holds for releases that are chosen by what earlier ones showed. Throws POLICY_REFUSED
 * as charges does.
 *
 * @contract C12
 */
export const overCap = (entries: readonly LedgerEntry[], draft: Charge): string | null =>
  overCapOf(charges(entries, accountingOf(draft.caps.block)), draft);

/** The same on top of charges that may be planned only. */
export function overCapOf(history: readonly Blocks[], draft: Charge): string | null {
  const block = readCharged(draft.caps.block);
  const near = [...chargesOfDays(history, draft.blocks), draft];
  for (const charge of draft.blocks) {
    const total = blockTotal(near, charge.part, charge.day);
    const excess = exceeds(total, block);
    if (excess) return `Block ${charge.part}/${charge.day} would reach ${excess}, the cap of a block.`;
  }
  const excess = exceeds(yearPeak([...history, draft], draft.blocks), readCharged(draft.caps.year));
  return excess ? `One unit would reach ${excess}, the cap over 365 days of data.` : null;
}

/** The caps of a population, or smaller ones of a series. Throws RangeError for those of two accountings. */
export function smallerCaps(common: Caps, own: Pick<Caps, 'block' | 'year'>): Caps {
  const smaller = (cap: 'block' | 'year'): ChargedText =>
    formatCharged(
      combine([readCharged(common[cap]), readCharged(own[cap])], (values) =>
        values.reduce((a, b) => (compare(a, b) <= 0 ? a : b)),
      ),
    );
  return { ...common, block: smaller('block'), year: smaller('year') } as Caps;
}

/** The caps of the population: those of its newest rules. */
export const populationCaps = (entries: readonly LedgerEntry[]): Caps | null =>
  entries.findLast((entry) => entry.kind === 'policy')?.caps ?? null;

function exceeds(total: Charged, cap: Charged): string | null {
  const over = measuresOf(total, cap).find(({ pair: [spent, most] }) => compare(spent, most) > 0);
  return over ? `${over.sign} = ${formatRational(over.pair[0])}, over ${formatRational(over.pair[1])}` : null;
}
