import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../../contracts/certificate.ts';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { noiseVariance } from '../../../core/statistics/noise-law.ts';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { certify } from '../../certificate/certify.ts';
import { TRIP_REQUEST } from '../../certificate/trip-request.fixture.ts';
import { appearanceRule } from './declared-noise.ts';
import { checkPresence, GROUPS, presenceProbability } from './presence.ts';

type Case = {
  id: string;
  kind: string;
  in: { b: string; t: string; g: number; T: number; p: string; printed_p: string };
  out: Record<string, string> & { density_at_p_sqrt2: Record<string, string> };
};
const cases = vectors.cases as unknown as Case[];
const ofKind = (kind: string): Case[] => cases.filter((one) => one.kind === kind);
const number = (text: string | number): number => toNumber(parseRational(String(text)));
const distance = (value: number, exact: string): number => Math.abs(value / Number(exact) - 1);

/** What the report of 2017 evaluates: the density of the noise at the threshold. */
const density = (b: number, t: number, g: number): number => Math.exp(-Math.abs(t - g) / b) / (2 * b);

describe('presence, vectors', () => {
  test('there are 12, 3 and 1', () =>
    expect(['presence', 'theorem-1', 'printed-scale'].map((kind) => ofKind(kind).length)).toEqual([12, 3, 1]));

  test.each(ofKind('presence'))('$id', ({ in: { b, t, g, T }, out }) => {
    const [scale, threshold] = [number(b), number(t)];
    const real = presenceProbability({ model: 'real-laplace', scale, threshold }, g);
    expect(distance(real, out.tail_compare_then_round!)).toBeLessThan(1e-12);
    const roundedFirst = presenceProbability({ model: 'rounded-laplace', scale, threshold: T }, g);
    expect(distance(roundedFirst, out.tail_round_then_compare!)).toBeLessThan(1e-12);
    const discrete = presenceProbability({ model: 'discrete-laplace', scale, threshold: T }, g);
    expect(distance(discrete, out.discrete_tail!)).toBeLessThan(1e-12);
    expect(distance(density(scale, threshold, g), out.density!)).toBeLessThan(1e-12);
  });

  test.each(ofKind('theorem-1'))('$id', ({ in: { p, t }, out }) => {
    const [scale, threshold] = [number(p), number(t)];
    const bound = presenceProbability({ model: 'real-laplace', scale, threshold }, 1);
    expect(distance(bound, out.correct_delta_lower_bound!)).toBeLessThan(1e-12);
    expect(distance(density(scale, threshold, 1), out.printed_formula_value!)).toBeLessThan(1e-12);
    expect(distance(density(scale, threshold, 0), out.appendix_c_value_at_t_18!)).toBeLessThan(1e-12);
  });

  test.each(ofKind('printed-scale'))('$id: the printed 1.4 is a standard deviation', ({ in: input, out }) => {
    expect(distance(Math.sqrt(noiseVariance('real-laplace', 1)), out.sd_of_scale_1_noise!)).toBeLessThan(1e-12);
    expect(distance(number(input.printed_p) / Math.SQRT2, out.if_standard_deviation_of_noise_then_b!)).toBeLessThan(
      1e-12,
    );
    expect(distance(2 / number(input.printed_p), out.implied_eps_if_scale_is_1_4!)).toBeLessThan(1e-12);
    expect(distance(Math.log(2 / 1.25e-7) + 1, out.threshold_by_the_paper!)).toBeLessThan(1e-12);
    expect(number(out.scale_of_time_location_table_by_the_paper!)).toBe(1);
    for (const group of GROUPS.map(({ size }) => size))
      expect(distance(density(Math.SQRT2, 18, group), out.density_at_p_sqrt2[group]!)).toBeLessThan(1e-12);
  });

  test('broken twin: the density is caught by the vectors wherever the scale is not 1', () => {
    const caught = ofKind('presence').filter(
      ({ in: { b, t, g }, out }) => distance(density(number(b), number(t), g), out.tail_compare_then_round!) > 0.1,
    );
    expect(caught.length).toBeGreaterThanOrEqual(ofKind('presence').filter(({ in: { b } }) => b !== '1').length);
  });
});

const request = {
  ...TRIP_REQUEST,
  split: { cells: '8' },
} as const;

// Nothing here is random: an honest certificate always passes, a broken one always fails.
describe('the presence check', () => {
  const certificate: Certificate = certify(request);

  test('passes what the certificate covers', () => {
    const check = checkPresence({ certificate });
    expect(check.verdict).toBe('pass');
    expect(check.statistic! / Number(certificate.deltaUpper)).toBeCloseTo(1, 9);
    expect(check.sentence).toMatch(
      /one person shows with a chance of 1 in [\d,]+, a group of five .*, a group of twelve/,
    );
  });

  test('passes every unit, and nothing to see in a complete domain', () => {
    for (const change of [
      { unit: 'tap' as const, publish: 'on' as const },
      { unit: 'card-day' as const, maxTaps: 4 },
      { neighbours: 'add-remove' as const },
      { mechanism: 'sbh-2017' as const },
      { mechanism: 'sbh-2017' as const, split: { cells: '4', time: '2', location: '2' } },
    ])
      expect(checkPresence({ certificate: certify({ ...request, ...change }) }).verdict).toBe('pass');
    const complete = checkPresence({ certificate: certify({ ...request, mechanism: 'complete-domain', delta: '0' }) });
    expect([complete.verdict, complete.statistic]).toEqual(['pass', 0]);
  });

  test('broken twins: a threshold one lower, less noise, or a smaller δ than there is, fail', () => {
    const threshold = certificate.threshold! - 1;
    expect(checkPresence({ certificate: { ...certificate, threshold } }).verdict).toBe('fail');
    expect(checkPresence({ certificate: { ...certificate, scale: '1' } }).verdict).toBe('fail');
    expect(checkPresence({ certificate: { ...certificate, deltaUpper: '1e-9' } }).verdict).toBe('fail');
  });

  test('the threshold of the historic algorithm is the real one', () => {
    const rule = appearanceRule(
      certify({ ...request, mechanism: 'sbh-2017', split: { cells: '4', time: '2', location: '2' } }),
    );
    expect(rule).toMatchObject({ model: 'real-laplace', scale: 1 });
    expect(rule.threshold).toBeCloseTo(Math.log(2 / (1e-6 / 6)) + 1, 12);
  });
});
