import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { sumOf } from '../measuring.ts';
import { type Design, designsOf } from './utility-designs.ts';
import { type Figures, UtilityMeter } from './utility-measures.ts';

/** Every design is drawn with the seeds 1 to this. Nothing that is released is ever drawn with a seed. */
export const DRAWS = 20;

/** A mean over draws, and the standard deviation of one draw. */
export type Spread = { mean: number; deviation: number };

/** All designs on one week of data, for one unit. */
export type Comparison = ReturnType<typeof compareDesigns>;

/** What a design is worth over its draws, and the bias of its location totals by mode. */
export type Outcome = Comparison['outcomes'][number];

/** Draws every design on the same exact counts, tap-ons and tap-offs, a unit replaced by another, with ε = 8. */
export function compareDesigns(data: string, unit: 'tap' | 'trip', partitions: readonly ExactPartition[]) {
  const designs = designsOf(unit);
  const modes = [...new Set(partitions.map(({ partition }) => partition.part))];
  const outcomes = Object.entries(designs).map(([name, design]) => {
    const draws = drawsOf(partitions, design.release);
    const biasOf = (mode: string) => spreadOf(draws.map(({ totals }) => totals.location.biasOf(mode)));
    return { name, design, figures: spreadOfFigures(draws), modes: new Map(modes.map((mode) => [mode, biasOf(mode)])) };
  });
  return { data, unit, partitions, outcomes };
}

/** What each seeded draw of all partitions is worth. */
export const drawsOf = (
  partitions: readonly ExactPartition[],
  release: Design['release'],
  length = DRAWS,
): UtilityMeter[] =>
  Array.from({ length }, (_, draw) => {
    const random = seededSource(draw + 1);
    const meter = new UtilityMeter();
    for (const exact of partitions) meter.add(exact, release(exact, random));
    return meter;
  });

function spreadOf(values: readonly number[]): Spread {
  const mean = sumOf(values) / values.length;
  const squares = sumOf(values.map((value) => (value - mean) ** 2));
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) };
}

export function spreadOfFigures(draws: readonly UtilityMeter[]): Record<keyof Figures, Spread> {
  const figures = draws.map((draw) => draw.figures);
  const names = Object.keys(figures[0]!) as (keyof Figures)[];
  return Object.fromEntries(names.map((name) => [name, spreadOf(figures.map((one) => one[name]))])) as Record<
    keyof Figures,
    Spread
  >;
}
