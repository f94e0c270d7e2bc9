import { expect, test } from 'vitest';
import type { Certificate } from '../../contracts/certificate.ts';
import { type DrawnRows, fitRemainder } from '../../test/support/draw-rows.ts';
import type { HourRow, Margins, PrivatizedCell } from '../../test/support/table-of-rows.ts';
import vectors from '../../test/vectors/levels-and-floors.json' with { type: 'json' };

type Vector = {
  id: string;
  kind: string;
  in: {
    times?: string[];
    time_margins: number[] | null;
    location_margins: number[] | null;
    b_time: string | null;
    b_location: string | null;
    cells?: (number | null)[][];
  };
  out: {
    cells?: (number | null)[][];
    hour_rows?: [string, number, number, number][] | null;
    time_remainders: number[] | null;
    location_remainders: number[] | null;
  };
};
const VECTORS = vectors.cases.filter(({ kind }) => kind === 'remainder' || kind === 'floor') as unknown as Vector[];

const location = (place: number): string => `place ${place}`;

/** The published rows of a vector as the tap-ons of a partition; its tap-offs have margins of 0 and no row. */
function drawnOf({ in: input, out }: Vector): { drawn: DrawnRows; scales: Certificate['marginScales'] } {
  const rows = input.cells ?? out.cells!;
  const times = input.times ?? rows.map((_, t) => `0${t}:00`);
  const locations = rows[0]!.map((_, l) => location(l));
  const cells = rows.flatMap((row, t) =>
    row.flatMap((count, l): PrivatizedCell[] => (count === null ? [] : [['on', times[t]!, location(l), count]])),
  );
  const hours = (out.hour_rows ?? []).map(([hour, l, sum]): HourRow => ['on', hour, location(l), sum]);
  const side = (keys: readonly string[], margins: number[] | null): Margins['time'] =>
    margins?.flatMap((count, i): Margins['time'] => [
      ['off', keys[i]!, 0],
      ['on', keys[i]!, count],
    ]) ?? [];
  return {
    drawn: {
      cells,
      hours,
      margins: { time: side(times, input.time_margins), location: side(locations, input.location_margins) },
    },
    scales: {
      ...(input.b_time !== null && { time: input.b_time }),
      ...(input.b_location !== null && { location: input.b_location }),
    },
  };
}

const ofOn = (rows: Margins['time']): number[] => rows.flatMap(([tap, , count]) => (tap === 'on' ? [count] : []));

test('the file of vectors has 14 fits without and 8 with a floor', () => {
  expect(VECTORS.length).toBe(22);
});

for (const vector of VECTORS)
  test(`C9: ${vector.id}, remainder rows`, () => {
    const { drawn, scales } = drawnOf(vector);
    const fitted = fitRemainder(drawn, scales);
    expect(ofOn(fitted.time)).toEqual(vector.out.time_remainders ?? []);
    expect(ofOn(fitted.location)).toEqual(vector.out.location_remainders ?? []);
    const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);
    const hours = drawn.hours.reduce((sum, row) => sum + row[3], 0);
    if (scales.time && scales.location) expect(sumOf(ofOn(fitted.time))).toBe(hours + sumOf(ofOn(fitted.location)));
    expect(fitted.time.every(([tap, , count]) => tap === 'on' || count === 0)).toBe(true);
  });

test('C9: twins without the hour rows of a place, or with the noisy total of one margin alone, fail some vector', () => {
  const passes = (twin: (vector: Vector) => Margins) =>
    VECTORS.every((vector) => String(ofOn(twin(vector).location)) === String(vector.out.location_remainders ?? []));
  const refit = ({ drawn, scales }: ReturnType<typeof drawnOf>) => fitRemainder(drawn, scales);
  expect(passes((vector) => refit(drawnOf(vector)))).toBe(true);
  expect(passes((vector) => refit({ ...drawnOf(vector), drawn: { ...drawnOf(vector).drawn, hours: [] } }))).toBe(false);
  expect(passes((vector) => refit({ ...drawnOf(vector), scales: { ...drawnOf(vector).scales, time: '1000' } }))).toBe(
    false,
  );
});

test('C9: the fit does not depend on the order of the cells or the margins', () => {
  const { drawn, scales } = drawnOf(VECTORS.find(({ id }) => id === 'remainder-004')!);
  const reversed = {
    cells: drawn.cells.toReversed(),
    hours: drawn.hours.toReversed(),
    margins: { time: drawn.margins.time.toReversed(), location: drawn.margins.location.toReversed() },
  };
  expect(fitRemainder(reversed, scales)).toEqual(fitRemainder(drawn, scales));
});

test('C9: a margin that lacks a member of the domain is refused', () => {
  const { drawn, scales } = drawnOf(VECTORS[0]!);
  const gap = { ...drawn, margins: { ...drawn.margins, time: drawn.margins.time.slice(1) } };
  expect(() => fitRemainder(gap, scales)).toThrow(TypeError);
});
