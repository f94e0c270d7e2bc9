import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compare, parseRational, type Rational, rational, subtract, toNumber } from '../../core/rational/rational.ts';
import { noiseProbability } from '../../core/statistics/noise-law.ts';
import attacks from '../../test/vectors/attacks.json' with { type: 'json' };
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { absenceInterval, cellInterval, type ExactNoise, interval } from './count-interval.ts';

const laplace = (amount: Rational): ExactNoise => ({ law: 'discrete-laplace', amount });

const CONFIDENCES = ['1/2', '0.8', '0.9', '0.95', '0.99', '0.999999'].map(parseRational);
const SCALES = ['1/8', '1/2', '5/9', '1', '7/3', '8', '40/3'].map(parseRational);
const NOISES: ExactNoise[] = [
  ...SCALES.map(laplace),
  ...['1/100', '1/4', '2', '50', '501.02'].map(
    (amount): ExactNoise => ({ law: 'discrete-gaussian', amount: parseRational(amount) }),
  ),
];
const noises = fc.constantFrom(...NOISES);
const confidences = fc.constantFrom(...CONFIDENCES);

const widthOf = ({ law, amount }: ExactNoise): number =>
  law === 'discrete-gaussian' ? Math.sqrt(toNumber(amount)) : toNumber(amount);

type Reader = (count: number, confidence: Rational, noise: ExactNoise) => { lowest: number; highest: number };

/** P[published and the interval misses] of an exact count, by going through all noise that has a probability. */
function missed(count: number, threshold: number, reader: Reader, confidence: Rational, noise: ExactNoise): number {
  const reach = Math.ceil(45 * widthOf(noise)) + 2;
  // The half-width does not depend on the count.
  const { highest } = reader(10_000, confidence, noise);
  const { lowest } = reader(10_000, confidence, noise);
  let sum = 0;
  for (let x = -reach; x <= reach; x++) {
    const noisy = count + x;
    const isInside = noisy + lowest - 10_000 <= count && count <= noisy + highest - 10_000;
    if (noisy >= threshold && !isInside) sum += noiseProbability(noise.law, widthOf(noise), x);
  }
  return sum;
}

test('C19: a cell is published and its interval misses with at most 1 − confidence, for every exact count (enumerated)', () => {
  fc.assert(
    fc.property(noises, confidences, fc.integer({ min: 2, max: 30 }), (noise, confidence, threshold) => {
      const allowed = toNumber(subtract(rational(1n), confidence));
      for (const count of [1, 2, threshold - 1, threshold, threshold + 1, 3 * threshold, 400].filter((c) => c > 0))
        expect(missed(count, threshold, cellInterval, confidence, noise)).toBeLessThanOrEqual(allowed + 1e-12);
    }),
    { numRuns: 60, seed: 3 },
  );
});

test('C19: the interval is the shortest: one less on each side misses too often; such a twin is caught', () => {
  for (const noise of NOISES)
    for (const confidence of CONFIDENCES) {
      const shorter: Reader = (count, ...rest) => {
        const { lowest, highest } = interval(count, ...rest);
        return { lowest: lowest + 1, highest: highest - 1 };
      };
      const allowed = toNumber(subtract(rational(1n), confidence));
      expect(missed(400, 2, interval, confidence, noise)).toBeLessThanOrEqual(allowed + 1e-12);
      expect(missed(400, 2, shorter, confidence, noise)).toBeGreaterThan(allowed);
    }
});

test('C19: cutting a cell at 1 never loses the exact count', () => {
  const scale = rational(1n);
  for (const confidence of CONFIDENCES)
    for (let count = 1; count <= 12; count++)
      for (let noisy = 2; noisy <= 24; noisy++) {
        const [uncut, cut] = [
          interval(noisy, confidence, laplace(scale)),
          cellInterval(noisy, confidence, laplace(scale)),
        ];
        const holds = ({ lowest, highest }: typeof cut) => lowest <= count && count <= highest;
        expect(holds(cut)).toBe(holds(uncut));
      }
});

test('C19: a cell is cut at 1, a margin is not', () => {
  const [confidence, scale] = [parseRational('0.95'), rational(8n)];
  const { lowest, highest } = interval(5, confidence, laplace(scale));
  expect(lowest).toBeLessThan(0);
  expect(cellInterval(5, confidence, laplace(scale))).toEqual({ lowest: 1, highest });
  expect(interval(-7, confidence, laplace(scale))).toEqual({ lowest: lowest - 12, highest: highest - 12 });
});

test('C19: a missing cell: the next count above is missing with at most 1 − confidence, the last one below with more', () => {
  for (const noise of NOISES)
    for (const confidence of CONFIDENCES.slice(1))
      for (const threshold of [2, 9, 35]) {
        const { lowest, highest } = absenceInterval(threshold, confidence, noise);
        const allowed = toNumber(subtract(rational(1n), confidence));
        // P[c + X ≤ T − 1] = P[X ≥ c − T + 1], summed as a tail.
        const missing = (count: number) => {
          let sum = 0;
          for (let x = count - threshold + 1; x < count - threshold + 2 + 45 * widthOf(noise); x++)
            sum += noiseProbability(noise.law, widthOf(noise), x);
          return sum;
        };
        expect(lowest).toBe(0);
        expect(missing(highest + 1)).toBeLessThanOrEqual(allowed + 1e-12);
        expect(missing(highest)).toBeGreaterThan(allowed);
      }
});

for (const vector of vectors.cases)
  if (vector.kind === 'tail' && vector.in.t! >= 1)
    test(`C19: ${vector.id}, half-width and missing cell just on either side of a known tail`, () => {
      const [scale, t] = [parseRational(vector.in.b!), vector.in.t!];
      const tail = parseRational(vector.out.p!);
      const nudged = (sign: bigint, factor: bigint) =>
        subtract(rational(1n), rational(factor * tail.numerator * (10n ** 15n + sign), tail.denominator * 10n ** 15n));
      const half = rational(1n, 2n);
      // At 1 − confidence just above P[X ≥ t], a count of T − 1 + t is ruled out; just below, it is not.
      if (compare(nudged(1n, 1n), half) >= 0) {
        expect(absenceInterval(10, nudged(1n, 1n), laplace(scale)).highest).toBe(8 + t);
        expect(absenceInterval(10, nudged(-1n, 1n), laplace(scale)).highest).toBe(9 + t);
      }
      expect(interval(0, nudged(1n, 2n), laplace(scale)).highest).toBe(t - 1);
      expect(interval(0, nudged(-1n, 2n), laplace(scale)).highest).toBe(t);
    });

test('C19: intervals of sums of cells (attacks.json) are wider than that of one cell, never narrower', () => {
  const sums = attacks.cases.filter((vector) => vector.kind === 'sum-of-cells');
  expect(sums.length).toBeGreaterThan(0);
  for (const { in: input, out } of sums as unknown as SumOfCells[])
    for (const [confidence, { half_width }] of Object.entries(out.smallest_integer_half_width))
      expect(interval(0, parseRational(confidence), laplace(parseRational(input.b))).highest).toBeLessThanOrEqual(
        half_width,
      );
});
type SumOfCells = {
  in: { b: string };
  out: { smallest_integer_half_width: Record<string, { half_width: number }> };
};

test('C19: a confidence outside its range is refused', () => {
  for (const confidence of ['0', '1', '-1/2', '95'])
    expect(() => interval(10, parseRational(confidence), laplace(rational(1n)))).toThrow(RangeError);
  for (const confidence of ['0', '0.4', '1'])
    expect(() => absenceInterval(9, parseRational(confidence), laplace(rational(1n)))).toThrow(RangeError);
});
