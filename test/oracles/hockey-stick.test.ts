import { describe, expect, test } from 'vitest';
import { divide, ONE, parseRational, rational, toNumber } from '../../core/rational/rational.ts';
import vectors from '../vectors/threshold.json' with { type: 'json' };
import { exchanged, hockeyStick, noisyCount, stabilityCell } from './hockey-stick.ts';

const BITS = 192;

type Case = { id: string; in: { b: string; T: number; D: number[]; D_prime: number[]; eps: string }; out: Expected };
type Expected = { delta_D_to_D_prime: string; delta_D_prime_to_D: string };
const cases = vectors.cases.filter(({ kind }) => kind === 'joint-hockey-stick') as unknown as Case[];

function near(actual: number, expected: number): boolean {
  // The vectors hold values of 1e-61 where the truth is 0.
  return Math.abs(actual - expected) <= 1e-12 * Math.abs(expected) + 1e-40;
}

describe('joint hockey stick', () => {
  test('there are 34 vectors', () => expect(cases).toHaveLength(34));

  test.each(cases)('$id', ({ in: { b, T, D, D_prime, eps }, out }) => {
    const rate = divide(ONE, parseRational(b));
    const counts = D.map((count, i) => stabilityCell(count, D_prime[i]!, T, rate, BITS));
    const epsilon = parseRational(eps);
    const forward = hockeyStick(counts, epsilon, BITS);
    const back = hockeyStick(exchanged(counts), epsilon, BITS);
    for (const [bounds, text] of [
      [forward, out.delta_D_to_D_prime],
      [back, out.delta_D_prime_to_D],
    ] as const) {
      expect(near(toNumber(bounds.upper), Number(text))).toBe(true);
      expect(near(toNumber(bounds.lower), Number(text))).toBe(true);
    }
  });

  test('all atoms of a count add up to 1', () => {
    const rate = rational(2n, 3n);
    for (const atoms of [
      stabilityCell(7, 2, 4, rate, BITS),
      stabilityCell(0, 3, 4, rate, BITS),
      noisyCount(1, 5, rate, BITS),
    ]) {
      for (const side of ['p', 'q'] as const) {
        const total = atoms.reduce((sum, atom) => sum + toNumber(atom[side].upper), 0);
        expect(total).toBeCloseTo(1, 12);
      }
    }
  });

  test('pure noise loses exactly D1/b', () => {
    const rate = rational(1n, 2n);
    const counts = [noisyCount(5, 3, rate, BITS), noisyCount(2, 3, rate, BITS)];
    expect(toNumber(hockeyStick(counts, rational(3n, 2n), BITS).upper)).toBeLessThan(1e-40);
    expect(toNumber(hockeyStick(counts, rational(149n, 100n), BITS).lower)).toBeGreaterThan(1e-4);
  });

  test('broken twin: a threshold one lower is caught by the vectors', () => {
    const { in: input, out } = cases[0]!;
    const atoms = [stabilityCell(input.D[0]!, 0, input.T - 1, divide(ONE, parseRational(input.b)), BITS)];
    expect(
      near(toNumber(hockeyStick(atoms, parseRational(input.eps), BITS).upper), Number(out.delta_D_to_D_prime)),
    ).toBe(false);
  });
});
