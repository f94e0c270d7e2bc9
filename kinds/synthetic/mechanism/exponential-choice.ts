import type { Coins } from '../../../core/random/coins.ts';
import { flipExponential } from '../../../core/random/geometric.ts';
import type { Rational } from '../../../core/rational/rational.ts';

/** True with probability e^(−numerator/denominator) for any ratio from 0 on, exactly. */
function flipAnyExponential(numerator: bigint, denominator: bigint, coins: Coins): boolean {
  for (let whole = numerator / denominator; whole > 0n; whole -= 1n) if (!flipExponential(1n, 1n, coins)) return false;
  return flipExponential(numerator % denominator, denominator, coins);
}

/**
 * The place of one of the scores, with P[place] ∝ e^(rate·score/2), exactly: the exponential mechanism (McSherry,
 * Talwar 2007) for scores that one unit changes by at most 1. Scores are whole numbers of `unit` = 1/u of a row. A
 * place is drawn and kept with probability e^(−rate·(best − score)/2), until one is kept.
 *
 * Cost: at most as many tries as there are scores, on average.
 */
export function exponentialChoice(scores: ArrayLike<number>, unit: bigint, rate: Rational, coins: Coins): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let place = 0; place < scores.length; place += 1) best = Math.max(best, scores[place]!);
  for (;;) {
    const place = Number(coins.below(BigInt(scores.length)));
    const behind = BigInt(best - scores[place]!);
    if (flipAnyExponential(rate.numerator * behind, 2n * unit * rate.denominator, coins)) return place;
  }
}
