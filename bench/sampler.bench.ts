import { execFileSync } from 'node:child_process';
import { exactCoins } from '../core/random/coins.ts';
import { discreteGaussian } from '../core/random/discrete-gaussian.ts';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { type Rational, rational } from '../core/rational/rational.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { discreteGaussianReference } from '../test/oracles/discrete-gaussian-reference.ts';
import { providePython } from '../test/support/python-environment.ts';
import { writePerformance } from './measured-parts.ts';
import { markdownTable } from './measuring.ts';

/**
 * Exact draws a second on one core, from the operating system's generator: the best of three rounds, after one to warm
 * up. Beside the discrete noise of releases are the algorithm of Canonne, Kamath and Steinke, and OpenDP, which fills a
 * vector. Run with `node bench/sampler.bench.ts`; it takes some seconds, and the first time it fetches OpenDP. It writes
 * the part `sampler` of docs/performance.md.
 */
const ROUNDS = 3;
const ROUND_MS = 150;
const OPENDP = 'opendp==0.16.0';
const source = operatingSystemRandom();

/** Draws a millisecond. */
function rateOf(fill: (target: Int32Array) => void, atOnce = 2 ** 20): number {
  const buffer = new Int32Array(atOnce);
  let best = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const begin = performance.now();
    let draws = 0;
    for (; performance.now() - begin < ROUND_MS; draws += buffer.length) fill(buffer);
    if (round > 0) best = Math.max(best, draws / (performance.now() - begin));
  }
  return best;
}

const VECTORS = `
import json, time
import opendp.prelude as dp
dp.enable_features("contrib")
def rate(measure, draws=20000):
    data, best = [0] * draws, 0
    for _ in range(${ROUNDS + 1}):
        begin = time.perf_counter()
        measure(data)
        best = max(best, draws / (time.perf_counter() - begin))
    return best / 1000
whole = dp.vector_domain(dp.atom_domain(T=int))
print(json.dumps([
    rate(dp.m.make_laplace(whole, dp.l1_distance(T=int), scale=28.0)),
    rate(dp.m.make_gaussian(whole, dp.l2_distance(T=float), scale=25.0)),
]))
`;

const gaussian = (variance: Rational) => rateOf(discreteGaussian(variance, source).fill);
const laplace = (scale: Rational) => rateOf(discreteLaplace(scale, source).fill);
const reference = discreteGaussianReference(rational(625n), exactCoins(source));
const best = laplace(rational(1n, 2n));
const rates: [name: string, rate: number][] = [
  ['discrete Laplace, b = 1/2', best],
  ['discrete Laplace, b = 28', laplace(rational(28n))],
  ['discrete Gaussian, σ² = 1/4', gaussian(rational(1n, 4n))],
  ['discrete Gaussian, σ² = 625', gaussian(rational(625n))],
  ['discrete Gaussian, σ² = 12147', gaussian(rational(12_147n))],
  [
    'the same law with σ² = 625 by rejection (Canonne, Kamath and Steinke 2020), in exact arithmetic of the tests',
    rateOf((target) => {
      for (let at = 0; at < target.length; at++) target[at] = Number(reference());
    }, 100),
  ],
];
const python = await providePython('opendp', [OPENDP]);
if ('missing' in python) throw new Error(python.missing);
const [theirs, theirGaussian] = JSON.parse(execFileSync(python.python, ['-c', VECTORS], { encoding: 'utf8' }));
rates.push([`discrete Laplace, b = 28, ${OPENDP}`, theirs], [`discrete Gaussian, σ² = 625, ${OPENDP}`, theirGaussian]);

const text = `Exact draws a second on one core, in turn.

${markdownTable(
  ['noise', 'M draws a second', 'times discrete Laplace, b = 1/2'],
  rates.map(([name, rate]) => [name, (rate / 1000).toPrecision(2), (rate / best).toPrecision(2)]),
)}`;
writePerformance({ sampler: text }, { 'Exact draws': `${(best / 1000).toFixed(0)} M` });
