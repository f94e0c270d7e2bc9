import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainLoss } from '../../core/accounting/discrete-laplace-loss.ts';
import { deltaAt } from '../../core/accounting/loss-curve.ts';
import { compose, composeTimes, type LossDistribution } from '../../core/accounting/loss-distribution.ts';
import { add, compare, parseRational, power, type Rational, rational, subtract } from '../../core/rational/rational.ts';
import {
  exchanged,
  hockeyStick,
  noisyCount,
  type ReleasedCount,
  stabilityCell,
} from '../../test/oracles/hockey-stick.ts';
import { type StabilityHistogram, stabilityHistogramLoss } from './stability-histogram-loss.ts';

const BITS = 256;
const ROUNDING = power(rational(2n), -120);

/** A change of one cell: other people's count, and taps that come or go. */
type Change = { others: number; taps: number; added: boolean };

/** The law of the cells that change, in a histogram with this threshold. */
function cells({ rate, threshold }: StabilityHistogram, changes: readonly Change[]): ReleasedCount[] {
  return changes.map(({ others, taps, added }) =>
    added
      ? stabilityCell(others, others + taps, threshold, rate, BITS)
      : stabilityCell(others + taps, others, threshold, rate, BITS),
  );
}

/** Is δ of the loss at least the one of these cells, whichever neighbour is asked about? */
function covers(loss: LossDistribution, counts: ReleasedCount[], epsilon: Rational): boolean {
  const bound = add(deltaAt(loss, epsilon), power(rational(2n), -200));
  return [counts, exchanged(counts)].every((one) => compare(bound, hockeyStick(one, epsilon, BITS).lower) >= 0);
}

function histogram(
  rate: string,
  threshold: number,
  taps: number,
  mayMeet: boolean,
  replaceOne: boolean,
): StabilityHistogram {
  const removed = { taps, mayMeet };
  return { rate: parseRational(rate), threshold, removed, added: { taps: replaceOne ? taps : 0, mayMeet } };
}

/** Taps of one side in cells: [2, 1] is two in one cell and one in another. */
function partitions(taps: number, largest = taps): number[][] {
  if (taps === 0) return [[]];
  return Array.from({ length: Math.min(taps, largest) }, (_, i) => i + 1).flatMap((first) =>
    partitions(taps - first, first).map((rest) => [first, ...rest]),
  );
}

const rates = fc.constantFrom('1/10', '1/2', '9/10', '2', '13/4');
const epsilons = fc.integer({ min: 0, max: 80 }).map((n) => rational(BigInt(n), 10n));
const others = fc.constantFrom(0, 0, 1, 3, 40);

/** Changes of at most `taps` taps on each side that fit the unit. */
function changesOf(taps: number, mayMeet: boolean, replaceOne: boolean) {
  const splits = mayMeet ? partitions(taps) : [Array.from({ length: taps }, () => 1)];
  const side = (added: boolean) =>
    fc
      .constantFrom(...splits)
      .chain((split) =>
        fc.tuple(...split.map((count) => others.map((rest): Change => ({ others: rest, taps: count, added })))),
      );
  return fc.tuple(side(false), replaceOne ? side(true) : fc.constant([])).map(([a, b]) => [...a, ...b]);
}

const settings = fc.record({
  rate: rates,
  margin: fc.integer({ min: 1, max: 8 }),
  taps: fc.integer({ min: 1, max: 3 }),
  mayMeet: fc.boolean(),
  replaceOne: fc.boolean(),
});

const cases = settings.chain(({ rate, margin, taps, mayMeet, replaceOne }) =>
  fc.record({
    given: fc.constant(histogram(rate, taps + margin, taps, mayMeet, replaceOne)),
    first: changesOf(taps, mayMeet, replaceOne),
    second: changesOf(taps, mayMeet, replaceOne),
    epsilon: epsilons,
  }),
);

describe('stability histogram @contract C14', () => {
  test('δ of every pattern, in both directions, is at most the one of the loss', () => {
    fc.assert(
      fc.property(cases, ({ given, first, epsilon }) =>
        covers(stabilityHistogramLoss(given), cells(given, first), epsilon),
      ),
      { numRuns: 300 },
    );
  });

  test('and so for two releases, whatever the patterns are', () => {
    const small = cases.filter(({ first, second }) => first.length + second.length <= 4);
    fc.assert(
      fc.property(small, ({ given, first, second, epsilon }) => {
        const loss = composeTimes(stabilityHistogramLoss(given), 2);
        return covers(loss, [...cells(given, first), ...cells(given, second)], epsilon);
      }),
      { numRuns: 40 },
    );
  });

  /** The largest hockey stick over all patterns: each side in any partition, its cells lone or far above T. */
  function enumerated(given: StabilityHistogram, epsilon: Rational): Rational {
    const sides = [given.removed, given.added].map(({ taps, mayMeet }, i) =>
      (mayMeet ? partitions(taps) : [Array.from({ length: taps }, () => 1)]).flatMap((split) =>
        Array.from({ length: 2 ** split.length }, (_, lone) =>
          split.map((count, cell): { taps: number; lone: boolean; added: boolean } => ({
            taps: count,
            lone: ((lone >> cell) & 1) === 1,
            added: i === 1,
          })),
        ),
      ),
    );
    let largest = rational(0n);
    for (const a of sides[0]!) {
      for (const b of sides[1]!) {
        const counts = [...a, ...b].map(({ taps, lone, added }) => {
          if (!lone) return noisyCount(50, 50 + taps, given.rate, BITS);
          const [c, d] = added ? [0, taps] : [taps, 0];
          return stabilityCell(c, d, given.threshold, given.rate, BITS);
        });
        for (const one of [counts, exchanged(counts)]) {
          const { upper } = hockeyStick(one, epsilon, BITS);
          if (compare(upper, largest) > 0) largest = upper;
        }
      }
    }
    return largest;
  }

  test.each([
    ['2', 9, 2, false, true],
    ['1/2', 6, 2, false, false],
    ['1/3', 4, 2, true, true],
    ['1', 5, 3, true, false],
    ['1/20', 3, 2, true, true],
  ] as const)(
    'rate %s, T = %i, %i taps: at its grid it is the maximum over all patterns',
    (rate, threshold, taps, meet, replace) => {
      const given = histogram(rate, threshold, taps, meet, replace);
      const loss = stabilityHistogramLoss(given);
      for (let j = 0; j <= given.removed.taps + given.added.taps; j += 1) {
        const epsilon = rational(BigInt(j) * given.rate.numerator, given.rate.denominator);
        const excess = subtract(deltaAt(loss, epsilon), enumerated(given, epsilon));
        expect(compare(excess, ROUNDING)).toBeLessThanOrEqual(0);
        expect(compare(excess, subtract(rational(0n), ROUNDING))).toBeGreaterThanOrEqual(0);
      }
    },
  );

  test('between its points it is above the maximum by at most δ', () => {
    const given = histogram('1', 4, 2, true, true);
    const loss = stabilityHistogramLoss(given);
    const delta = deltaAt(loss, rational(50n));
    for (let n = 1; n < 45; n += 3) {
      const epsilon = rational(BigInt(n), 10n);
      const most = add(enumerated(given, epsilon), add(delta, ROUNDING));
      expect(compare(deltaAt(loss, epsilon), most)).toBeLessThanOrEqual(0);
    }
  });

  test('cards with many taps: above the maximum by at most δ', () => {
    const given = histogram('1/4', 60, 16, true, true);
    const many = { ...given, removed: { taps: 17, mayMeet: true }, added: { taps: 16, mayMeet: true } };
    const [tried, bounded] = [stabilityHistogramLoss(given), stabilityHistogramLoss(many)];
    for (const epsilon of [rational(0n), rational(1n), rational(15n, 2n), rational(8n)]) {
      expect(compare(deltaAt(tried, epsilon), deltaAt(bounded, epsilon))).toBeLessThanOrEqual(0);
    }
    expect(covers(bounded, cells(many, [{ others: 0, taps: 17, added: false }]), rational(8n))).toBe(true);
  });
});

describe('broken twins', () => {
  const far = rational(10n);
  test('noise without lone cells does not cover a lone one', () => {
    const given = histogram('1/2', 6, 2, false, true);
    const lone = cells(given, [{ others: 0, taps: 1, added: false }]);
    expect(covers(domainLoss(given.rate, given.removed, given.added), lone, far)).toBe(false);
    expect(covers(stabilityHistogramLoss(given), lone, far)).toBe(true);
  });

  test('taps apart do not cover taps that meet', () => {
    const given = histogram('1', 6, 3, true, true);
    const apart = stabilityHistogramLoss(histogram('1', 6, 3, false, true));
    const meeting = cells(given, [{ others: 0, taps: 3, added: false }]);
    expect(covers(apart, meeting, far)).toBe(false);
    expect(covers(stabilityHistogramLoss(given), meeting, far)).toBe(true);
  });

  test('a threshold one higher than the rule is caught', () => {
    const given = histogram('1/2', 6, 2, false, true);
    const twin = stabilityHistogramLoss({ ...given, threshold: 7 });
    const lone = cells(given, [
      { others: 0, taps: 1, added: false },
      { others: 0, taps: 1, added: false },
    ]);
    expect(covers(twin, lone, far)).toBe(false);
  });

  test('one side only does not cover a replacement', () => {
    const given = histogram('1/2', 20, 2, false, true);
    const twin = stabilityHistogramLoss(histogram('1/2', 20, 2, false, false));
    const both = cells(given, [
      { others: 40, taps: 1, added: false },
      { others: 40, taps: 1, added: true },
      { others: 40, taps: 1, added: true },
    ]);
    expect(covers(twin, both, rational(1n))).toBe(false);
    expect(compose(twin, twin).infinite).toBeGreaterThan(twin.infinite);
  });
});
