import type { RandomSource } from './random-source.ts';

/** The two exact random choices from which the reference samplers are made. Tests enumerate them instead of drawing. */
export type Coins = {
  /** A uniform integer in [0, bound); the bound is positive. */
  below(bound: bigint): bigint;
  /** True with probability numerator/denominator, which is at most 1. */
  flip(numerator: bigint, denominator: bigint): boolean;
};

/** Exact choices from random bits: the bits of the smallest sufficient length, drawn again when they reach the bound. */
export function exactCoins(source: RandomSource): Coins {
  function below(bound: bigint): bigint {
    const bits = bound === 1n ? 0 : (bound - 1n).toString(2).length;
    for (;;) {
      let draw = 0n;
      for (let have = 0; have < bits; have += 32) draw = (draw << 32n) | BigInt(source.uint32());
      const candidate = BigInt.asUintN(bits, draw);
      if (candidate < bound) return candidate;
    }
  }
  return { below, flip: (numerator, denominator) => below(denominator) < numerator };
}
