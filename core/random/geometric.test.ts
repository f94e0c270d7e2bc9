import { expect, test } from 'vitest';
import { discreteLaplaceReference } from '../../test/oracles/discrete-laplace-reference.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { parseRational, rational, toNumber } from '../rational/rational.ts';
import { enumerateLaw } from './coin-tree.fixture.ts';
import { type Coins, exactCoins } from './coins.ts';
import { flipExponential, geometric } from './geometric.ts';

type Law = ReturnType<typeof enumerateLaw<bigint>>;

/** Whether an enumerated law, as far as it was followed, agrees with the probability of an outcome. */
function agrees({ probabilities, rest }: Law, outcome: bigint, expected: number): boolean {
  const lower = probabilities.get(outcome) ?? 0;
  return lower <= expected + 1e-12 && expected - 1e-12 <= lower + rest;
}

for (const vector of vectors.cases) {
  if (vector.kind === 'bernoulli-exp') {
    test(`C7: ${vector.id}, the coin of probability e^−γ`, () => {
      const { numerator, denominator } = parseRational(vector.in.gamma!);
      const { probabilities, rest } = enumerateLaw((coins) => flipExponential(numerator, denominator, coins), 1e-15);
      expect(rest).toBeLessThan(1e-12);
      expect(probabilities.get(true)).toBeCloseTo(Number(vector.out.p_true), 12);
      // K is the number of coins flipped.
      const flips = enumerateLaw((coins) => {
        let flipped = 0;
        const counting: Coins = {
          ...coins,
          flip(n, d) {
            flipped++;
            return coins.flip(n, d);
          },
        };
        flipExponential(numerator, denominator, counting);
        return flipped;
      }, 1e-15);
      vector.out.law_of_k!.forEach((p, place) => {
        expect(flips.probabilities.get(place + 1) ?? 0).toBeCloseTo(toNumber(parseRational(p)), 14);
      });
    });
  }
  if (vector.kind === 'cks-facts') {
    test(`C7: ${vector.id}, the laws of the reference sampler by enumeration of its coins`, () => {
      const scale = rational(BigInt(vector.in.t!), BigInt(vector.in.s!));
      const magnitudes = enumerateLaw((coins) => geometric(scale, coins), 4e-6);
      expect(magnitudes.rest).toBeLessThan(0.1);
      vector.out.law_of_y!.forEach((p, y) => {
        expect(agrees(magnitudes, BigInt(y), Number(p))).toBe(true);
      });
      const noise = enumerateLaw((coins) => discreteLaplaceReference(scale, coins)(), 4e-6);
      const alpha = Math.exp(-1 / toNumber(scale));
      expect(noise.rest).toBeLessThan(0.2);
      expect(agrees(noise, 0n, Number(vector.out.p_zero))).toBe(true);
      for (const x of [-3, -2, -1, 1, 2, 3])
        expect(agrees(noise, BigInt(x), ((1 - alpha) / (1 + alpha)) * alpha ** Math.abs(x))).toBe(true);
    });
  }
  if (vector.kind === 'bernoulli-exp-gt1') {
    test(`C7: ${vector.id}, whole factors of 1/e and a rest, as U + t·V has them`, () => {
      const unit = flipLaw(1n, 1n);
      const { numerator, denominator } = parseRational(vector.out.remainder!);
      const product = unit ** vector.out.whole_unit_factors! * flipLaw(numerator, denominator);
      expect(product).toBeCloseTo(Number(vector.out.p_true), 12);
    });
  }
}

function flipLaw(numerator: bigint, denominator: bigint): number {
  return enumerateLaw((coins) => flipExponential(numerator, denominator, coins), 1e-15).probabilities.get(true)!;
}

test('broken twins of the reference are caught by enumeration', () => {
  const scale = rational(1n, 2n);
  const pZero = Math.tanh(1);
  const noRestart = enumerateLaw((coins) => {
    const magnitude = geometric(scale, coins);
    return coins.flip(1n, 2n) ? -magnitude : magnitude;
  }, 4e-6);
  expect(agrees(noRestart, 0n, pZero)).toBe(false);
  const scaleOff = enumerateLaw((coins) => discreteLaplaceReference(rational(3n, 5n), coins)(), 4e-6);
  expect(agrees(scaleOff, 0n, pZero)).toBe(false);
  const biasedSign = enumerateLaw((coins) => {
    for (;;) {
      const magnitude = geometric(scale, coins);
      const negative = coins.flip(2n, 5n);
      if (!(negative && magnitude === 0n)) return negative ? -magnitude : magnitude;
    }
  }, 4e-6);
  expect(agrees(biasedSign, 1n, pZero * Math.exp(-2))).toBe(false);
});

test('C7: coins take the fewest bits that reach the bound, and draw again above it', () => {
  const words = [7, 5, 3];
  let next = 0;
  const source = { kind: 'seeded' as const, uint32: () => words[next++]!, fill: () => {} };
  const coins = exactCoins(source);
  expect(coins.below(6n)).toBe(5n);
  expect(next).toBe(2);
  expect(coins.below(1n)).toBe(0n);
  expect(next).toBe(2);
  expect(coins.below(2n ** 32n)).toBe(3n);
});

test('C7: coins of bounds above 32 bits are uniform in their halves (10,000 draws, false alarm 1e-9)', () => {
  const coins = exactCoins(seededSource(11));
  const bound = 3n << 40n;
  let inFirstThird = 0;
  for (let i = 0; i < 10_000; i++) if (coins.below(bound) < 1n << 40n) inFirstThird++;
  // Six standard deviations of a binomial count of 1/3.
  expect(Math.abs(inFirstThird - 10_000 / 3)).toBeLessThan(6 * Math.sqrt((10_000 * 2) / 9));
});
