import { noiseTail } from '../statistics/noise-law.ts';
import type { CountsOfCounts } from './entropy.ts';

/** Noise of the cells of a certified mechanism; a threshold of null publishes every cell. */
export type CellNoise = { scale: number; threshold: number | null };

/**
 * The part of all counted units, from 0 to 1, that lies in cells which a mechanism publishes, on average over its noise:
 * Σ c·P[c + X ≥ T]/Σ c, X discrete Laplace of the scale (contract C7, C8). Null where nothing is counted.
 */
export function publishedShare(cells: CountsOfCounts, { scale, threshold }: CellNoise): number | null {
  let [all, published] = [0, 0];
  for (const [count, number] of cells) {
    const chance = threshold === null ? 1 : noiseTail('discrete-laplace', scale, threshold - count);
    all += count * number;
    published += count * number * chance;
  }
  return all === 0 ? null : published / all;
}
