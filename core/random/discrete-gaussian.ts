import { formatRational, type Rational } from '../rational/rational.ts';
import { isDrawableVariance } from './drawable-scale.ts';
import { gaussianThresholds } from './gaussian-thresholds.ts';
import type { RandomSource } from './random-source.ts';
import { keptTable, type NoiseSampler, tableSampler } from './table-sampler.ts';
import { thresholdTable } from './threshold-table.ts';

/**
 * Discrete Gaussian noise N_Z(0, σ²) of any rational σ²: P[X = x] = e^(−x²/(2σ²))/Σ_y e^(−y²/(2σ²)), exactly (C7). The
 * number is σ², which is a little more than the variance. It is drawn by inversion as all noise is, and below the table
 * goes on with further thresholds, computed as they are needed (discrete-gaussian.proof.md).
 *
 * Throws RangeError unless σ² is between 1/65536 and 4096².
 *
 * @contract C7
 */
export function discreteGaussian(variance: Rational, source: RandomSource): NoiseSampler {
  if (!isDrawableVariance(variance)) throw new RangeError('σ² of discrete Gaussian noise is between 1/65536 and 4096²');
  const table = keptTable(`gaussian ${formatRational(variance)}`, () => thresholdTable(gaussianThresholds(variance)));
  return tableSampler(table, source);
}
