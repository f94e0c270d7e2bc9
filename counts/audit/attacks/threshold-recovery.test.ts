import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { rational } from '../../../core/rational/rational.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { checkThresholdRecovery, recoverThresholds } from './threshold-recovery.ts';

const FOLDER = new URL('../../../../shared/data/opal/', import.meta.url);

/** Counts of a CSV file of the real release, by the name of its column; lines that are no rows are left out. */
function countsOf(file: string): number[] {
  const [header, ...lines] = readFileSync(new URL(file, FOLDER), 'utf8').split(/\r?\n/);
  const columns = header!.split(',');
  return lines
    .map((line) => line.split(','))
    .filter((fields) => fields.length === columns.length)
    .map((fields) => Number(fields[columns.indexOf('count')]));
}

describe('the real release of 2016', () => {
  test.skipIf(!existsSync(FOLDER))(
    'shows 34 and 18 as thresholds (left out where the real data is not at hand)',
    () => {
      const found = recoverThresholds(
        [
          { name: 'location', counts: countsOf('location_20160808-14.csv') },
          { name: 'time-location', counts: countsOf('train_tap_on_timeloc_20160725-31.csv') },
        ],
        2,
      );
      expect(found.map(({ table, smallest }) => [table, smallest])).toEqual([
        ['location', 34],
        ['time-location', 18],
      ]);
      // A lower threshold would have shown in the many trains of the time-location table.
      expect(found[1]!.chanceIfLower).toBeLessThan(1e-100);
    },
  );
});

/** Published counts of a histogram with truths spread over 1 to 60. */
function published(threshold: number, seed: number): number[] {
  const noise = discreteLaplace(rational(1n), seededSource(seed));
  const counts = Array.from({ length: 3000 }, (_, index) => (index % 60) + 1 + noise.draw());
  return counts.filter((count) => count >= threshold);
}

// About 50 counts lie at the threshold: that none does has a chance under 1e-6 in 200 runs together.
describe('threshold recovery', () => {
  test('finds the threshold and passes when it is declared', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const tables = [{ name: 'cells', counts: published(10, seed) }];
      expect(recoverThresholds(tables, 1)[0]).toMatchObject({ smallest: 10 });
      expect(checkThresholdRecovery(tables, new Map([['cells', 10]]), 1).verdict).toBe('pass');
    }
  });

  test('bounds the chance that a lower threshold would not have shown', () => {
    const [{ times, chanceIfLower } = { times: 0, chanceIfLower: null }] = recoverThresholds(
      [{ name: 'cells', counts: [10, 10, 11, 40] }],
      1,
    );
    expect(times).toBe(2);
    expect(chanceIfLower).toBeCloseTo((1 / (1 + Math.exp(-1))) ** 2, 12);
  });

  test('broken twin: a table that publishes below what it declares fails, and one that declares nothing is a point', () => {
    const tables = [
      { name: 'cells', counts: published(9, 1) },
      { name: 'times', counts: [200, 300] },
    ];
    const check = checkThresholdRecovery(
      tables,
      new Map([
        ['cells', 10],
        ['times', 10],
      ]),
      1,
    );
    expect([check.verdict, check.statistic, check.bound]).toEqual(['fail', 9, 10]);
    expect(checkThresholdRecovery(tables, new Map([['cells', 9]]), null).verdict).toBe('attention');
    expect(checkThresholdRecovery([{ name: 'cells', counts: [] }], new Map(), null).verdict).toBe('not-tried');
  });
});
