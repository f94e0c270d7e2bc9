import { expect, test } from 'vitest';
import { hourOf } from '../../core/calendar/time-bins.ts';
import type { Noise } from '../../test/support/draw-rows.ts';
import { type HourRow, type PrivatizedCell, rowsOfTable } from '../../test/support/table-of-rows.ts';
import vectors from '../../test/vectors/levels-and-floors.json' with { type: 'json' };
import { PRIVATIZED_TABLE_FORMAT } from '../tables/columns.ts';
import { type CellCount, columnsOf, placeCounts } from './cell-counts.ts';
import * as mechanism from './complete-domain.ts';
import { noiseInPlace } from './noise.ts';
import type { PublicDomain } from './public-domain.ts';

type Floors = mechanism.Floors;

/** The mechanism from rows to rows. */
function completeDomain(counts: readonly CellCount[], domain: PublicDomain, floors: Floors, noise: Noise) {
  const placed = placeCounts(columnsOf(counts), domain);
  const published = mechanism.completeDomain(placed, domain, floors, noiseInPlace(noise, domain));
  const table = { format: PRIVATIZED_TABLE_FORMAT, part: '', day: '', margins: null, remainder: null } as const;
  const { cells, hours } = rowsOfTable({ ...table, ...domain, ...published });
  return { cells, hours };
}

type Vector = {
  id: string;
  in: { times: string[]; noisy_cells: number[][]; floor: number; hour_floor: number | null };
  out: { cells: (number | null)[][]; hour_rows: [string, number, number, number][] | null };
};
const VECTORS = vectors.cases.filter(({ kind }) => kind === 'floor') as unknown as Vector[];

const location = (place: number): string => `place ${place}`;
const floorsOf = ({ in: input }: Vector): Floors => ({
  threshold: input.floor,
  ...(input.hour_floor !== null && { hours: { floor: input.hour_floor, bins: 4 } }),
});
const domainOf = ({ in: input }: Vector): PublicDomain => ({
  taps: ['on'],
  times: input.times,
  locations: input.noisy_cells[0]!.map((_, l) => location(l)),
});
/** All of a noisy count is noise: the cells are empty. */
const noiseOf = ({ in: input }: Vector): Noise => ({
  cell: (_, time, place) => input.noisy_cells[input.times.indexOf(time)]![Number(place.slice(6))]!,
  time: () => 0,
  location: () => 0,
  leftOut: () => 0,
});
const drawn = (vector: Vector) => completeDomain([], domainOf(vector), floorsOf(vector), noiseOf(vector));

test('the file of vectors has 8 floors', () => {
  expect(VECTORS.length).toBe(8);
});

for (const vector of VECTORS)
  test(`C8: ${vector.id}, cells and hour rows under a floor`, () => {
    const { cells, hours } = drawn(vector);
    expect(cells).toEqual(
      vector.out.cells.flatMap((row, t) =>
        row.flatMap((count, l): PrivatizedCell[] =>
          count === null ? [] : [['on', vector.in.times[t]!, location(l), count]],
        ),
      ),
    );
    const rows = vector.out.hour_rows?.map(([hour, l, sum]): HourRow => ['on', `${hour}:00`, location(l), sum]);
    expect(hours).toEqual(rows ?? null);
    for (const [hour, l, , hidden] of vector.out.hour_rows ?? []) {
      const bins = vector.in.times.filter((time) => hourOf(time) === `${hour}:00`);
      const shown = cells.filter((cell) => cell[2] === location(l) && hourOf(cell[1]) === `${hour}:00`);
      expect(bins.length - shown.length).toBe(hidden);
      expect(hidden).toBeGreaterThanOrEqual(2);
    }
  });

test('C8: twins whose floor is one off, or applied to true counts, fail some vector', () => {
  const passes = (twin: (vector: Vector) => PrivatizedCell[]) =>
    VECTORS.every((vector) => JSON.stringify(twin(vector)) === JSON.stringify(drawn(vector).cells));
  const withFloor = (by: number) => (vector: Vector) =>
    completeDomain([], domainOf(vector), { threshold: vector.in.floor + by }, noiseOf(vector)).cells;
  expect(passes(withFloor(0))).toBe(true);
  expect(passes(withFloor(1))).toBe(false);
  expect(passes(withFloor(-1))).toBe(false);
  expect(passes(() => [])).toBe(false);
});

const none: Noise = { cell: () => 0, time: () => 0, location: () => 0, leftOut: () => 0 };
const domain: PublicDomain = {
  taps: ['off', 'on'],
  times: ['07:30', '07:45', '08:00', '08:15'],
  locations: ['a', 'b'],
};

test('C8: hours of one tap are apart from those of the other, and sums have what cells of the hour do not show', () => {
  const counts: CellCount[] = [
    ['off', '08:15', 'b', 4],
    ['on', '07:30', 'b', 3],
    ['on', '08:00', 'a', 9],
    ['on', '08:00', 'b', 4],
    ['on', '08:15', 'a', 4],
    ['on', '08:15', 'b', 3],
  ];
  expect(completeDomain(counts, domain, { threshold: 5, hours: { floor: 7, bins: 2 } }, none)).toEqual({
    cells: [['on', '08:00', 'a', 9]],
    hours: [['on', '08:00', 'b', 7]],
  });
});

test('C8: a floor below 2, hour rows without a floor or under a lower one are refused', () => {
  const refused: Floors[] = [
    { threshold: 1 },
    { threshold: 2.5 },
    { threshold: null, hours: { floor: 9, bins: 4 } },
    { threshold: 7, hours: { floor: 6, bins: 4 } },
  ];
  for (const floors of refused) expect(() => completeDomain([], domain, floors, none)).toThrow(TypeError);
});
