import type { Rational } from '../rational/rational.ts';
import type { Coins } from './coins.ts';

/**
 * True with probability e^(−numerator/denominator), for a ratio in [0, 1], exactly. Flips coins of probability γ/1,
 * γ/2, γ/3 … until one fails; true when that is at an odd place. Canonne, Kamath and Steinke, The Discrete Gaussian
 * for Differential Privacy (2020), Algorithm 1.
 */
export function flipExponential(numerator: bigint, denominator: bigint, coins: Coins): boolean {
  let place = 1n;
  while (coins.flip(numerator, denominator * place)) place++;
  return place % 2n === 1n;
}

/**
 * G ≥ 0 with P[G = g] = (1 − α)·α^g, α = e^(−1/scale), exactly, for any positive rational scale t/s: U + t·V is
 * geometric with e^(−1/t) (U below t, kept with probability e^(−U/t); V counts successes of probability 1/e), and the
 * whole part of its s-th is geometric with e^(−s/t). Canonne, Kamath and Steinke (2020), Algorithm 2.
 */
export function geometric({ numerator: t, denominator: s }: Rational, coins: Coins): bigint {
  let uniform = coins.below(t);
  while (!flipExponential(uniform, t, coins)) uniform = coins.below(t);
  let successes = 0n;
  while (flipExponential(1n, 1n, coins)) successes++;
  return (uniform + t * successes) / s;
}
