import {
  type ExpectedUtility,
  earlierVolume,
  predictUtility,
  type Utility,
} from '../../counts/readers/expected-utility.ts';
import { type Design, possibleDesigns, proposeDesign, worth } from '../../counts/readers/proposed-design.ts';
import { drawnUtility } from './drawn-utility.ts';
import { generatedTown, type Town } from './generated-town.ts';
import { seededSource } from './seeded-source.ts';

const TRIP = { unit: 'trip', neighbours: 'replace-one', publish: 'on+off', epsilon: '8', delta: '1e-6' } as const;

/** What people who know only the lists and one digit learn, and what a draw of each design shows of the town. */
export type MeasuredTown = {
  tapsPerWeek: number;
  /** Of 1 where few places and hours have most taps; less where they are more alike. */
  steepness: number;
  proposed: Design;
  expected: ExpectedUtility;
  drawn: Utility;
  best: Design;
  /** Of 1; what the proposal is worth, and the best of all designs. */
  worth: number;
  bestWorth: number;
};

/** What `init` can propose for a town, by its public lists and a figure of one digit. */
function proposalsFor({ tapsPerWeek, modes }: Town) {
  const places = modes.map((mode) => mode.places.length);
  const grids = [15, 30, 60].map((minutes) => {
    const times = Array.from({ length: 1440 / minutes }, (_, bin) => bin * minutes);
    return { days: 7, ends: 2, minutes, times, places };
  });
  const rejects = Object.fromEntries(modes.map(({ mode }) => [mode, 1_000_000]));
  const designs = possibleDesigns({ ...TRIP, rejects }, grids);
  return { grids, designs, proposed: proposeDesign(designs, { tapsPerWeek })! };
}

export function measureTown(seed: number, taps: number): MeasuredTown {
  const town = generatedTown(seed, taps);
  const { tapsPerWeek, steepness, week } = town;
  const { grids, designs, proposed } = proposalsFor(town);
  const exact = new Map(grids.map(({ minutes }) => [minutes, week(minutes)]));
  const draws = designs.map(({ grid, certificate }, at) =>
    drawnUtility(exact.get(grid.minutes)!, certificate, seededSource(1000 * seed + at)),
  );
  const worths = draws.map(worth);
  const own = designs.indexOf(proposed);
  return {
    steepness: (steepness.places + steepness.hours) / 2,
    tapsPerWeek,
    proposed,
    drawn: draws[own]!,
    worth: worths[own]!,
    bestWorth: Math.max(...worths),
    expected: predictUtility(proposed.certificate, proposed.grid, { tapsPerWeek }),
    best: designs[worths.indexOf(Math.max(...worths))]!,
  };
}

/**
 * The first week of a town is published by the proposal; by that publication the design of the next week is proposed, and
 * the share in cells that it shows of that week is what is said of it.
 */
export function measureLike(seed: number, taps: number) {
  const town = generatedTown(seed, taps);
  const { designs, proposed } = proposalsFor(town);
  const first = drawnUtility(town.week(proposed.grid.minutes), proposed.certificate, seededSource(seed));
  const { published } = first;
  const volume = earlierVolume(proposed.certificate, proposed.grid, published.taps, published.cells / published.taps);
  const next = proposeDesign(designs, volume)!;
  const { cells: said } = predictUtility(next.certificate, next.grid, volume);
  const { cells: shown } = drawnUtility(town.nextWeek(next.grid.minutes), next.certificate, seededSource(seed + 500));
  return {
    first: proposed.name,
    next: next.name,
    said,
    shown,
    beyond: Math.max(0, said.low - shown, shown - said.high),
  };
}

/** Half a point: figures are reported in whole ones. */
export const ROUNDING = 0.005;

/** Does the interval of a figure hold, except for rounding? */
export const holds = ({ expected, drawn }: MeasuredTown, figure: keyof Utility): boolean =>
  drawn[figure] >= expected[figure].low - ROUNDING && drawn[figure] <= expected[figure].high + ROUNDING;
