import type { PrivacyParameters } from '../../contracts/certificate.ts';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { formatRational, multiply, parseRational, type Rational, rational } from '../../core/rational/rational.ts';
import { certify } from '../certificate/certify.ts';
import { UNITS } from '../certificate/units.ts';
import type { CountedGrid, Volume } from './expected-utility.ts';
import { type Design, domainCells, floorsOfPeople, MOST_LISTED_CELLS } from './proposed-design.ts';

/** A design for people, and upper bounds on the ε of a week and of a year of it, at the δ of one window. */
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
      const rho = parseRational(certificate.rho!);
      const days = { day: 1, window: grid.days }[UNITS[unit].cardScope];
      const ofWindows = (windows: number): number =>
        windows === 1 ? Number(epsilon) : Number(epsilonOfRho(multiply(rho, rational(BigInt(windows))), delta));
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
