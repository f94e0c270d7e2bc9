import { exactCoins } from '../core/random/coins.ts';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { parseRational, type Rational } from '../core/rational/rational.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { discreteLaplaceReference } from '../test/oracles/discrete-laplace-reference.ts';
import { writePerformance } from './measured-parts.ts';

/**
 * Exact discrete Laplace draws a second, on one core, from the operating system's generator: the table sampler
 * (filling arrays and one at a time) and the plain sampler of Canonne, Kamath and Steinke in the same run. Run with
 * `node bench/sampler.bench.ts`; it takes about ten seconds. Target: 100 million a second at scale 1/2.
 */
const SCALES = ['1/8', '1/2', '5/9', '1', '8', '100', '1000'];
const FILLED = new Int32Array(2 ** 20);
const ROUNDS = 3;

/** Draws a second: the best of three rounds of 150 ms each, after one to warm up. */
function ratePerSecond(draws: number, run: () => void): number {
  let best = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    let done = 0;
    while (performance.now() - begin < 150) {
      run();
      done += draws;
    }
    if (round > 0) best = Math.max(best, (done * 1000) / (performance.now() - begin));
  }
  return best;
}

function ratesOf(scale: Rational): { fill: number; draw: number; reference: number } {
  const random = operatingSystemRandom();
  const sampler = discreteLaplace(scale, random);
  const reference = discreteLaplaceReference(scale, exactCoins(random));
  return {
    fill: ratePerSecond(FILLED.length, () => sampler.fill(FILLED)),
    draw: ratePerSecond(10_000, () => {
      for (let i = 0; i < 10_000; i++) sampler.draw();
    }),
    reference: ratePerSecond(1000, () => {
      for (let i = 0; i < 1000; i++) reference();
    }),
  };
}

const millions = (rate: number): string => (rate / 1e6).toFixed(rate < 1e7 ? 2 : 0).padStart(10);

console.log('scale    fill, M/s  draw, M/s  reference, M/s  fill/reference');
for (const text of SCALES) {
  const { fill, draw, reference } = ratesOf(parseRational(text));
  const ratio = (fill / reference).toFixed(0).padStart(15);
  if (text === '1/2') await writePerformance({}, { 'Exact draws': `${millions(fill).trim()} M` });
  console.log(`${text.padEnd(7)} ${millions(fill)} ${millions(draw)} ${millions(reference).padStart(15)} ${ratio}`);
}
