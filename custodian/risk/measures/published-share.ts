import { parseRational, toNumber } from '../../../core/rational/rational.ts';
import { noiseTail } from '../../../core/statistics/noise-law.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import type { CountsOfCounts } from './entropy.ts';

/** Noise of the cells of a certified mechanism, its scale exact; a threshold of null publishes every cell. */
export type CellNoise = { scale: string; threshold: number | null };

/**
 * Noise and threshold of the cells of a stability histogram in which a row with one end, or with two as a trip, may be
 * replaced (contract C7). Throws CERTIFICATE_IMPOSSIBLE.
 */
export const rowNoise = (ends: 1 | 2, amounts: { epsilon: string; delta: string }): CellNoise =>
  certify({
    mechanism: 'stability-histogram',
    ...(ends === 2 ? { unit: 'trip', publish: 'on+off' } : { unit: 'tap', publish: 'on' }),
    neighbours: 'replace-one',
    ...amounts,
    split: {},
  });

/**
 * The part of all counted units, from 0 to 1, that is in cells which a mechanism publishes, on average over its noise:
 * Σ c·P[c + X ≥ T]/Σ c, X discrete Laplace of the scale (contract C7, C8). Null where nothing is counted.
 */
export function averageShare(cells: CountsOfCounts, { scale, threshold }: CellNoise): number | null {
  const width = toNumber(parseRational(scale));
  let [all, part] = [0, 0];
  for (const [count, number] of cells) {
    const chance = threshold === null ? 1 : noiseTail('discrete-laplace', width, threshold - count);
    all += count * number;
    part += count * number * chance;
  }
  return all === 0 ? null : part / all;
}
