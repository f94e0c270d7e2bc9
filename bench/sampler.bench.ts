import { exactCoins } from '../core/random/coins.ts';
import { discreteGaussian } from '../core/random/discrete-gaussian.ts';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { type Rational, rational } from '../core/rational/rational.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { discreteGaussianReference } from '../test/oracles/discrete-gaussian-reference.ts';
import { writePerformance } from './measured-parts.ts';

/**
 * Exact draws a second on one core, from the operating system's generator: the best of three rounds, after one to warm
 * up. Discrete Laplace noise of scale 1/2 goes into docs/performance.md; printed beside it are discrete Gaussian noise
 * and, for σ² = 625, the algorithm of Canonne, Kamath and Steinke. Run with `node bench/sampler.bench.ts`; it takes some
 * seconds.
 */
const ROUNDS = 3;
const ROUND_MS = 150;
const source = operatingSystemRandom();

/** Draws a millisecond. */
function rateOf(name: string, fill: (target: Int32Array) => void, atOnce = 2 ** 20): number {
  const filled = new Int32Array(atOnce);
  let best = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    let draws = 0;
    for (; performance.now() - begin < ROUND_MS; draws += filled.length) fill(filled);
    if (round > 0) best = Math.max(best, draws / (performance.now() - begin));
  }
  console.log(`${(best / 1000).toFixed(best < 10_000 ? 3 : 0)} M draws a second: ${name}`);
  return best;
}

const gaussian = (variance: Rational) => discreteGaussian(variance, source).fill;
const best = rateOf('discrete Laplace, b = 1/2', discreteLaplace(rational(1n, 2n), source).fill);
rateOf('discrete Laplace, b = 28', discreteLaplace(rational(28n), source).fill);
rateOf('discrete Gaussian, σ² = 1/4', gaussian(rational(1n, 4n)));
rateOf('discrete Gaussian, σ² = 625', gaussian(rational(625n)));
rateOf('discrete Gaussian, σ² = 12147', gaussian(rational(12_147n)));
const reference = discreteGaussianReference(rational(625n), exactCoins(source));
rateOf(
  'the same law with σ² = 625 by rejection',
  (target) => {
    for (let at = 0; at < target.length; at++) target[at] = Number(reference());
  },
  100,
);
writePerformance({}, { 'Exact draws': `${(best / 1000).toFixed(0)} M` });
