import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { type Design, type DesignName, designsOf } from './designs.ts';
import { type Utility, UtilityMeter } from './measures.ts';

/** Every design is drawn with the seeds 1 to this. Nothing that is released is ever drawn with a seed. */
export const DRAWS = 20;
export const EPSILON = '8';

export type ComparedUnit = 'tap' | 'trip';

/** The numbers that tables, plot and text show: fractions, but for those of cells, which are cells and taps. */
export type Figures = ReturnType<typeof figuresOf>;

/** A mean over draws, and the standard deviation of one draw. */
export type Spread = { mean: number; deviation: number };

/** What a design is worth: over its draws, and by mode the bias of the location totals. */
export type Outcome = {
  design: Design;
  figures: Record<keyof Figures, Spread>;
  modes: Map<string, { taps: number; bias: Spread }>;
};

/** All designs on one week of data, for one unit. */
export type Comparison = {
  data: string;
  unit: ComparedUnit;
  taps: number;
  cellsWithTaps: number;
  /** Cells of the public domain. */
  domainCells: number;
  outcomes: Map<DesignName, Outcome>;
};

/** Draws every design on the same exact counts, tap-ons and tap-offs, a unit replaced by another. */
export function compareDesigns(data: string, unit: ComparedUnit, partitions: readonly ExactPartition[]): Comparison {
  const outcomes = new Map<DesignName, Outcome>();
  for (const design of designsOf({ unit, neighbours: 'replace-one', publish: 'on+off', epsilon: EPSILON })) {
    const draws = Array.from({ length: DRAWS }, (_, draw) =>
      utilityOf(partitions, (exact, random) => design.release(exact, random), draw + 1),
    );
    outcomes.set(design.name, { design, figures: spreadOfFigures(draws), modes: modesOf(draws) });
  }
  const sum = (of: (exact: ExactPartition) => number): number => partitions.reduce((all, exact) => all + of(exact), 0);
  return {
    ...{ data, unit, outcomes },
    taps: sum(({ counts }) => counts.reduce((all, [, , , count]) => all + count, 0)),
    cellsWithTaps: sum(({ counts }) => counts.length),
    domainCells: sum(({ domain }) => domain.taps.length * domain.times.length * domain.locations.length),
  };
}

/** What one draw of all partitions with a seed is worth. */
export function utilityOf(partitions: readonly ExactPartition[], release: Design['release'], seed: number): Utility {
  const random = seededSource(seed);
  const meter = new UtilityMeter();
  for (const exact of partitions) meter.add(exact, release(exact, random));
  return meter.utility;
}

export function spreadOf(values: readonly number[]): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

export function spreadOfFigures(draws: readonly Utility[]): Record<keyof Figures, Spread> {
  const figures = draws.map(figuresOf);
  const names = Object.keys(figures[0]!) as (keyof Figures)[];
  const entries = names.map((name) => [name, spreadOf(figures.map((one) => one[name]))] as const);
  return Object.fromEntries(entries) as Record<keyof Figures, Spread>;
}

/** The means alone. */
export function meansOf(figures: Record<keyof Figures, Spread>): Figures {
  const entries = Object.entries(figures).map(([name, { mean }]) => [name, mean]);
  return Object.fromEntries(entries) as Figures;
}

function modesOf(draws: readonly Utility[]): Outcome['modes'] {
  const biasOf = (mode: string) =>
    spreadOf(
      draws.map(({ location }) => {
        const { released, truth } = location.modes.get(mode)!;
        return released / truth - 1;
      }),
    );
  const modes = [...draws[0]!.location.modes].map(
    ([mode, { truth }]) => [mode, { taps: truth, bias: biasOf(mode) }] as const,
  );
  return new Map(modes);
}

export const titleOf = ({ data, unit }: Comparison): string => `${data}, one ${unit}`;

export function figuresOf(utility: Utility) {
  const { taps, tapsInCells, tapsInHours, published, withTaps, tapsFromNothing, time, location } = utility;
  return {
    inCells: tapsInCells / taps,
    inHours: tapsInHours / taps,
    cellsPublished: published.cells,
    publishedMean: published.absolute / published.cells,
    publishedRoot: Math.sqrt(published.squared / published.cells),
    withTapsMean: withTaps.absolute / withTaps.cells,
    withTapsRoot: Math.sqrt(withTaps.squared / withTaps.cells),
    tapsFromNothing,
    timeBias: time.sum.released / taps - 1,
    timeError: time.absolute / taps,
    timeErrorOfWindow: time.absoluteOfWindow / taps,
    locationBias: location.sum.released / taps - 1,
    locationError: location.absolute / taps,
    locationErrorOfWindow: location.absoluteOfWindow / taps,
  };
}

/** Digits after the point: three in all, as far as they say something. */
const digitsOf = (size: number): number => (size >= 10 ? 1 : size >= 1 ? 2 : 3);

/** `58.2 %`, with more digits for small ones: `0.047 %`, and `0 %` for what rounds to nothing. */
export function percent(fraction: number): string {
  const value = 100 * fraction;
  const size = Math.abs(value);
  if (size < 0.0005) return '0 %';
  return `${value.toFixed(digitsOf(size)).replace('-', '−')} %`;
}

/** A percentage with its sign: `+1.84 %`, `−41.6 %`. */
export function signedPercent(fraction: number): string {
  const text = percent(fraction);
  return fraction > 0 && text !== '0 %' ? `+${text}` : text;
}

/** `58.2 % ± 0.02`: a mean with the standard deviation of one draw, in percent, to one digit more. */
export function withDeviation({ mean, deviation }: Spread, write: (fraction: number) => string = percent): string {
  return `${write(mean)} ± ${(100 * deviation).toFixed(digitsOf(Math.abs(100 * mean)) + 1)}`;
}

export const whole = (count: number): string => Math.round(count).toLocaleString('en-GB');
