import { expect, test } from 'vitest';
import vectors from '../../test/vectors/remainder.json' with { type: 'json' };
import { add, formatRational, multiply, parseRational, rational } from '../rational/rational.ts';
import { exactRemainders, fitRemainders } from './remainder-fit.ts';

for (const { id, in: input, out } of vectors.cases) {
  test(`C9: ${id}`, () => {
    const side = (margins: number[], b: string, cellsOf: (place: number) => (number | null)[]) =>
      margins.map((margin, place) => {
        const shown = cellsOf(place).filter((count) => count !== null);
        const twice = (scale: string) => multiply(rational(2n), multiply(parseRational(scale), parseRational(scale)));
        return {
          residual: BigInt(margin - shown.reduce((sum, count) => sum + count, 0)),
          variance: add(twice(b), multiply(rational(BigInt(shown.length)), twice(input.b_cells))),
        };
      });
    const cells = input.cells as (number | null)[][];
    const times = side(input.time_margins, input.b_time, (t) => cells[t]!);
    const locations = side(input.location_margins, input.b_location, (l) => cells.map((row) => row[l]!));
    const exact = exactRemainders(times, locations);
    expect(formatRational(exact.multiplier)).toBe(out.mu);
    expect(exact.first.map(formatRational)).toEqual(out.time_exact);
    expect(exact.second.map(formatRational)).toEqual(out.location_exact);
    expect(fitRemainders(times, locations)).toEqual({ first: out.time_remainders, second: out.location_remainders });
  });
}
