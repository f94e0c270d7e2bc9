import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRational, multiply, parseRational, rational } from '../../core/rational/rational.ts';
import vectors from '../../test/vectors/levels-and-floors.json' with { type: 'json' };
import { groupTotal, levelFit } from './level-fit.ts';

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

type LevelVector = {
  id: string;
  in: { residuals: number[]; total: number };
  out: { level: number; missing: number; remainders: number[]; squared_distance: number };
};
const LEVELS = vectors.cases.filter(({ kind }) => kind === 'level') as unknown as LevelVector[];

type TotalVector = {
  id: string;
  in: Record<'time_residual_sum' | 'location_residual_sum' | 'times' | 'locations' | 'hour_rows', number | null> & {
    b_time: string | null;
    b_location: string | null;
  };
  out: { exact: string; total: number };
};
const TOTALS = vectors.cases.filter(({ kind }) => kind === 'group-total') as unknown as TotalVector[];

test('the file of vectors has 18 levels and 7 totals', () => {
  expect([LEVELS.length, TOTALS.length]).toEqual([18, 7]);
});

for (const { id, in: input, out } of LEVELS)
  test(`C9: ${id}, the level and the remainders`, () => {
    const { level, missing, remainders } = levelFit(input.residuals, input.total);
    expect([Number(level), missing, remainders]).toEqual([out.level, out.missing, out.remainders]);
    const distance = remainders.reduce((sum, r, i) => sum + (BigInt(r) - BigInt(input.residuals[i]!)) ** 2n, 0n);
    expect(Number(distance)).toBe(out.squared_distance);
  });

for (const { id, in: input, out } of TOTALS)
  test(`C9: ${id}, the total of a group`, () => {
    const side = (sum: number | null, members: number | null, scale: string | null) =>
      sum === null || members === null || scale === null
        ? null
        : { sum: BigInt(sum), members, variance: multiply(parseRational(scale), parseRational(scale)) };
    const { exact, total } = groupTotal(
      side(input.time_residual_sum, input.times, input.b_time),
      side(input.location_residual_sum, input.locations, input.b_location),
      input.hour_rows ?? 0,
    );
    expect([formatRational(exact), total]).toEqual([out.exact, out.total]);
  });

/** N units one at a time, each to the largest x_i − r_i, ties to the earlier key. */
function handedOut(residuals: readonly number[], total: number, tie: (a: number, b: number) => boolean): number[] {
  const remainders = residuals.map(() => 0);
  for (let unit = 0; unit < total; unit++) {
    const gap = (i: number) => residuals[i]! - remainders[i]!;
    const best = residuals.reduce((a, _, i) => (gap(i) > gap(a) || (gap(i) === gap(a) && tie(i, a)) ? i : a), 0);
    remainders[best]! += 1;
  }
  return remainders;
}
const earlier = (a: number, b: number) => a < b;
const later = (a: number, b: number) => a > b;

const residuals = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 9 });

test('C9: it is what handing out one tap after the other gives, and the twin whose ties go to the later key is not', () => {
  let twins = 0;
  fc.assert(
    fc.property(residuals, fc.nat(120), (x, total) => {
      const { remainders } = levelFit(x, total);
      expect(remainders).toEqual(handedOut(x, total, earlier));
      if (String(remainders) !== String(handedOut(x, total, later))) twins++;
    }),
    { numRuns: 400, seed: 3 },
  );
  expect(twins).toBeGreaterThan(50);
});

/** All ways to write the total as a sum of so many non-negative integers. */
const compositions = (total: number, parts: number): number[][] =>
  parts === 1
    ? [[total]]
    : Array.from({ length: total + 1 }, (_, first) => first).flatMap((first) =>
        compositions(total - first, parts - 1).map((rest) => [first, ...rest]),
      );

test('C9: of all whole-numbered remainders with the total none is nearer to the residuals', () => {
  const small = fc.array(fc.integer({ min: -6, max: 8 }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(small, fc.nat(9), (x, total) => {
      const distance = (r: readonly number[]) => sumOf(r.map((value, i) => (value - x[i]!) ** 2));
      const { remainders } = levelFit(x, total);
      expect(sumOf(remainders)).toBe(total);
      expect(distance(remainders)).toBe(Math.min(...compositions(total, x.length).map(distance)));
    }),
    { numRuns: 200, seed: 4 },
  );
});

test('C9: the total is halved up and never below the hour rows', () => {
  const one = (sum: bigint) => ({ sum, members: 1, variance: rational(1n) });
  expect([-3n, -2n, -1n, 0n, 1n].map((sum) => groupTotal(one(sum), one(sum + 1n), -9).total)).toEqual([
    -2, -1, 0, 1, 2,
  ]);
  expect(groupTotal(one(4n), null, 7).total).toBe(7);
});

test('what is no whole number, a total below 0 and a list without keys are refused', () => {
  for (const [x, total] of [[[1, 0.5], 1] as const, [[1], -1] as const, [[], 0] as const, [[2 ** 53], 1] as const])
    expect(() => levelFit(x, total)).toThrow(RangeError);
  expect(() => groupTotal(null, null, 0)).toThrow(TypeError);
});
