import type { DiscreteLaplace } from '../core/random/discrete-laplace.ts';

/** Draws that are made at a time: few enough to stay in the cache, so that any number needs the same memory. */
export const DRAWS_AT_A_TIME = 2 ** 16;
/** Magnitudes that are tallied in an array; rarer ones go into a map. */
const DENSE = 2 ** 12;

/** How often each value came up in so many draws, in order of the values. */
export function noiseHistogram(noise: DiscreteLaplace, count: number): [value: number, count: number][] {
  const dense = new Float64Array(2 * DENSE + 1);
  const sparse = new Map<number, number>();
  for (const draws of noiseBatches(noise, count)) {
    for (let place = 0; place < draws.length; place++) {
      const value = draws[place]!;
      if (value >= -DENSE && value <= DENSE) dense[value + DENSE]! += 1;
      else sparse.set(value, (sparse.get(value) ?? 0) + 1);
    }
  }
  const common = Array.from(dense, (times, place): [number, number] => [place - DENSE, times]);
  return [...common.filter(([, times]) => times > 0), ...sparse].sort(([a], [b]) => a - b);
}

/** So many draws, in batches that share one buffer: use one before you ask for the next. */
export function* noiseBatches(noise: DiscreteLaplace, count: number): Generator<Int32Array> {
  const buffer = new Int32Array(Math.min(DRAWS_AT_A_TIME, count));
  for (let left = count; left > 0; left -= buffer.length) {
    const draws = buffer.subarray(0, Math.min(buffer.length, left));
    noise.fill(draws);
    yield draws;
  }
}
