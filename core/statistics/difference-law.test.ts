import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/attacks.json' with { type: 'json' };
import { parseRational, toNumber } from '../rational/rational.ts';
import {
  differenceInformation,
  differenceProbability,
  differenceScore,
  logDifferenceProbability,
} from './difference-law.ts';
import { NOISE_MODELS, type NoiseModel, noiseVariance } from './noise-law.ts';

type Case = { id: string; kind: string; in: { model: NoiseModel; b: string }; out: Record<string, string & string[]> };
const cases = vectors.cases as unknown as Case[];
const integer = cases.filter(({ kind }) => kind === 'scale-difference-pmf');
const real = cases.filter(({ kind }) => kind === 'scale-difference-real');
const scaleOf = (one: Case): number => toNumber(parseRational(one.in.b));
const distance = (value: number, exact: string): number => Math.abs(value - Number(exact)) / Number(exact);

/** The greatest distance of a law from the probabilities of a vector. */
const misfit = (model: NoiseModel, one: Case): number => {
  const exact: string[] = one.out.pmf!;
  return Math.max(...exact.map((value, d) => distance(differenceProbability(model, scaleOf(one), d), value)));
};

describe('differences of two counts of equal truth', () => {
  test('there are 8 and 4 vectors', () => expect([integer.length, real.length]).toEqual([8, 4]));

  test.each(integer)('$id', (one) => {
    const [model, b] = [one.in.model, scaleOf(one)];
    expect(misfit(model, one)).toBeLessThan(1e-12);
    expect(distance(differenceProbability(model, b, 0), one.out.p_equal!)).toBeLessThan(1e-12);
    const sizes = Array.from({ length: Math.ceil(80 * b) + 4 }, (_, d) => 2 * d * differenceProbability(model, b, d));
    const meanSize = sizes.reduce((sum, size) => sum + size, 0);
    expect(distance(meanSize, one.out.mean_abs!)).toBeLessThan(1e-9);
    expect(distance(2 * noiseVariance(model, b), one.out.variance!)).toBeLessThan(1e-12);
    expect(distance(differenceInformation(model, b), one.out.fisher_information_per_pair!)).toBeLessThan(1e-9);
    const error = 1 / Math.sqrt(differenceInformation(model, b));
    expect(distance(error, one.out.se_of_b_times_sqrt_n!)).toBeLessThan(1e-9);
    expect(distance(error / b, one.out.relative_se_times_sqrt_n!)).toBeLessThan(1e-9);
  });

  test.each(real)('$id', (one) => {
    const b = scaleOf(one);
    for (const u of [0, 1, 5])
      expect(distance(differenceProbability('real-laplace', b, u), one.out[`density_at_${u}`]!)).toBeLessThan(1e-12);
    expect(distance(2 * noiseVariance('real-laplace', b), one.out.variance!)).toBeLessThan(1e-12);
    expect(distance(Math.sqrt(2 * noiseVariance('real-laplace', b)), one.out.sd!)).toBeLessThan(1e-12);
    expect(distance(differenceInformation('real-laplace', b), one.out.fisher_information_per_pair!)).toBeLessThan(
      1e-12,
    );
    expect(
      distance(1 / Math.sqrt(differenceInformation('real-laplace', b)), one.out.se_of_b_times_sqrt_n!),
    ).toBeLessThan(1e-12);
  });

  test('broken twin: no model passes for another', () => {
    for (const one of integer)
      for (const model of NOISE_MODELS) if (model !== one.in.model) expect(misfit(model, one)).toBeGreaterThan(1e-4);
  });

  test('the score is the slope of the log-likelihood', () => {
    for (const model of NOISE_MODELS)
      for (const b of [0.3, 1, 2.5, 20])
        for (const d of [0, 1, 4, 30]) {
          const step = 1e-5 * b;
          const slope = logDifferenceProbability(model, b + step, d) - logDifferenceProbability(model, b - step, d);
          expect(differenceScore(model, b, d) * b).toBeCloseTo((slope / (2 * step)) * b, 5);
        }
  });
});
