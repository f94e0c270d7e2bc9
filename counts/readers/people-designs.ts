import type { PrivacyParameters, PublishedTaps } from '../../contracts/certificate.ts';
import { epsilonOfRho } from '../../core/accounting/epsilon-of-rho.ts';
import { multiply, parseRational, rational } from '../../core/rational/rational.ts';
import { certify, noiseOnCells } from '../certificate/certify.ts';
import { usualFloors } from '../certificate/floors.ts';
import { type CardUnit, UNITS } from '../certificate/units.ts';
import { type CountedGrid, curvesOf, modelUtility, type Volume } from './expected-utility.ts';
import { type Design, designOn, domainCells, MOST_LISTED_CELLS } from './proposed-design.ts';

/** A design for people, and upper bounds on the ε of a week and of a year of it, at the δ of one window. */
export type PeopleDesign = Design & { week: number; year: number };

/** Units for people, and how many taps of one card count: a day of changes, and the week of a commuter who changes. */
export const PEOPLE = {
  'card-day': { name: 'day', maxTaps: 4 },
  'card-window': { name: 'week', maxTaps: 28 },
} as const satisfies Record<CardUnit, object>;
const EPSILONS = ['1', '2', '4'] as const;

/** Two taps of a card at one location of a mode, day and end count. */
const PLACE = 2;
const SHARES = { cells: '4/5', time: '2/25', location: '3/25' } as const;

/** Days of a week and of a year. */
const DAYS = { week: 7, year: 365 };

/** What a design for people is asked for. */
type PeopleRequest = Pick<PrivacyParameters, 'publish' | 'epsilon' | 'delta'> & { unit: CardUnit; maxTaps?: number };

/**
 * The design that protects people on a grid with discrete Gaussian noise, floors, hour rows where an hour has several
 * bins, and both margins. A card is there or not. None where there is no certificate, and of a domain that is too large
 * to list.
 *
 * @contract C17
 */
export function peopleDesign(
  { unit, maxTaps = PEOPLE[unit].maxTaps, ...others }: PeopleRequest,
  grid: CountedGrid,
): Design[] {
  const cells = domainCells(grid);
  if (cells > MOST_LISTED_CELLS) return [];
  const rule = { mechanism: 'discrete-gaussian', unit, maxTaps, place: PLACE, neighbours: 'add-remove' } as const;
  const request = { ...rule, ...others, split: SHARES };
  const bins = 60 / grid.minutes;
  const floors = { ...(bins > 1 && { hours: { bins } }), cells };
  return designOn(grid, PEOPLE[unit].name, () =>
    certify({ ...request, ...usualFloors(floors, request, noiseOnCells(request)) }),
  );
}

/** A card's week is proposed where this share of the taps would be in cells of the coarsest bins. */
const ENOUGH = 0.5;

/** Are there enough taps for the week of a card to be proposed, at ε = 1? Not where nobody says how many there are. */
export function isProposedForPeople(publish: PublishedTaps, coarsest: CountedGrid, volume: Volume | null): boolean {
  if (!volume) return false;
  const request = { publish, epsilon: '1', delta: deltaOfPeople(volume), unit: 'card-window' } as const;
  return peopleDesign(request, coarsest).some(
    ({ certificate, grid }) => modelUtility(certificate, grid, volume, curvesOf(certificate, grid)).cells >= ENOUGH,
  );
}

/** The designs for people on a grid that are compared: the day of a card and its whole window, at ε 1, 2 and 4. */
export function peopleDesigns(publish: PublishedTaps, grid: CountedGrid, volume: Volume | null): PeopleDesign[] {
  const delta = deltaOfPeople(volume);
  return (['card-day', 'card-window'] as const).flatMap((unit) =>
    EPSILONS.flatMap((epsilon) =>
      peopleDesign({ publish, epsilon, delta, unit }, grid).map((design) => {
        const rho = parseRational(design.certificate.rho!);
        const days = { day: 1, window: grid.days }[UNITS[unit].cardScope];
        const ofWindows = (windows: number): number =>
          windows === 1
            ? Number(epsilon)
            : Number(epsilonOfRho(multiply(rho, rational(BigInt(windows))), parseRational(delta)));
        return {
          ...design,
          name: `${design.name}-${epsilon}`,
          week: ofWindows(countWindows(DAYS.week, days)),
          year: ofWindows(countWindows(DAYS.year, days)),
        };
      }),
    ),
  );
}

/** Windows of `days` days that a span of days can touch; a week is one window where windows are weeks. */
const countWindows = (span: number, days: number): number =>
  span === days || days === 1 ? span / days : Math.ceil((span - 1) / days) + 1;

const MOST_DIGITS = 12;
const USUAL_DIGITS = 8;

/**
 * δ of people: the greatest power of ten that is at most 1/(10 × cards), where a card makes ten taps a week, so that it
 * is at most 1 to the taps of a week; 1e-8 where nobody says how many there are.
 */
export function deltaOfPeople(volume: Volume | null): string {
  const digits = volume ? Math.min(MOST_DIGITS, Math.max(1, Math.ceil(Math.log10(volume.tapsPerWeek)))) : USUAL_DIGITS;
  return `1e-${digits}`;
}
