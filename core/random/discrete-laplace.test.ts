import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discreteLaplaceReference } from '../../test/oracles/discrete-laplace-reference.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import vectors from '../../test/vectors/discrete-laplace.json' with { type: 'json' };
import { compare, parseRational, type Rational, rational, toNumber } from '../rational/rational.ts';
import { chiSquareTail } from '../statistics/fisher.ts';
import { exactCoins } from './coins.ts';
import { discreteLaplace } from './discrete-laplace.ts';
import { binProbabilities, chiSquare, countBins, gStatistic } from './goodness-of-fit.fixture.ts';
import { laplaceThresholds } from './laplace-thresholds.ts';
import type { RandomSource } from './random-source.ts';
import { GUIDE_BITS, MOST_THRESHOLDS, thresholdTable, UNDECIDED, valueBelow } from './threshold-table.ts';

const SCALES = ['1/8', '1/2', '4/7', '1', '7/3', '36/5', '50', '1000'].map(parseRational);
const BITS = 512;

const tables = new Map(SCALES.map((scale) => [scale, thresholdTable(laplaceThresholds(scale))]));
const discreteLaplaceTable = (scale: Rational) => tables.get(scale) ?? thresholdTable(laplaceThresholds(scale));

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
    fill(target) {
      for (let place = 0; place < target.length; place++) target[place] = uint32() >>> 16;
    },
  };
}

/** Mass between two neighbouring thresholds, as rational bounds: the probability that the table gives to a value. */
function massOf(value: number, scale: Rational): { lower: Rational; upper: Rational } {
  const thresholds = laplaceThresholds(scale);
  const above = value > 0 ? 2 * value - 1 : -2 * value;
  const top = above === 0 ? { lower: 1n << BigInt(BITS), upper: 1n << BigInt(BITS) } : thresholds(above - 1, BITS);
  const bottom = thresholds(above, BITS);
  const denominator = 1n << BigInt(BITS);
  return {
    lower: rational(top.lower - bottom.upper, denominator),
    upper: rational(top.upper - bottom.lower, denominator),
  };
}

/** |a/b − 1| ≤ 10^−digits for a decimal text of that many digits. */
function isWithin(text: string, { lower, upper }: { lower: Rational; upper: Rational }, digits: number): boolean {
  const value = parseRational(text);
  const slack = rational(1n, 10n ** BigInt(digits));
  const grown = (sign: bigint) =>
    rational(value.numerator * (slack.denominator + sign * slack.numerator), value.denominator * slack.denominator);
  return compare(grown(-1n), upper) <= 0 && compare(lower, grown(1n)) <= 0;
}

for (const vector of vectors.cases) {
  const scale = 'b' in vector.in ? parseRational(vector.in.b!) : rational(1n);
  if (vector.kind === 'pmf')
    test(`C7: ${vector.id}, the table gives the value its probability to 18 digits`, () => {
      expect(isWithin(vector.out.p!, massOf(vector.in.x!, scale), 18)).toBe(true);
    });
  if (vector.kind === 'tail')
    test(`C7: ${vector.id}, the table gives the tail its probability to 9 digits`, () => {
      const from = vector.in.t!;
      let sum = 0;
      // What is beyond 60 scales is below 1e-26 of the rest.
      for (let x = from; x <= Math.max(from, 0) + 60 * toNumber(scale); x++) sum += toNumber(massOf(x, scale).upper);
      expect(sum / Number(vector.out.p)).toBeCloseTo(1, 9);
    });
  if (vector.kind === 'moments')
    test(`C7: ${vector.id}, moments of the table's law`, () => {
      const sums = { variance: 0, mean_abs: 0, fourth_moment: 0 };
      for (let x = 1; x <= 60 * toNumber(scale); x++) {
        const mass = toNumber(massOf(x, scale).upper) + toNumber(massOf(-x, scale).upper);
        sums.mean_abs += x * mass;
        sums.variance += x ** 2 * mass;
        sums.fourth_moment += x ** 4 * mass;
      }
      expect(sums.variance / Number(vector.out.variance)).toBeCloseTo(1, 9);
      expect(sums.mean_abs / Number(vector.out.mean_abs)).toBeCloseTo(1, 9);
      expect(sums.fourth_moment / Number(vector.out.fourth_moment)).toBeCloseTo(1, 9);
      expect(sums.variance).not.toBeCloseTo(toNumber(parseRational(vector.out.continuous_laplace_variance!)), 3);
    });
  if (vector.kind === 'gof-example')
    test(`C7: ${vector.id}, the test statistics themselves`, () => {
      const probabilities = binProbabilities(toNumber(scale), vector.in.L!);
      const [x, g] = [chiSquare(vector.in.counts!, probabilities), gStatistic(vector.in.counts!, probabilities)];
      expect(x / Number(vector.out.chi_square)).toBeCloseTo(1, 9);
      expect(g / Number(vector.out.G)).toBeCloseTo(1, 9);
      expect(chiSquareTail(x, vector.out.df!) / Number(vector.out.p_chi_square)).toBeCloseTo(1, 9);
      expect(chiSquareTail(g, vector.out.df!) / Number(vector.out.p_G)).toBeCloseTo(1, 9);
    });
  if (vector.kind === 'bins') {
    // One test in a million fails by chance: five scales, two samplers, one fixed seed each.
    const limit = vector.in.L!;
    const critical = Number(vector.out.chi_square_critical!['1e-6']);
    const probabilities = vector.out.probabilities!.map(Number);
    test(`C7: ${vector.id}, G-test of 1,000,000 draws at 1e-6, and broken twins fail it`, () => {
      const draws = new Int32Array(1_000_000);
      discreteLaplace(scale, seededSource(17)).fill(draws);
      const g = (values: Iterable<number>) => gStatistic(countBins(values, limit), probabilities);
      expect(g(draws)).toBeLessThan(critical);
      const twin = new Int32Array(draws.length);
      discreteLaplace(rational(scale.numerator * 51n, scale.denominator * 50n), seededSource(17)).fill(twin);
      expect(g(twin), 'scale 2 % too large').toBeGreaterThan(critical);
      const signs = draws.map((x, place) => (x < 0 && place % 50 === 0 ? -x : x));
      expect(g(signs), 'a fiftieth of the negative draws lose their sign').toBeGreaterThan(critical);
      const negativeZero = draws.filter((x, place) => x === 0 || place % 10 > 0);
      expect(g(negativeZero), 'zero too often, as when negative zero is kept').toBeGreaterThan(critical);
    });
    test(`C7: ${vector.id}, G-test of 50,000 draws of the reference at 1e-6`, () => {
      const draw = discreteLaplaceReference(scale, exactCoins(seededSource(23)));
      const draws = Array.from({ length: 50_000 }, () => Number(draw()));
      expect(gStatistic(countBins(draws, limit), probabilities)).toBeLessThan(critical);
    });
  }
}

test('C7: the documented law adds up to 1 and is positive, at every scale', () => {
  for (const scale of SCALES) {
    const lowest = massOf(-3, scale);
    expect(lowest.lower.numerator > 0n || toNumber(scale) < 1 / 4).toBe(true);
    const last = discreteLaplaceTable(scale).floors.length;
    let sum = 0;
    for (let x = -(last - 1) / 2; x <= (last - 1) / 2; x += 1) sum += toNumber(massOf(x, scale).upper);
    expect(sum).toBeLessThan(1 + 1e-12);
    expect(sum).toBeGreaterThan(1 - 2e-7);
    if (last > 1000) break;
  }
});

test('C7: more bits narrow the bounds of a threshold, and never contradict fewer', () => {
  for (const scale of SCALES)
    for (const index of [0, 1, 2, 7, 30, 1001]) {
      const thresholds = laplaceThresholds(scale);
      for (let bits = 32; bits <= 512; bits += 32) {
        const [coarse, fine] = [thresholds(index, bits), thresholds(index, bits + 32)];
        expect(coarse.upper - coarse.lower <= 2n && coarse.lower <= coarse.upper).toBe(true);
        expect(fine.lower <= coarse.upper << 32n && fine.upper >= coarse.lower << 32n).toBe(true);
      }
    }
});

/** Value of U = digits/2^bits, by going through all thresholds with wide bounds: no table, no guide, no search. */
function meaningOf(digits: bigint, bits: number, scale: Rational, length: number): number | 'beyond' {
  const thresholds = laplaceThresholds(scale);
  const u = digits << BigInt(BITS - bits);
  let above = 0;
  while (above < length && u < thresholds(above, BITS).lower) above++;
  return above === length ? 'beyond' : valueBelow(above);
}

test('C7: every word at an edge of the table or a guide gets the value that its bits mean', () => {
  for (const scale of SCALES.slice(0, -2)) {
    const { floors } = discreteLaplaceTable(scale);
    const edges = [...floors].flatMap((floor) => [floor - 1, floor + 1]);
    for (const bits of Object.values(GUIDE_BITS))
      for (let entry = 0; entry < 2 ** bits; entry += 61)
        edges.push(entry * 2 ** (32 - bits), (entry + 1) * 2 ** (32 - bits) - 1);
    const certain = edges.filter((word) => word > floors.at(-1)! && word < 2 ** 32 && !floors.includes(word));
    const wrong = certain.filter(
      (word) => discreteLaplace(scale, scripted([word])).draw() !== meaningOf(BigInt(word), 32, scale, floors.length),
    );
    expect(wrong).toEqual([]);
  }
});

test('C7: a word that equals the beginning of a threshold is decided by further bits, as far as need be', () => {
  for (const scale of SCALES) {
    const { floors, thresholds } = discreteLaplaceTable(scale);
    for (let index = 0; index < Math.min(floors.length - 1, 60); index++) {
      // The first 96 bits of the threshold, and the numbers one unit beside them.
      const digits = thresholds(index, BITS).lower >> BigInt(BITS - 96);
      for (const beside of [-1n, 1n]) {
        const u = digits + beside;
        const words = [64n, 32n, 0n].map((shift) => Number((u >> shift) & 0xffffffffn));
        const value = meaningOf(u, 96, scale, floors.length);
        expect(discreteLaplace(scale, scripted(words)).draw()).toBe(value);
        expect(value).toBe(valueBelow(beside < 0n ? index + 1 : index));
      }
    }
  }
});

test('C7: the guide and the search agree on any word (property), and a twin without refinement does not', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SCALES.slice(0, 6)), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (scale, word) => {
      const { floors } = discreteLaplaceTable(scale);
      fc.pre(word > floors.at(-1)! && !floors.includes(word));
      expect(discreteLaplace(scale, scripted([word])).draw()).toBe(meaningOf(BigInt(word), 32, scale, floors.length));
    }),
    { numRuns: 500, seed: 5 },
  );
  // The twin takes a floor for the threshold itself: wrong where the bits after the floor decide.
  const { floors, thresholds } = discreteLaplaceTable(SCALES[1]!);
  const below = (thresholds(3, 96).lower - 1n) & ((1n << 64n) - 1n);
  const words = [floors[3]!, Number(below >> 32n), Number(below & 0xffffffffn)];
  expect(discreteLaplace(SCALES[1]!, scripted(words)).draw()).not.toBe(valueBelow(3));
});

/** The given words, and then others. */
function begunWith(words: readonly number[]): RandomSource & { asked: () => number } {
  const rest = seededSource(11);
  let next = 0;
  const uint32 = (): number => (next < words.length ? words[next++]! : rest.uint32());
  let single = 0;
  return {
    kind: 'seeded',
    uint32: () => {
      single += 1;
      return uint32();
    },
    fill(target) {
      for (let place = 0; place < target.length; place++) target[place] = uint32() >>> 16;
    },
    asked: () => single,
  };
}

test('C7: fill gives each half of a word what a draw gives to the words that begin so (property)', () => {
  const [half, word] = [fc.integer({ min: 0, max: 2 ** 16 - 1 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })];
  const filledOne = (scale: Rational, source: RandomSource): number => {
    const filled = new Int32Array(1);
    discreteLaplace(scale, source).fill(filled);
    return filled[0]!;
  };
  const drawnOne = (scale: Rational, words: number[]): number => discreteLaplace(scale, begunWith(words)).draw();
  const ways = { decided: 0, continued: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...SCALES), half, fc.nat(), word, (scale, anywhere, index, next) => {
      const { floors } = discreteLaplaceTable(scale);
      for (const first of [anywhere, floors[index % floors.length]! >>> 16]) {
        const source = begunWith([first * 2 ** 16, next]);
        const filled = filledOne(scale, source);
        if (source.asked() === 0) {
          ways.decided += 1;
          for (const rest of [0, 1, 0xffff, next >>> 16])
            expect(drawnOne(scale, [(first * 2 ** 16 + rest) >>> 0])).toBe(filled);
        } else {
          ways.continued += 1;
          expect(drawnOne(scale, [(first * 2 ** 16 + (next >>> 16)) >>> 0])).toBe(filled);
        }
      }
    }),
    { numRuns: 500, seed: 5 },
  );
  expect(Math.min(...Object.values(ways))).toBeGreaterThan(200);
});

test('C7: fill takes 16 bits for a draw that a guide decides, each once, and nothing else', () => {
  const scale = SCALES[1]!;
  const { coarse, fine } = discreteLaplaceTable(scale).guides;
  const decided = [...fine.keys()].filter((half) => fine[half] !== UNDECIDED);
  const byFineAlone = decided.filter((half) => coarse[half >>> 3] === UNDECIDED);
  const some = (halves: number[]) =>
    Array.from({ length: 9 }, (_, place) => halves[Math.floor((place * halves.length) / 9)]!);
  const halves = [...some(decided), ...some(byFineAlone)];
  const filled = new Int32Array(halves.length);
  discreteLaplace(scale, scripted(halves.map((half) => half * 2 ** 16))).fill(filled);
  expect([...filled]).toEqual(halves.map((half) => fine[half]));
  expect(new Set(filled).size).toBeGreaterThan(2);
});

test('C7: the guides agree wherever the coarse one decides', () => {
  for (const scale of SCALES) {
    const { coarse, fine } = discreteLaplaceTable(scale).guides;
    const differ = fine.filter((value, half) => ![UNDECIDED, value].includes(coarse[half >>> 3]!));
    expect(differ).toHaveLength(0);
  }
});

test('C7: the table is odd, falls, and stays within its memory at any scale', () => {
  for (const scale of [...SCALES, rational(1n, 60_000n), rational(60_000n)]) {
    const { floors } = discreteLaplaceTable(scale);
    expect(floors.length % 2).toBe(1);
    expect(floors.length).toBeLessThanOrEqual(MOST_THRESHOLDS);
    expect(floors.every((floor, place) => place === 0 || floor <= floors[place - 1]!)).toBe(true);
  }
});

test('C7: below the table noise goes on with both signs and no end, also at scales whose table is full', () => {
  for (const scale of [rational(1n, 2n), rational(5000n)]) {
    const { floors } = discreteLaplaceTable(scale);
    const random = seededSource(29);
    const source: RandomSource = { ...random, uint32: random.uint32 };
    const magnitudes: number[] = [];
    let negative = 0;
    for (let i = 0; i < 400; i++) {
      let first = true;
      const draw = discreteLaplace(scale, {
        ...source,
        uint32() {
          // Begins with zeros: for the small scale the next word says that U is smaller than the last threshold.
          if (!first) return source.uint32();
          first = false;
          return 0;
        },
      }).draw();
      magnitudes.push(Math.abs(draw));
      if (draw < 0) negative++;
    }
    if (scale.denominator === 1n) {
      const smallest = (floors.length + 1) / 2;
      expect(Math.min(...magnitudes)).toBeGreaterThanOrEqual(smallest);
      expect(Math.max(...magnitudes)).toBeGreaterThan(smallest + 10_000);
      const mean = magnitudes.reduce((sum, magnitude) => sum + magnitude - smallest, 0) / magnitudes.length;
      // The excess is geometric: mean 5,000 less a half, standard error 250; six of them.
      expect(Math.abs(mean - 4999.5)).toBeLessThan(1500);
      // Six standard deviations of 400 fair coins.
      expect(Math.abs(negative - 200)).toBeLessThan(60);
    } else expect(Math.min(...magnitudes)).toBeGreaterThanOrEqual((floors.length - 3) / 2);
  }
});

test('C7: a scale that is not positive, or beyond 2^16 either way, is refused', () => {
  for (const scale of [rational(0n), rational(-1n, 2n), rational(65537n), rational(1n, 65537n)])
    expect(() => discreteLaplace(scale, seededSource(1))).toThrow(RangeError);
});
