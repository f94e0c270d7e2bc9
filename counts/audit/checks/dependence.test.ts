import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { sumBounds, sumLaw } from '../../../core/statistics/integer-sum.ts';
import { noiseVariance } from '../../../core/statistics/noise-law.ts';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { checkDependence } from './dependence.ts';

type ViewsCase = { id: string; in: { k: number; b: string }; out: Record<string, string> };
const views = vectors.cases.filter(({ kind }) => kind === 'k-views') as unknown as ViewsCase[];
const number = (text: string): number => toNumber(parseRational(text));
const distance = (value: number, exact: string): number =>
  number(exact) === 0 ? Math.abs(value) : Math.abs(value / number(exact) - 1);

describe('several views of one count', () => {
  test('there are 7 vectors', () => expect(views).toHaveLength(7));

  test.each(views)('$id', ({ in: { k, b }, out }) => {
    const scale = number(b);
    for (const [model, exact] of [
      ['real-laplace', out.se_real_laplace!],
      ['discrete-laplace', out.se_discrete!],
    ] as const) {
      const declaredVariance = noiseVariance(model, scale);
      const variances = Array<number>(k).fill(declaredVariance);
      const { statistic, verdict } = checkDependence({ variances, counted: k }, declaredVariance);
      expect(distance(statistic!, exact)).toBeLessThan(1e-12);
      expect(verdict).toBe('pass');
    }
    // The mean of k views rounds to the truth, ties aside, when the sum of their noises stays under k/2.
    const [{ chances }, within] = [
      sumLaw('discrete-laplace', [[scale, k]]),
      sumBounds('discrete-laplace', [[scale, k]]),
    ];
    const tie = Number.isInteger(k / 2) ? (chances[k / 2] ?? 0) : 0;
    expect(distance(within(Math.ceil(k / 2) - 1).lower, out.p_mean_rounds_to_truth_excluding_ties!)).toBeLessThan(1e-9);
    expect(distance(tie, out.p_tie_each_side!)).toBeLessThan(1e-9);
  });
});

// Nothing is random here.
describe('the dependence check', () => {
  const variance = noiseVariance('discrete-laplace', 1);

  test('passes the two ends of a closed line, which a trip pays for', () => {
    const check = checkDependence({ variances: [variance, variance], counted: 2 }, variance);
    expect(check.verdict).toBe('pass');
    expect(check.statistic).toBeCloseTo(0.95951737566747, 12);
  });

  test('broken twin: a view that nobody counts fails, however much noise is in it', () => {
    const withThird = (third: number) =>
      checkDependence({ variances: [variance, variance, third], counted: 2 }, variance).verdict;
    expect([withThird(variance), withThird(1000 * variance)]).toEqual(['fail', 'fail']);
  });

  test('says nothing of a count of which nothing is published', () => {
    const check = checkDependence({ variances: [], counted: 1 }, variance);
    expect([check.verdict, check.statistic]).toEqual(['pass', null]);
  });
});
