import { expect, test } from 'vitest';
import { fitWeightedRemainder } from '../../test/support/draw-rows.ts';
import vectors from '../../test/vectors/remainder.json' with { type: 'json' };
import type { Margins, PrivatizedCell } from '../privatized-table/rows.ts';
import { add, formatRational, multiply, parseRational, rational } from '../rational/rational.ts';
import type { PublicDomain } from './public-domain.ts';
import { exactRemainders, fitRemainders, type Residual } from './weighted-fit.ts';

type Vector = (typeof vectors.cases)[number];
const cellsOf = ({ in: input }: Vector): (number | null)[][] => input.cells;

/** Residuals of one side, from the formula block of the vectors. */
function residuals(margins: number[], scale: string, cellScale: string, cells: (place: number) => (number | null)[]) {
  const twice = (b: string) => multiply(rational(2n), multiply(parseRational(b), parseRational(b)));
  return margins.map((margin, place): Residual => {
    const shown = cells(place).filter((count) => count !== null);
    return {
      residual: BigInt(margin - shown.reduce((sum, count) => sum + count, 0)),
      variance: add(twice(scale), multiply(rational(BigInt(shown.length)), twice(cellScale))),
    };
  });
}

const sidesOf = (vector: Vector, cellScale = vector.in.b_cells): [Residual[], Residual[]] => [
  residuals(vector.in.time_margins, vector.in.b_time, cellScale, (t) => cellsOf(vector)[t]!),
  residuals(vector.in.location_margins, vector.in.b_location, cellScale, (l) => cellsOf(vector).map((row) => row[l]!)),
];

const time = (place: number): string => `0${place}:00`;
const location = (place: number): string => `place ${place}`;

/** The vector as a table whose tap-ons it is; the tap-offs have margins of 0 and no cell. */
function tableOf(vector: Vector): { cells: PrivatizedCell[]; margins: Margins; domain: PublicDomain } {
  const rows = cellsOf(vector);
  return {
    cells: rows.flatMap((row, t) =>
      row.flatMap((count, l): PrivatizedCell[] => (count === null ? [] : [['on', time(t), location(l), count]])),
    ),
    margins: {
      time: vector.in.time_margins.flatMap((count, t): Margins['time'] => [
        ['off', time(t), 0],
        ['on', time(t), count],
      ]),
      location: vector.in.location_margins.flatMap((count, l): Margins['location'] => [
        ['off', location(l), 0],
        ['on', location(l), count],
      ]),
    },
    domain: { taps: ['on', 'off'], times: rows.map((_, t) => time(t)), locations: rows[0]!.map((_, l) => location(l)) },
  };
}

for (const vector of vectors.cases) {
  test(`C9: ${vector.id}, the exact fit and its rounding`, () => {
    const exact = exactRemainders(...sidesOf(vector));
    expect(formatRational(exact.multiplier)).toBe(vector.out.mu);
    expect(exact.first.map(formatRational)).toEqual(vector.out.time_exact);
    expect(exact.second.map(formatRational)).toEqual(vector.out.location_exact);
  });
  test(`C9: ${vector.id}, remainder rows and the tables they complete`, () => {
    const { cells, margins, domain } = tableOf(vector);
    const { b_cells, b_time, b_location } = vector.in;
    const fitted = fitWeightedRemainder(cells, margins, { cells: b_cells, time: b_time, location: b_location });
    const nothing = (keys: readonly string[]) => keys.map((key) => ['off', key, 0]);
    expect(fitted).toEqual({
      time: [...nothing(domain.times), ...vector.out.time_remainders.map((count, t) => ['on', time(t), count])],
      location: [
        ...nothing(domain.locations),
        ...vector.out.location_remainders.map((count, l) => ['on', location(l), count]),
      ],
    });
    const published = (column: 1 | 2, key: string) =>
      cells.reduce((sum, cell) => sum + (cell[column] === key ? cell[3] : 0), 0);
    const table = (side: Margins['time'], column: 1 | 2) =>
      side.flatMap(([tap, key, count]) => (tap === 'on' ? [count + published(column, key)] : []));
    expect(table(fitted.time, 1)).toEqual(vector.out.time_table);
    expect(table(fitted.location, 2)).toEqual(vector.out.location_table);
    const total = (side: Margins['time']) => side.reduce((sum, row) => sum + row[2], 0);
    expect([total(fitted.time), total(fitted.location)]).toEqual([
      vector.out.total_remainder,
      vector.out.total_remainder,
    ]);
  });
}

test('C9: twins that forget the noise of the published cells, or all weights, fail some vector', () => {
  const passes = (twin: (vector: Vector) => unknown) =>
    vectors.cases.every((vector) => {
      const { time_remainders: first, location_remainders: second } = vector.out;
      return JSON.stringify(twin(vector)) === JSON.stringify({ first, second });
    });
  expect(passes((vector) => fitRemainders(...sidesOf(vector)))).toBe(true);
  expect(passes((vector) => fitRemainders(...sidesOf(vector, '1/1000')))).toBe(false);
  expect(
    passes((vector) => {
      const [times, locations] = sidesOf(vector);
      return fitRemainders(
        times.map((row) => ({ ...row, variance: rational(1n) })),
        locations.map((row) => ({ ...row, variance: rational(1n) })),
      );
    }),
  ).toBe(false);
});

test('C9: a margin that lacks a member of the domain is refused', () => {
  const { cells, margins } = tableOf(vectors.cases[0]!);
  const gap = { ...margins, time: margins.time.slice(1) };
  expect(() => fitWeightedRemainder(cells, gap, { cells: '1', time: '4', location: '4' })).toThrow(TypeError);
});
