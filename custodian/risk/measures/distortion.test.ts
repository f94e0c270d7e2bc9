import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { divergenceBits } from '../../../test/oracles/multiplicative-weights.ts';
import vectors from '../../../test/vectors/pif.json' with { type: 'json' };
import { distortionOf, divergence, relativeSafety } from './distortion.ts';

const number = (text: string): number => toNumber(parseRational(text));
type Case = { kind: string; in: Record<string, unknown>; out: Record<string, unknown> };
const ofKind = (kind: string): Case[] => (vectors.cases as unknown as Case[]).filter((one) => one.kind === kind);

test('divergence and relative safety are those of the vectors, by both readings of Figure 24', () => {
  const cases = ofKind('mwem');
  const distortion = (name: unknown, reading: string) => {
    const { in: given, out } = cases.find((one) => one.in.name === name)!;
    const bits = divergence((given.B as string[]).map(number), (out[`average_${reading}`] as string[]).map(number));
    expect(bits).toBeCloseTo(number(out[`KL_bits_${reading}`] as string), 12);
    return distortionOf([bits]);
  };
  const safeties = ofKind('relative-safety');
  expect(safeties.length).toBeGreaterThan(0);
  for (const { in: of, out } of safeties)
    for (const reading of ['A0_to_A_T_minus_1', 'A1_to_A_T'])
      expect(relativeSafety(distortion(of.D1, reading), distortion(of.D2, reading))).toBeCloseTo(
        number(out[`safety_of_D1_relative_to_D2_${reading}`] as string),
        10,
      );
});

test('divergence is that of the definition, 0 for the counts themselves, and knows no order of cells', () => {
  const cell = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 1, max: 2 ** 30 }));
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 30 }), (cells) => {
      const [counts, weights] = [cells.map(([count]) => count), cells.map(([, weight]) => weight)];
      if (counts.every((count) => count === 0)) return expect(divergence(counts, weights)).toBe(0);
      expect(divergence(counts, weights)).toBeCloseTo(Math.max(0, divergenceBits(counts, weights)), 9);
      expect(divergence(counts, counts)).toBe(0);
      expect(divergence([...counts].reverse(), [...weights].reverse())).toBeCloseTo(divergence(counts, weights), 9);
    }),
  );
  // Broken twin: the divergence of the other direction.
  expect(divergence([3, 1], [1, 3])).not.toBeCloseTo(divergence([3, 1], [1, 1]), 3);
});

test('mean and variance are those of draws', () => {
  expect(distortionOf([1, 2, 3])).toEqual({ draws: 3, mean: 2, variance: 1 });
  expect(distortionOf([4])).toEqual({ draws: 1, mean: 4, variance: 0 });
  expect(relativeSafety(distortionOf([0]), distortionOf([1]))).toBeNull();
});
