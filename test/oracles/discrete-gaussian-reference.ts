import type { Coins } from '../../core/random/coins.ts';
import { flipExponential } from '../../core/random/geometric.ts';
import { type Rational, rational } from '../../core/rational/rational.ts';
import { discreteLaplaceReference } from './discrete-laplace-reference.ts';

/** ⌊√n⌋ for n ≥ 0. */
function rootOf(n: bigint): bigint {
  let root = BigInt(Math.floor(Math.sqrt(Number(n))));
  while (root * root > n) root -= 1n;
  while ((root + 1n) * (root + 1n) <= n) root += 1n;
  return root;
}

/**
 * The sampler of Canonne, Kamath and Steinke (2020), Algorithm 3: Y discrete Laplace of scale t = ⌊σ⌋ + 1, kept with
 * probability e^(−(|Y| − σ²/t)²/(2σ²)), is N_Z(0, σ²), exactly. Slow; the fast sampler is tested against it (C7).
 */
export function discreteGaussianReference({ numerator: n, denominator: d }: Rational, coins: Coins): () => bigint {
  const t = rootOf(n / d) + 1n;
  const laplace = discreteLaplaceReference(rational(t), coins);
  return () => {
    for (;;) {
      const y = laplace();
      // |Y| − σ²/t is a/(t·d), and the exponent a²/(2·t²·d²·n/d).
      const a = (y < 0n ? -y : y) * t * d - n;
      const [over, under] = [a * a, 2n * t * t * d * n];
      let kept = true;
      for (let whole = over / under; kept && whole > 0n; whole -= 1n) kept = flipExponential(1n, 1n, coins);
      if (kept && flipExponential(over % under, under, coins)) return y;
    }
  };
}
