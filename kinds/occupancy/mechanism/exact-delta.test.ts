import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalDown } from '../../../core/rational/decimal.ts';
import { compare, ONE, parseRational, rational, subtract, toNumber, ZERO } from '../../../core/rational/rational.ts';
import { occupancyDelta } from '../../../test/oracles/occupancy-delta.ts';
import { deltaBounds, isAtMost, largestDelta, normalise, weightProbabilities } from './exact-delta.ts';
import { casesOf } from './vehicle-models.fixture.ts';

const BITS = 6;
const PLACES = 256n;

/** Small tables of weights that add up to 2^6 in each row. */
const anyWeights = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 32 }), fc.integer({ min: 0, max: 32 })), { minLength: 1, maxLength: 5 })
  .map((rows) => rows.map(([a, b]) => [BigInt(a), BigInt(b), BigInt(2 ** BITS - a - b)]));
const anyEpsilon = fc.tuple(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 20n }));

describe('the exact δ of a table', () => {
  test.each(casesOf('table-check'))('%s', (_, { in: given, out }) => {
    const table = given.table.map((row) => row.map(parseRational));
    const epsilon = parseRational(given.eps);
    const both = [
      [table, out.max_delta_as_given, out.attained],
      [normalise(table), out.max_delta_rows_normalised, out.attained_normalised],
    ] as const;
    for (const [rows, delta, pair] of both) {
      const exact = largestDelta(rows, epsilon);
      const { lower, upper } = deltaBounds(exact, epsilon, 256);
      expect(Math.abs(toNumber(upper) - Number(delta))).toBeLessThanOrEqual(1e-19 * Math.max(1, Number(delta) / 1e-5));
      expect(compare(lower, upper)).toBeLessThanOrEqual(0);
      const named = largestDelta([rows[pair.P]!, rows[pair.Q]!], epsilon);
      expect(decimalDown(deltaBounds(named, epsilon, 256).lower)).toBe(decimalDown(lower));
      if (Number(delta) > 0) expect([exact.row, exact.neighbour].sort()).toEqual([pair.P, pair.Q].sort());
    }
    const holds = isAtMost(largestDelta(table, epsilon), parseRational(given.delta), epsilon);
    expect(holds).toBe(out.satisfies);
  });

  test('exact-profile-delta: is that of the worst set of categories, for neighbours and for groups', () => {
    fc.assert(
      fc.property(anyWeights, anyEpsilon, fc.integer({ min: 1, max: 3 }), (weights, [n, d], group) => {
        const epsilon = rational(n, d);
        const exact = largestDelta(weightProbabilities(weights, BITS), epsilon, group);
        const oracle = rational(occupancyDelta(weights, [n, d], group), 1n << PLACES);
        const { lower, upper } = deltaBounds(exact, epsilon, 400);
        expect(compare(lower, oracle)).toBeLessThanOrEqual(0);
        expect(compare(subtract(oracle, upper), rational(1n, 1n << 150n))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test('is told apart from a δ that is equal but for the digits, and equality is at most', () => {
    const table = [
      [rational(3n, 4n), rational(1n, 4n)],
      [ONE, ZERO],
    ];
    const exact = largestDelta(table, ONE);
    expect(exact).toEqual({ whole: rational(1n, 4n), factor: ZERO, row: 0, neighbour: 1 });
    expect(isAtMost(exact, rational(1n, 4n), ONE)).toBe(true);
    expect(isAtMost(exact, rational((1n << 300n) - 1n, 1n << 302n), ONE)).toBe(false);
  });

  test('ε of 0 is the distance of the rows, and one row has no neighbour', () => {
    const table = [
      [rational(3n, 4n), rational(1n, 4n)],
      [rational(1n, 2n), rational(1n, 2n)],
    ];
    expect(deltaBounds(largestDelta(table, ZERO), ZERO, 64)).toEqual({
      lower: rational(1n, 4n),
      upper: rational(1n, 4n),
    });
    expect(largestDelta(table.slice(1), ONE)).toMatchObject({ whole: ZERO, factor: ZERO });
  });
});
