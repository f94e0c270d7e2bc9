import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { type Design, type DesignName, designsOf } from './designs.ts';
import { type Utility, UtilityMeter } from './measures.ts';

/** Seed of every draw here. Nothing that is released is ever drawn with a seed. */
export const SEED = 1;
export const EPSILON = '8';

export type ComparedUnit = 'tap' | 'trip';
export type Outcome = { design: Design; utility: Utility };

/** All designs on one week of data, for one unit. */
export type Comparison = {
  data: string;
  unit: ComparedUnit;
  /** Cells of the public domain. */
  domainCells: number;
  outcomes: Map<DesignName, Outcome>;
};

/** Draws every design once on the same exact counts, tap-ons and tap-offs, a unit replaced by another. */
export function compareDesigns(data: string, unit: ComparedUnit, partitions: readonly ExactPartition[]): Comparison {
  const outcomes = new Map<DesignName, Outcome>();
  for (const design of designsOf({ unit, neighbours: 'replace-one', publish: 'on+off', epsilon: EPSILON })) {
    const random = seededSource(SEED);
    const meter = new UtilityMeter();
    for (const exact of partitions) meter.add(exact, design.release(exact, random));
    outcomes.set(design.name, { design, utility: meter.utility });
  }
  const domainCells = partitions.reduce(
    (sum, { domain }) => sum + domain.taps.length * domain.times.length * domain.locations.length,
    0,
  );
  return { data, unit, domainCells, outcomes };
}

export const titleOf = ({ data, unit }: Comparison): string => `${data}, one ${unit}`;

/** The numbers that tables, plot and text show: fractions, but for the errors of cells, which are in taps. */
export type Figures = Record<
  | 'inCells'
  | 'publishedMean'
  | 'publishedRoot'
  | 'withTapsMean'
  | 'withTapsRoot'
  | 'timeBias'
  | 'timeError'
  | 'timeErrorOfWindow'
  | 'locationBias'
  | 'locationError'
  | 'locationErrorOfWindow',
  number
>;

export function figuresOf({ taps, tapsInCells, published, withTaps, time, location }: Utility): Figures {
  return {
    inCells: tapsInCells / taps,
    publishedMean: published.absolute / published.cells,
    publishedRoot: Math.sqrt(published.squared / published.cells),
    withTapsMean: withTaps.absolute / withTaps.cells,
    withTapsRoot: Math.sqrt(withTaps.squared / withTaps.cells),
    timeBias: time.sum.released / taps - 1,
    timeError: time.absolute / taps,
    timeErrorOfWindow: time.absoluteOfWindow / taps,
    locationBias: location.sum.released / taps - 1,
    locationError: location.absolute / taps,
    locationErrorOfWindow: location.absoluteOfWindow / taps,
  };
}

/** `58.2 %`, with more digits for small ones: `0.047 %`, and `0 %` for what rounds to nothing. */
export function percent(fraction: number): string {
  const value = 100 * fraction;
  const size = Math.abs(value);
  if (size < 0.0005) return '0 %';
  const digits = size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return `${value.toFixed(digits).replace('-', '−')} %`;
}

/** A percentage with its sign: `+1.84 %`, `−41.6 %`. */
export function signedPercent(fraction: number): string {
  const text = percent(fraction);
  return fraction > 0 && text !== '0 %' ? `+${text}` : text;
}

export const whole = (count: number): string => count.toLocaleString('en-GB');
