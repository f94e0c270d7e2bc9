import { gaussianTail } from '../../../core/statistics/gaussian-law.ts';
import { noiseTail, noiseVariance } from '../../../core/statistics/noise-law.ts';
import type { DeclaredNoise } from '../../../core/statistics/pair-laws.ts';

/** What becomes of a true count: the chance that it is published, and mean and variance of what is shown (else 0). */
export type PublishedCount = { published: number; mean: number; variance: number };

/** The fate of one true count under the declared noise and threshold; not every empty cell can show. Cost: O(1). */
export function fateOfCount({ model, scale, threshold, emptyCanShow }: DeclaredNoise, count: number): PublishedCount {
  if (threshold === null) return { published: 1, mean: count, variance: noiseVariance(model, scale) };
  if (count === 0 && !emptyCanShow) return { published: 0, mean: 0, variance: 0 };
  switch (model) {
    case 'rounded-laplace':
    case 'discrete-laplace':
      return underLaplace({ model, scale, threshold }, count);
    case 'discrete-gaussian': {
      const { chance: published, first, second } = gaussianTail(scale, threshold - count);
      const mean = count * published + first;
      return { published, mean, variance: count * count * published + 2 * count * first + second - mean * mean };
    }
  }
}

type Threshold = Pick<DeclaredNoise, 'model' | 'scale'> & { threshold: number };

function underLaplace({ model, scale, threshold }: Threshold, count: number): PublishedCount {
  const published = noiseTail(model, scale, threshold - count);
  const { first, second } = geometric(scale);
  if (count < threshold) {
    const mean = published * (threshold + first);
    const square = published * (threshold * (threshold + 2 * first) + second);
    return { published, mean, variance: square - mean * mean };
  }
  const [miss, most] = [noiseTail(model, scale, count - threshold + 1), threshold - 1];
  const mean = count - miss * (most - first);
  const square = count * count + noiseVariance(model, scale) - miss * (most * (most - 2 * first) + second);
  return { published, mean, variance: square - mean * mean };
}

/** Moments of the geometric law (1 − α)·α^k, which Laplace noise has beyond any integer from 1 on. */
function geometric(scale: number): { first: number; second: number } {
  const [alpha, rest] = [Math.exp(-1 / scale), -Math.expm1(-1 / scale)];
  return { first: alpha / rest, second: (alpha * (1 + alpha)) / (rest * rest) };
}
