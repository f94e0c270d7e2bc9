import type { Certificate } from '../../contracts/certificate.ts';
import type { LedgerEntry } from '../../contracts/formats/ledger-entry.ts';
import { parseReleasePath, partitionPath, type ReleaseReference } from '../../contracts/names.ts';
import { dayNumber } from '../../core/calendar/civil-day.ts';
import { EVERY_PART, type Reserve, reserves } from '../../core/ledger/budget.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { UNITS } from '../certificate/units.ts';

/** What the ledger of the population says of one series. */
export type LedgerFacts = {
  /** How many charges of the series fall on each partition, by `part/day`. */
  charges: { get(partition: string): number | undefined };
  /** How often, over the 365 days that end with the release, a cell of one person was drawn who is in it every day. */
  chances: number;
  /** What the caps of the series allow that person in δ over these days; those in ρ allow none where no noise is. */
  deltaCap: number;
};

type ChargedSeries = Pick<Certificate, 'unit' | 'maxTaps' | 'worstPattern'> & { series: string; lastDay: string };

const YEAR_DAYS = 365;

/**
 * Facts from the entries of a ledger. Someone who is in a cell every day is one unit a day for the units `tap`, `trip`
 * and `card-day`, each under the cap of its block; for `card-window` one unit in the whole year, under the cap of the
 * year, of whom each release counts no more cells than the worst case of the certificate has, and no more than taps where
 * every cell has noise, which has no worst case.
 */
export function ledgerFacts(entries: readonly LedgerEntry[], subject: ChargedSeries): LedgerFacts {
  const own = reserves(entries).filter(({ release }) => parseReleasePath(release)?.series === subject.series);
  const last = dayNumber(subject.lastDay);
  const inYear = own.filter(({ blocks }) =>
    blocks.some(({ day }) => dayNumber(day) <= last && dayNumber(day) > last - YEAR_DAYS),
  );
  const blocks = countsOf(own.flatMap(({ blocks }) => blocks.map(partitionPath)));
  const charges = { get: (partition: string) => blocks.get(partition) ?? blocks.get(everyPartOf(partition)) };
  const newest = own.at(-1);
  if (!newest) return { charges, chances: 0, deltaCap: 0 };
  const { block, year } = newest.caps;
  switch (UNITS[subject.unit].cardScope) {
    case 'window': {
      const most = subject.worstPattern.length || (subject.maxTaps ?? 0);
      return {
        charges,
        chances: inYear.reduce((sum, one) => sum + Math.min(daysOf(one).length, most), 0),
        deltaCap: deltaOf(year),
      };
    }
    case 'day':
    case null: {
      const days = new Set(inYear.flatMap(daysOf));
      return {
        charges,
        chances: [...days].reduce((sum, day) => sum + drawsOn(day, inYear), 0),
        deltaCap: days.size * deltaOf(block),
      };
    }
  }
}

/**
 * The partitions, by `part/day`, that were charged for a release, or for an earlier version of its window: a correction
 * carries over what that one drew (C13).
 */
export function findCharges(
  entries: readonly LedgerEntry[],
  release: ReleaseReference,
): { has(partition: string): boolean } {
  const own = reserves(entries).filter((one) => {
    const other = parseReleasePath(one.release);
    return other?.series === release.series && other.window === release.window && other.version <= release.version;
  });
  const blocks = new Set(own.flatMap(({ blocks }) => blocks.map(partitionPath)));
  return { has: (partition) => blocks.has(partition) || blocks.has(everyPartOf(partition)) };
}

/** The block of a day on which the charge of a partition falls where a unit may be in all parts. */
const everyPartOf = (partition: string): string => `${EVERY_PART}/${partition.split('/').at(-1)}`;

const deltaOf = (cap: Reserve['caps']['block']): number => ('rho' in cap ? 0 : toNumber(parseRational(cap.delta)));

const daysOf = ({ blocks }: Reserve): string[] => [...new Set(blocks.map(({ day }) => day))];

/** How often the partitions of a day were drawn: of the part that was drawn most. */
function drawsOn(day: string, charges: readonly Reserve[]): number {
  const parts = charges.flatMap(({ blocks }) => blocks.filter((block) => block.day === day).map(({ part }) => part));
  return Math.max(0, ...countsOf(parts).values());
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of names) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
