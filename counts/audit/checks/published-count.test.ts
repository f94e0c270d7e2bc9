import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { fateOfCount, type PublishedCount } from './published-count.ts';

type Case = {
  id: string;
  in: { counts: number[]; T: number; b: string };
  out: {
    true_sum: number;
    expected_published_sum: string;
    bias: string;
    variance: string;
    p_all_positive_cells_published: string;
    cells: { c: number; p_published: string; expected_output: string }[];
  };
};
const cases = vectors.cases.filter(({ kind }) => kind === 'sum-of-published') as unknown as Case[];
const distance = (value: number, exact: string): number =>
  Number(exact) === 0 ? Math.abs(value) : Math.abs(value / Number(exact) - 1);
const add = (fates: readonly PublishedCount[], part: 'mean' | 'variance'): number =>
  fates.reduce((sum, fate) => sum + fate[part], 0);

describe('published counts', () => {
  test('there are 2 vectors', () => expect(cases).toHaveLength(2));

  test.each(cases)('$id', ({ in: { counts, T, b }, out }) => {
    const noise = { model: 'discrete-laplace' as const, scale: toNumber(parseRational(b)), threshold: T };
    const fates = counts.map((count) => fateOfCount(noise, count));
    const sum = counts.reduce((total, count) => total + count, 0);
    expect(sum).toBe(out.true_sum);
    expect(distance(add(fates, 'mean'), out.expected_published_sum)).toBeLessThan(1e-9);
    expect(distance(add(fates, 'mean') - sum, out.bias)).toBeLessThan(1e-9);
    expect(distance(add(fates, 'variance'), out.variance)).toBeLessThan(1e-9);
    const positive = fates.filter((_, index) => counts[index]! > 0);
    expect(
      distance(
        positive.reduce((all, { published }) => all * published, 1),
        out.p_all_positive_cells_published,
      ),
    ).toBeLessThan(1e-9);
    for (const [index, cell] of out.cells.entries()) {
      expect(distance(fates[index]!.published, cell.p_published)).toBeLessThan(1e-12);
      expect(distance(fates[index]!.mean, cell.expected_output)).toBeLessThan(1e-9);
    }
  });

  test('without a threshold nothing is lost and only the noise is added', () => {
    const fate = fateOfCount({ model: 'discrete-laplace', scale: 1, threshold: null }, 7);
    expect(fate.mean).toBeCloseTo(7, 12);
    expect(fate.variance).toBeCloseTo(1.8413, 4);
  });

  test('broken twin: publishing only what is above the threshold is caught by the vectors', () => {
    for (const { in: input, out } of cases) {
      const noise = {
        model: 'discrete-laplace' as const,
        scale: toNumber(parseRational(input.b)),
        threshold: input.T + 1,
      };
      expect(distance(fateOfCount(noise, input.counts[1]!).published, out.cells[1]!.p_published)).toBeGreaterThan(0.1);
    }
  });
});
