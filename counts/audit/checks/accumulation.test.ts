import { describe, expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import vectors from '../../../test/vectors/attacks.json' with { type: 'json' };
import { atLeastOnce, checkAccumulation } from './accumulation.ts';
import type { AppearanceRule } from './declared-noise.ts';

type Case = { id: string; in: { q: string; K: number }; out: { p_at_least_once: string; union_bound: string } };
const cases = vectors.cases.filter(({ kind }) => kind === 'accumulation') as unknown as Case[];
const distance = (value: number, exact: string): number => Math.abs(value / Number(exact) - 1);

describe('accumulation', () => {
  test('there are 15 vectors', () => expect(cases).toHaveLength(15));

  test.each(cases)('$id', ({ in: { q, K }, out }) => {
    const probability = toNumber(parseRational(q));
    expect(distance(atLeastOnce(probability, K), out.p_at_least_once)).toBeLessThan(1e-12);
    expect(distance(K * probability, out.union_bound)).toBeLessThan(1e-12);
  });

  test('broken twins: the union bound, and 1 − (1 − q)^K as written, are caught by the vectors', () => {
    const far = (value: (q: number, K: number) => number): number =>
      cases.filter(
        ({ in: { q, K }, out }) => distance(value(toNumber(parseRational(q)), K), out.p_at_least_once) > 1e-12,
      ).length;
    expect(far((q, K) => K * q)).toBe(15);
    expect(far((q, K) => 1 - (1 - q) ** K)).toBeGreaterThan(0);
  });

  // Nothing is random here.
  const rule: AppearanceRule = { model: 'real-laplace', scale: 1, threshold: 17.588099280204055 };

  test('is always reported: 260 days of the 2017 time-location table show a group of twelve at 38.5 %', () => {
    const check = checkAccumulation(rule, { chances: 260, deltaCap: 1e-4 });
    expect(check.verdict).toBe('pass');
    expect(check.sentence).toContain('a group of twelve 38.5 %');
    expect(check.statistic! / 8.12496711922899e-6).toBeCloseTo(1, 9);
  });

  test('broken twin: a year over its own cap fails', () => {
    expect(checkAccumulation(rule, { chances: 260, deltaCap: 8e-6 }).verdict).toBe('fail');
    expect(checkAccumulation(rule, { chances: 255, deltaCap: 8e-6 }).verdict).toBe('pass');
  });
});
