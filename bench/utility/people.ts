import type { TopLevelSpec } from 'vega-lite';
import type { Certificate } from '../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { epsilonOfSchedule } from '../../counts/accounting/account.ts';
import { type CertificateRequest, certify, noiseOnCells } from '../../counts/certificate/certify.ts';
import { usualFloors } from '../../counts/certificate/floors.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { markdownTable } from '../measuring.ts';
import { drawsOf, type Spread, spreadOfFigures } from './mechanism-comparison.ts';
import { OYSTER_SPLIT, tableDesign } from './utility-designs.ts';
import type { Figures } from './utility-measures.ts';
import { bias, share } from './utility-tables.ts';

/** Draws of each design, with the seeds 1 to this. */
const DRAWS = 5;
/** Weeks that 365 days touch. */
const WEEKS = 53;

/** A way to publish a week of a city, and the ε of a year of such weeks. */
type CityDesign = { name: string; year: string; certificate: Certificate };
type PeopleOutcome = CityDesign & { figures: Record<keyof Figures, Spread> };

const WEEK = { publish: 'on+off', neighbours: 'add-remove', unit: 'card-window', maxTaps: 28 } as const;
const SHARES = { cells: '4/5', time: '2/25', location: '3/25' } as const;

/** A card's week with discrete Gaussian noise, of a domain of this many cells. */
export function gaussianWeek(epsilon: number, delta: string, cells: number): Certificate {
  const request = { ...WEEK, mechanism: 'discrete-gaussian', place: 2, split: SHARES, delta } as const;
  return withFloors({ ...request, epsilon: String(epsilon) }, { cells });
}

/**
 * The designs that are compared on a city with this many cells. A trip has the design of the Oyster example; a card's
 * week with Laplace noise has δ = 0, the same shares, and the floor of a lone tap, although its taps may all be in one
 * cell.
 */
export function cityDesigns(cells: number): CityDesign[] {
  const gaussian = (epsilon: number, delta: string): CityDesign => {
    const certificate = gaussianWeek(epsilon, delta, cells);
    return { name: `a card’s week, ε = ${epsilon}, δ = ${inShort(delta)}`, year: yearOf(certificate), certificate };
  };
  const trip = { publish: 'on+off', neighbours: 'replace-one', unit: 'trip', mechanism: 'complete-domain' } as const;
  const ofTrip = { ...trip, epsilon: '8', delta: '0', split: OYSTER_SPLIT };
  const laplace = { ...WEEK, mechanism: 'complete-domain', epsilon: '1', delta: '0', split: SHARES } as const;
  return [
    { name: 'one trip, ε = 8, δ = 0', year: '–', certificate: withFloors(ofTrip) },
    gaussian(1, '1/100000000'),
    gaussian(1, '1/1000000'),
    gaussian(2, '1/100000000'),
    gaussian(4, '1/100000000'),
    {
      name: 'a card’s week, Laplace noise, ε = 1, δ = 0',
      year: `${WEEKS}`,
      certificate: withFloors(laplace, { floor: 300 }),
    },
  ];
}

const withFloors = (
  request: Omit<CertificateRequest, 'floor' | 'hours'>,
  more: { cells?: number; floor?: number } = {},
): Certificate =>
  certify({ ...request, ...usualFloors({ hours: { bins: 4 }, ...more }, request, noiseOnCells(request)) });

/** The exact ε of 53 weeks at the δ of one. */
const yearOf = (certificate: Certificate): string => toNumber(epsilonOfSchedule(certificate, WEEKS)).toFixed(2);

/** What a design shows of a city, over its draws. */
export const drawFigures = (city: readonly ExactPartition[], certificate: Certificate): Record<keyof Figures, Spread> =>
  spreadOfFigures(drawsOf(city, tableDesign(certificate).release, DRAWS));

/** `1e-8` */
const inShort = (delta: string): string => toNumber(parseRational(delta)).toExponential(0);

const FIGURES: readonly (readonly [heading: string, of: (one: PeopleOutcome) => string])[] = [
  ['ε of 53 weeks', ({ year }) => year],
  ['cells from', ({ certificate }) => String(certificate.threshold)],
  ['hour rows from', ({ certificate }) => String(certificate.hours!.floor)],
  ['taps in fine cells', ({ figures }) => share(figures.inCells)],
  ['in hour rows', ({ figures }) => share(figures.inHours)],
  ['totals: bias', ({ figures }) => bias(figures.locationBias)],
  ['error of times, a day', ({ figures }) => share(figures.timeError)],
  ['error of locations, a day', ({ figures }) => share(figures.locationError)],
];

export const peopleTable = (outcomes: readonly PeopleOutcome[]): string =>
  markdownTable(
    ['protects', ...FIGURES.map(([heading]) => heading)],
    outcomes.map((one) => [one.name, ...FIGURES.map(([, of]) => of(one))]),
  );

/** How the taps of the city are shown, by design. */
export function peoplePicture(outcomes: readonly PeopleOutcome[]): TopLevelSpec {
  const values = outcomes.flatMap(({ name, figures: { inCells, inHours } }) => {
    const [cells, hours] = [inCells.mean, inHours.mean];
    const parts = { 'in fine cells': cells, 'in hour rows': hours, 'in totals alone': 1 - cells - hours };
    return Object.entries(parts).map(([part, taps], order) => ({ design: name, part, taps, order }));
  });
  return {
    data: { values },
    width: 460,
    height: { step: 26 },
    mark: 'bar',
    encoding: {
      y: { field: 'design', type: 'nominal', sort: null, title: null, axis: { labelLimit: 400 } },
      x: { field: 'taps', type: 'quantitative', title: 'taps', axis: { format: '~%' }, stack: 'zero' },
      color: {
        field: 'part',
        type: 'nominal',
        sort: null,
        title: null,
        legend: { orient: 'top' },
        scale: { range: ['#2a6f97', '#8ecae6', '#dddddd'] },
      },
      order: { field: 'order' },
    },
  };
}
