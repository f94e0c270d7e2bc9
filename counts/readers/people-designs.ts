import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { formatRational, parseRational, type Rational, rational, toNumber } from '../../core/rational/rational.ts';
import { certify } from '../certificate/certify.ts';
import type { CountedGrid, Volume } from './expected-utility.ts';
import { type Design, domainCells, floorsOfPeople, MOST_LISTED_CELLS } from './proposed-design.ts';

/** A design for people, and the ε of a week and of a year of it, at the δ of one window. */
export type PeopleDesign = Design & { week: number; year: number };

/** Units for people, and how many taps of one card count: a day of changes, and the week of a commuter who changes. */
const PEOPLE = [
  { name: 'day', unit: 'card-day', maxTaps: 4 },
  { name: 'week', unit: 'card-window', maxTaps: 28 },
] as const;
const EPSILONS = ['1', '2', '4'] as const;

/** Two taps of a card at one location of a mode, day and end count. */
const PLACE = 2;
const SHARES = { cells: '4/5', time: '2/25', location: '3/25' } as const;

/** Days of a week and of a year. */
const DAYS = { week: 7, year: 365 };

/**
 * The designs that protect people on a grid: the day of a card and its whole window at ε 1, 2 and 4, with discrete
 * Gaussian noise, floors, hour rows and both margins. A card is there or not. δ is a power of ten and at most
 * 1/(10 × cards), where a card makes ten taps a week; 1e-8 where nobody says how many taps there are. None of a domain
 * that is too large to list.
 *
 * @contract C17
 */
export function peopleDesigns(
  publish: PrivacyParameters['publish'],
  grid: CountedGrid,
  volume: Volume | null,
): PeopleDesign[] {
  const cells = domainCells(grid);
  if (cells > MOST_LISTED_CELLS) return [];
  const bins = 60 / grid.minutes;
  const delta = deltaOfPeople(volume);
  return PEOPLE.flatMap(({ name, unit, maxTaps }) =>
    EPSILONS.map((epsilon) => {
      const rule = { mechanism: 'discrete-gaussian', unit, maxTaps, place: PLACE, neighbours: 'add-remove' } as const;
      const request = { ...rule, publish, epsilon, delta: formatRational(delta), split: SHARES };
      const certificate = certify({ ...request, ...floorsOfPeople(request, cells, bins < 2 ? undefined : { bins }) });
      const rho = toNumber(parseRational(certificate.rho!));
      const days = unit === 'card-day' ? 1 : grid.days;
      const ofWindows = (windows: number): number =>
        windows === 1 ? Number(epsilon) : epsilonOfRho(windows * rho, toNumber(delta));
      return {
        ...{ name: `${grid.minutes}-${name}-${epsilon}`, grid, certificate },
        week: ofWindows(touched(DAYS.week, days)),
        year: ofWindows(touched(DAYS.year, days)),
      };
    }),
  );
}

/** Windows of so many days that a span of days can touch; a week is one window where windows are weeks. */
const touched = (span: number, days: number): number =>
  span === days || days === 1 ? span / days : Math.ceil((span - 1) / days) + 1;

const MOST_DIGITS = 12;
const USUAL_DIGITS = 8;

function deltaOfPeople(volume: Volume | null): Rational {
  const digits = volume ? Math.min(MOST_DIGITS, Math.max(1, Math.ceil(Math.log10(volume.tapsPerWeek)))) : USUAL_DIGITS;
  return rational(1n, 10n ** BigInt(digits));
}

/**
 * An upper bound on ε at δ of a loss with this ρ: the least aρ + (ln(1/δ) + (a−1)·ln(1−1/a) − ln a)/(a−1) over orders a
 * (Canonne, Kamath, Steinke 2020, Proposition 12), of which a few hundred are tried. For choosing: a ledger computes its
 * own exactly.
 */
function epsilonOfRho(rho: number, delta: number): number {
  const orders = Array.from({ length: 700 }, (_, at) => 1 + 2 ** ((at - 200) / 40));
  const bounds = orders.map(
    (a) => a * rho + (Math.log(1 / delta) + (a - 1) * Math.log1p(-1 / a) - Math.log(a)) / (a - 1),
  );
  return Math.max(0, Math.min(...bounds));
}
