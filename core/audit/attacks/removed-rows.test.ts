import { describe, expect, test } from 'vitest';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { formatRational } from '../../rational/rational.ts';
import { checkRemovedRows, removedRows } from './removed-rows.ts';

type Case = {
  id: string;
  in: { groups: number[]; days: number; percent: string; decimals_of_percent: number };
  out: {
    rows: number;
    product: string;
    interval: [string, string];
    integers_in_interval: number[];
    possible: boolean;
    trips_if_exactly_one_dropped: [number, number];
  };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'removed-rows') as unknown as Case[];

describe('removed rows', () => {
  test('there are 3 vectors', () => expect(cases).toHaveLength(3));

  test.each(cases)('$id', ({ in: input, out }) => {
    const rows = input.groups.reduce((sum, group) => sum + group, 0) * input.days;
    expect(rows).toBe(out.rows);
    const found = removedRows(BigInt(rows), input.percent, input.decimals_of_percent);
    expect(formatRational(found.product)).toBe(out.product);
    expect([found.lower, found.upper].map(formatRational)).toEqual(out.interval);
    const [first, last] = [out.integers_in_interval[0], out.integers_in_interval.at(-1)];
    expect(found.integers).toEqual(first === undefined || last === undefined ? null : [BigInt(first), BigInt(last)]);
    expect(found.integers !== null).toBe(out.possible);
    expect(found.totalsIfOne).toEqual(out.trips_if_exactly_one_dropped.map(BigInt));
  });

  test('a percentage that rounds to 0 may stand for none, and has no largest total', () => {
    expect(removedRows(658n, '0.00', 2)).toMatchObject({ integers: [0n, 0n], totalsIfOne: null });
  });

  // Nothing is random here.
  test('passes statistics of the published rows, at any rounding', () => {
    const check = checkRemovedRows([
      { name: 'share of cells published', printed: '33.3', fromRows: '100/3' },
      { name: 'sum of all counts', printed: '26946858', fromRows: '26946858' },
    ]);
    expect([check.verdict, check.statistic]).toEqual(['pass', 0]);
  });

  test('broken twin: the share of dropped trips, which no published row knows, fails', () => {
    const check = checkRemovedRows([
      { name: 'share of dropped tap-offs', printed: '0.0005', fromRows: null },
      { name: 'cells with an error', printed: '1.31', fromRows: '1.30' },
      { name: 'sum of all counts', printed: '12', fromRows: '12' },
    ]);
    expect([check.verdict, check.statistic]).toEqual(['fail', 2]);
    expect(check.sentence).toContain('share of dropped tap-offs');
  });
});
