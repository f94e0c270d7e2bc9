import { describe, expect, test } from 'vitest';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import consistency from '../../../test/vectors/consistency.json' with { type: 'json' };
import { parseRational, toNumber } from '../../rational/rational.ts';
import { noiseVariance } from '../statistics/noise-law.ts';
import {
  checkDependence,
  effectiveVariances,
  type Measurement,
  roundingToTruth,
  standardErrorOfViews,
} from './dependence.ts';

type ViewsCase = { id: string; in: { k: number; b: string }; out: Record<string, string> };
type LeastSquaresCase = {
  id: string;
  in: Record<'cell_weights', (string | null)[][]> &
    Partial<Record<'row_weights' | 'column_weights', (string | null)[]>> & { grand_weight?: string | null };
  out: { cell_variances: string[][] };
};
const views = vectors.cases.filter(({ kind }) => kind === 'k-views') as unknown as ViewsCase[];
const fits = consistency.cases.filter(({ kind }) => kind === 'gls') as unknown as LeastSquaresCase[];
const number = (text: string): number => toNumber(parseRational(text));
const distance = (value: number, exact: string): number =>
  number(exact) === 0 ? Math.abs(value) : Math.abs(value / number(exact) - 1);

describe('several views of one count', () => {
  test('there are 7 vectors', () => expect(views).toHaveLength(7));

  test.each(views)('$id', ({ in: { k, b }, out }) => {
    const scale = number(b);
    expect(distance(standardErrorOfViews('real-laplace', scale, k), out.se_real_laplace!)).toBeLessThan(1e-12);
    expect(distance(standardErrorOfViews('discrete-laplace', scale, k), out.se_discrete!)).toBeLessThan(1e-12);
    const { rounds, tieOnEachSide } = roundingToTruth('discrete-laplace', scale, k);
    expect(distance(rounds, out.p_mean_rounds_to_truth_excluding_ties!)).toBeLessThan(1e-9);
    expect(distance(tieOnEachSide, out.p_tie_each_side!)).toBeLessThan(1e-9);
    const measurements = Array.from({ length: k }, () => ({
      unknowns: [0],
      variance: noiseVariance('discrete-laplace', scale),
    }));
    expect(distance(Math.sqrt(effectiveVariances(1, measurements)[0]!), out.se_discrete!)).toBeLessThan(1e-9);
  });
});

/** The measurements of a table with cells, row, column and grand totals; a weight is an inverse variance. */
function measurementsOf({
  cell_weights,
  row_weights,
  column_weights,
  grand_weight,
}: LeastSquaresCase['in']): Measurement[] {
  const columns = cell_weights[0]!.length;
  const all = cell_weights.flatMap((row, r) => row.map((_, c) => r * columns + c));
  const weighed: [number[], string | null | undefined][] = [
    ...cell_weights.flatMap((row, r) => row.map((weight, c): [number[], string | null] => [[r * columns + c], weight])),
    ...(row_weights ?? []).map((weight, r): [number[], string | null] => [
      all.filter((i) => Math.floor(i / columns) === r),
      weight,
    ]),
    ...(column_weights ?? []).map((weight, c): [number[], string | null] => [
      all.filter((i) => i % columns === c),
      weight,
    ]),
    [all, grand_weight],
  ];
  return weighed.flatMap(([unknowns, weight]) => (weight ? [{ unknowns, variance: 1 / number(weight) }] : []));
}

describe('the best estimate from everything', () => {
  test('there are vectors', () => expect(fits.length).toBeGreaterThan(3));

  test.each(fits)('$id', ({ in: input, out }) => {
    const exact = out.cell_variances.flat();
    const variances = effectiveVariances(exact.length, measurementsOf(input));
    for (const [index, variance] of variances.entries()) expect(distance(variance, exact[index]!)).toBeLessThan(1e-9);
  });

  test('an unknown that nothing measures is not known at all', () => {
    expect(effectiveVariances(2, [{ unknowns: [0], variance: 1 }])).toEqual([Infinity, Infinity]);
    expect(effectiveVariances(2, [{ unknowns: [0, 1], variance: 1 }])).toEqual([Infinity, Infinity]);
  });
});

// Nothing is random here.
describe('the dependence check', () => {
  const variance = noiseVariance('discrete-laplace', 1);
  const [on, off] = [
    { unknowns: [0], variance },
    { unknowns: [0], variance },
  ];

  test('passes the two ends of a closed line, which a trip pays for', () => {
    const check = checkDependence({ size: 1, measurements: [on, off], declaredVariance: variance, countedViews: 2 });
    expect(check.verdict).toBe('pass');
    expect(check.statistic).toBeCloseTo(0.95951737566747, 12);
  });

  test('broken twins: a view that nobody counts, and independent totals over the cells, fail', () => {
    const third = { size: 1, measurements: [on, off, on], declaredVariance: variance, countedViews: 2 };
    expect(checkDependence(third).verdict).toBe('fail');
    const totals = [
      [0, 1],
      [2, 3],
      [0, 2],
      [1, 3],
    ].map((unknowns) => ({ unknowns, variance }));
    const cells = [0, 1, 2, 3].map((cell) => ({ unknowns: [cell], variance }));
    const tables = { size: 4, measurements: [...cells, ...totals], declaredVariance: variance, countedViews: 1 };
    expect(checkDependence(tables).verdict).toBe('fail');
    expect(checkDependence({ ...tables, measurements: cells }).verdict).toBe('pass');
  });

  test('says nothing of counts that nothing determines', () => {
    const check = checkDependence({ size: 2, measurements: [on], declaredVariance: variance, countedViews: 1 });
    expect([check.verdict, check.statistic]).toEqual(['pass', null]);
  });
});
