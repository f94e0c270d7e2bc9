import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../core/random/discrete-laplace.ts';
import { rational } from '../core/rational/rational.ts';
import { ALL } from '../counts/derive/count-row.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { withNoise } from './foreign-noise.ts';
import { type ForeignTable, NOTHING_DECLARED } from './foreign-table.ts';
import { checkThresholdRecovery } from './threshold-recovery.ts';

const FOLDER = new URL('../../shared/data/opal/', import.meta.url);

/** Counts of a CSV file of the real release, by the name of its column; lines that are no rows are left out. */
function countsOf(file: string): number[] {
  const [header, ...lines] = readFileSync(new URL(file, FOLDER), 'utf8').split(/\r?\n/);
  const columns = header!.split(',');
  return lines
    .map((line) => line.split(','))
    .filter((fields) => fields.length === columns.length)
    .map((fields) => Number(fields[columns.indexOf('count')]));
}

const table = (name: string, counts: readonly number[], threshold: number | null): ForeignTable => ({
  name,
  kind: 'location',
  source: null,
  strays: [],
  lines: counts.length,
  columns: ['loc', 'count', 'date'],
  declared: { ...NOTHING_DECLARED, scale: 1, threshold },
  rows: counts.map((count, place) => ({
    mode: ALL,
    day: '2016-08-12',
    tap: ALL,
    time: ALL,
    location: `place ${place}`,
    count,
  })),
});

const check = (...tables: ForeignTable[]) => checkThresholdRecovery({ tables: withNoise(tables, null) });

describe('the real release of 2016', () => {
  test.skipIf(!existsSync(FOLDER))(
    'shows 34 and 18 as thresholds (left out where the real data is not at hand)',
    () => {
      const { verdict, statistic, sentence } = check(
        table('location', countsOf('location_20160808-14.csv'), null),
        table('time-location', countsOf('train_tap_on_timeloc_20160725-31.csv'), null),
      );
      expect([verdict, statistic]).toEqual(['attention', 18]);
      expect(sentence).toMatch(/: 34 in location \(\d+ times\), 18 in time-location \(\d+ times\)\.$/);
    },
  );
});

/** Published counts of a histogram with truths spread over 1 to 60. */
function published(threshold: number, seed: number): number[] {
  const noise = discreteLaplace(rational(1n), seededSource(seed));
  const counts = Array.from({ length: 3000 }, (_, index) => (index % 60) + 1 + noise.draw());
  return counts.filter((count) => count >= threshold);
}

// About 50 counts are at the threshold: the chance that none is, in 200 runs together, is under 1e-6.
describe('threshold recovery', () => {
  test('finds the threshold and passes when it is declared', () => {
    for (let seed = 0; seed < 200; seed += 1)
      expect(check(table('cells', published(10, seed), 10))).toMatchObject({
        verdict: 'pass',
        statistic: 10,
        bound: 10,
      });
  });

  test('counts how often the smallest count is there', () => {
    expect(check(table('cells', [10, 10, 11, 40], 10)).sentence).toContain('10 in cells (2 times)');
  });

  test('broken twin: a table that publishes below what it declares fails, and one that declares nothing is a point', () => {
    const [cells, times] = [published(9, 1), [200, 300]];
    const found = check(table('cells', cells, 10), table('times', times, 10));
    expect([found.verdict, found.statistic, found.bound]).toEqual(['fail', 9, 10]);
    expect(check(table('cells', cells, 9), table('times', times, null)).verdict).toBe('attention');
    expect(check(table('cells', [], null)).verdict).toBe('not-tried');
  });
});
