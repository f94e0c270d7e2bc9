import { describe, expect, test } from 'vitest';
import { discreteGaussianReference } from '../../test/oracles/discrete-gaussian-reference.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import vectors from '../../test/vectors/discrete-gaussian.json' with { type: 'json' };
import { multiply, parseRational, type Rational, rational, toNumber } from '../rational/rational.ts';
import { chiSquareTail } from '../statistics/fisher.ts';
import { exactCoins } from './coins.ts';
import { discreteGaussian } from './discrete-gaussian.ts';
import { gaussianBins } from './gaussian-bins.fixture.ts';
import { gaussianThresholds } from './gaussian-thresholds.ts';
import { countBins, gStatistic } from './goodness-of-fit.fixture.ts';
import type { RandomSource } from './random-source.ts';
import { MOST_THRESHOLDS, thresholdTable, valueBelow } from './threshold-table.ts';

const VARIANCES = ['1/65536', '1/4', '1', '9/4', '25', '625', '36440/3', '16777216'].map(parseRational);

/** |a/b − 1| ≤ 1e-14 for a probability as text and its bounds in units of 2^−bits. */
function isNear(text: string, lower: bigint, upper: bigint, bits: number): boolean {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const { numerator, denominator } = parseRational(mantissa);
  const value = (numerator << BigInt(bits + 64)) / (denominator * 10n ** BigInt(-Number(exponent)));
  const slack = value / 10n ** 14n;
  return lower << 64n <= value + slack && upper << 64n >= value - slack && upper - lower <= slack >> 60n;
}

describe('@contract C7 thresholds of the discrete Gaussian', () => {
  // Bits enough for the smallest probability of the file, 1e-3128.
  const BITS = 12_000;
  test.each(vectors.cases.filter(({ kind }) => kind === 'pmf' || kind === 'tail'))(
    '$id',
    ({ kind, in: asked, out }) => {
      const thresholds = gaussianThresholds(parseRational(asked.s2!));
      const x = Math.abs(kind === 'pmf' ? asked.x! : asked.t!);
      const one = { lower: 1n << BigInt(BITS), upper: 1n << BigInt(BITS) };
      const [above, below] =
        x === 0 ? [one, thresholds(0, BITS)] : [thresholds(2 * x - 2, BITS), thresholds(2 * x - 1, BITS)];
      if (kind === 'pmf') expect(isNear(out.p!, above.lower - below.upper, above.upper - below.lower, BITS)).toBe(true);
      else expect(isNear(out.p!, above.lower / 2n, above.upper / 2n + 1n, BITS)).toBe(true);
    },
  );

  test.each(vectors.cases.filter(({ kind }) => kind === 'moments'))('$id', ({ in: asked, out }) => {
    const chances = gaussianBins(
      parseRational(asked.s2!),
      40 * Math.ceil(Math.sqrt(toNumber(parseRational(asked.s2!)))),
    );
    const limit = (chances.length - 1) / 2;
    const sums = chances.reduce(
      (sum, chance, at) => ({
        variance: sum.variance + (at - limit) ** 2 * chance,
        size: sum.size + Math.abs(at - limit) * chance,
      }),
      { variance: 0, size: 0 },
    );
    expect(sums.variance / Number(out.variance)).toBeCloseTo(1, 12);
    expect(sums.size / Number(out.mean_abs)).toBeCloseTo(1, 12);
  });

  test('more bits narrow the bounds, and never contradict fewer; tables are odd, fall and are not full', () => {
    for (const variance of VARIANCES) {
      const thresholds = gaussianThresholds(variance);
      for (const index of [0, 1, 2, 7, 30, 1001])
        for (let bits = 32; bits <= 256; bits += 32) {
          const [coarse, fine] = [thresholds(index, bits), thresholds(index, bits + 32)];
          expect(coarse.upper - coarse.lower <= 3n && coarse.lower <= coarse.upper).toBe(true);
          expect(fine.lower <= coarse.upper << 32n && fine.upper >= coarse.lower << 32n).toBe(true);
        }
      const { floors } = thresholdTable(thresholds);
      expect(floors.length % 2).toBe(1);
      expect(floors.length).toBeLessThan(MOST_THRESHOLDS);
      expect(floors.at(-1)).toBe(0);
      expect(floors.every((floor, place) => place === 0 || floor <= floors[place - 1]!)).toBe(true);
    }
  });
});

/** A source that hands out the given words and then fails. */
function scripted(words: number[]): RandomSource {
  let next = 0;
  const uint32 = (): number => {
    if (next === words.length) throw new RangeError('more words were asked for than the test foresees');
    return words[next++]!;
  };
  return {
    kind: 'seeded',
    uint32,
    fill: (target) => {
      for (let place = 0; place < target.length; place++) target[place] = uint32() >>> 16;
    },
  };
}

test('C7: words just beside a threshold get the value on that side, within the table and below it', () => {
  for (const variance of VARIANCES.slice(1, 6)) {
    const thresholds = gaussianThresholds(variance);
    const { floors } = thresholdTable(thresholds);
    const indices = [0, 1, 2, 5, floors.length - 2, floors.length - 1, floors.length, floors.length + 5];
    for (const index of indices) {
      // The first 160 bits of the threshold, and the numbers a few units beside them.
      const digits = thresholds(index, 320).lower >> 160n;
      for (const beside of [-9n, 9n]) {
        const u = digits + beside;
        const words = [128n, 96n, 64n, 32n, 0n].map((shift) => Number((u >> shift) & 0xffffffffn));
        const expected = valueBelow(beside < 0n ? index + 1 : index);
        expect(discreteGaussian(variance, scripted(words)).draw()).toBe(expected);
        const filled = new Int32Array(1);
        // The second half of the first word is the upper half of the word after it.
        const halves = [words[0]! & 0xffff0000, (words[0]! << 16) | 0, ...words.slice(1)].map((word) => word >>> 0);
        discreteGaussian(variance, scripted(halves)).fill(filled);
        expect(filled[0]).toBe(expected);
      }
    }
  }
});

/** One honest sampler in a million fails a test: a fixed seed each. */
const LEVEL = 1e-6;

/** The p-value of a G-test; bins have at least five expected draws, and those at both ends are tails. */
function pValue(draws: ArrayLike<number>, variance: Rational): number {
  let limit = Math.ceil(6 * Math.sqrt(toNumber(variance))) + 2;
  let chances = gaussianBins(variance, limit);
  while (limit > 1 && chances[0]! * draws.length < 5) chances = gaussianBins(variance, --limit);
  return chiSquareTail(gStatistic(countBins(Array.from(draws), limit), chances), 2 * limit);
}

describe.each(['1/4', '9/4', '25', '625'])('C7: the law of draws with σ² = %s', (text) => {
  const variance = parseRational(text);
  const draws = new Int32Array(1_000_000);
  discreteGaussian(variance, seededSource(17)).fill(draws);

  test('G-test of 1,000,000 draws at 1e-6, and broken twins fail it', () => {
    expect(pValue(draws, variance)).toBeGreaterThan(LEVEL);
    const twin = new Int32Array(draws.length);
    discreteGaussian(multiply(variance, rational(51n, 50n)), seededSource(17)).fill(twin);
    expect(pValue(twin, variance), 'σ² 2 % too large').toBeLessThan(LEVEL);
    const signs = draws.map((x, place) => (x < 0 && place % 50 === 0 ? -x : x));
    expect(pValue(signs, variance), 'a fiftieth of the negative draws lose their sign').toBeLessThan(LEVEL);
  });

  test('G-test of 20,000 draws of the reference at 1e-6', () => {
    const draw = discreteGaussianReference(variance, exactCoins(seededSource(23)));
    expect(
      pValue(
        Array.from({ length: 20_000 }, () => Number(draw())),
        variance,
      ),
    ).toBeGreaterThan(LEVEL);
  });
});

test('C7: at σ² = 1/4 neither a rounded real Gaussian nor one whose variance is σ² has the law', () => {
  const source = seededSource(5);
  const uniform = () => (source.uint32() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const rounded = Array.from({ length: 100_000 }, () => Math.round(normal() / 2));
  expect(pValue(rounded, rational(1n, 4n))).toBeLessThan(LEVEL);
  const twin = new Int32Array(100_000);
  // The variance of N_Z(0, 0.2862…) is a quarter.
  discreteGaussian(rational(2862n, 10_000n), seededSource(6)).fill(twin);
  expect(pValue(twin, rational(1n, 4n))).toBeLessThan(LEVEL);
});

test('C7: σ² below 1/65536 or above 4096² is refused', () => {
  for (const variance of [rational(0n), rational(-1n), rational(1n, 65537n), rational(4096n ** 2n + 1n)])
    expect(() => discreteGaussian(variance, seededSource(1))).toThrow(RangeError);
});
