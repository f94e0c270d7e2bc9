import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { rational } from '../core/rational/rational.ts';
import type { EqualPair } from '../core/statistics/pair-laws.ts';
import { sbhParameters } from '../test/oracles/sbh-2017.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { recoverScale, scalesOfThreshold, withNoise } from './foreign-noise.ts';
import { type ForeignTable, NOTHING_DECLARED } from './foreign-table.ts';

const table = (
  name: string,
  kind: ForeignTable['kind'],
  smallest: number,
  declared = NOTHING_DECLARED,
): ForeignTable => ({
  name,
  kind,
  declared,
  source: null,
  strays: [],
  lines: 2,
  columns: ['loc', 'count', 'date'],
  rows: [{ mode: '*', day: '2016-08-12', tap: '*', time: '*', location: 'Manly', count: smallest }],
});

describe('the scale of a table', () => {
  test('lies within the ends that its threshold leaves open, for every δ of the range', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        fc.double({ min: -9, max: -5, noNaN: true }),
        (epsilon, exponent) => {
          const { scale, threshold } = sbhParameters(epsilon, 10 ** exponent);
          const { least, most } = scalesOfThreshold(Math.floor(threshold + 0.5));
          expect(least).toBeLessThanOrEqual(scale * (1 + 1e-12));
          expect(most).toBeGreaterThanOrEqual(scale * (1 - 1e-12));
        },
      ),
    );
  });

  test('is taken from the declaration, else from pairs, else from the threshold', () => {
    const cells = table('cells', 'time-location', 18);
    const totals = table('totals', 'location', 34);
    const recovered = { scale: 1, error: 0.1, pairs: 900 };
    expect(withNoise([cells], null)[0]!.noise).toMatchObject({ knownBy: 'threshold', threshold: 18 });
    const [ofCells, ofTotals] = withNoise([cells, totals], recovered);
    expect(ofCells!.noise).toMatchObject({ knownBy: 'pairs', scale: 1, least: 0.9, most: 1.1 });
    // (34 − 1)/(18 − 1): the thresholds are as the scales.
    expect(ofTotals!.noise.scale).toBeCloseTo(33 / 17, 12);
    const said = table('cells', 'time-location', 18, { ...NOTHING_DECLARED, scale: 3, threshold: 17 });
    expect(withNoise([said], recovered)[0]!.noise).toMatchObject({ knownBy: 'declaration', scale: 3, threshold: 17 });
  });

  // 400 pairs; the interval misses once in 1,000, the seed is fixed.
  test('comes out of pairs that are clear of the threshold, and of no others', () => {
    const noise = discreteLaplace(rational(2n), seededSource(3));
    const pairs = Array.from({ length: 400 }, (): EqualPair => [200 + noise.draw(), 200 + noise.draw()]);
    const { scale, error, pairs: used } = recoverScale(18, pairs)!;
    expect(used).toBe(400);
    expect(Math.abs(scale - 2)).toBeLessThan(error);
    expect(
      recoverScale(
        18,
        pairs.map(([a, b]): EqualPair => [a - 180, b - 180]),
      ),
    ).toBeNull();
    expect(recoverScale(18, [])).toBeNull();
  });
});
