import type { Coins } from '../../core/random/coins.ts';
import { geometric } from '../../core/random/geometric.ts';
import type { Rational } from '../../core/rational/rational.ts';

/**
 * The plain sampler of Canonne, Kamath and Steinke (2020), Algorithm 2: P[X = x] = (1−α)/(1+α)·α^|x|,
 * α = e^(−1/scale), exactly, for any positive rational scale. Slow; the fast sampler is tested against it (C7).
 */
export function discreteLaplaceReference(scale: Rational, coins: Coins): () => bigint {
  return () => {
    for (;;) {
      const magnitude = geometric(scale, coins);
      const negative = coins.flip(1n, 2n);
      // Zero has two signs: one of them is drawn again, or zero would come twice as often as it should.
      if (!(negative && magnitude === 0n)) return negative ? -magnitude : magnitude;
    }
  };
}
