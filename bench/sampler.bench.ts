import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { rational } from '../core/rational/rational.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { writePerformance } from './measured-parts.ts';

/**
 * Exact discrete Laplace draws a second at scale 1/2, on one core, from the operating system's generator: the best of
 * three rounds, after one to warm up. Run with `node bench/sampler.bench.ts`; it takes a second.
 */
const ROUNDS = 3;
const ROUND_MS = 150;
const filled = new Int32Array(2 ** 20);
const sampler = discreteLaplace(rational(1n, 2n), operatingSystemRandom());

let best = 0;
for (let round = 0; round <= ROUNDS; round++) {
  const begin = performance.now();
  let draws = 0;
  for (; performance.now() - begin < ROUND_MS; draws += filled.length) sampler.fill(filled);
  if (round > 0) best = Math.max(best, draws / (performance.now() - begin));
}
const millions = `${(best / 1000).toFixed(0)} M`;
console.log(`${millions} draws a second`);
writePerformance({}, { 'Exact draws': millions });
