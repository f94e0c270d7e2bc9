import { formatRational, type Rational } from '../rational/rational.ts';
import { exactCoins } from './coins.ts';
import { isDrawable } from './drawable-scale.ts';
import { geometric } from './geometric.ts';
import { laplaceThresholds } from './laplace-thresholds.ts';
import type { RandomSource } from './random-source.ts';
import { keptTable, type NoiseSampler, tableSampler } from './table-sampler.ts';
import { thresholdTable } from './threshold-table.ts';

/**
 * Discrete Laplace noise of any rational scale b: P[X = x] = (1−α)/(1+α)·α^|x|, α = e^(−1/b), exactly (C7). Below the
 * last threshold of the table noise goes on, by the memoryless property, with the reference sampler
 * (discrete-laplace.proof.md).
 *
 * Throws RangeError unless the scale is between 1/65536 and 65536, and when a draw does not fit 32 bits, which has
 * probability below e^−32767.
 *
 * @contract C7
 */
export function discreteLaplace(scale: Rational, source: RandomSource): NoiseSampler {
  if (!isDrawable(scale)) throw new RangeError('the scale of discrete Laplace noise is between 1/65536 and 65536');
  const table = keptTable(`laplace ${formatRational(scale)}`, () => thresholdTable(laplaceThresholds(scale)));
  const coins = exactCoins(source);

  /** X, given that |X| exceeds every magnitude of the table: either sign alike, and the excess geometric again. */
  function beyondTable(): number {
    const smallest = BigInt((table.floors.length + 1) / 2);
    const magnitude = Number(smallest + geometric(scale, coins));
    if (magnitude >= 2 ** 31) throw new RangeError('a draw of noise does not fit 32 bits');
    return coins.flip(1n, 2n) ? -magnitude : magnitude;
  }

  return tableSampler(table, source, beyondTable);
}
