import { describe, expect, test } from 'vitest';
import { discreteLaplace } from '../../../core/random/discrete-laplace.ts';
import { parseRational } from '../../../core/rational/rational.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { certify } from '../../certificate/certify.ts';
import { TRIP_REQUEST } from '../../certificate/trip-request.fixture.ts';
import { ALL, type CountRow } from '../../derive/count-row.ts';
import { tableOf } from '../../derive/count-table.ts';
import { checkMarginNoise, marginNoiseTest } from './margin-noise.ts';

const SCALES = { time: 4, location: 8 };

const CERTIFICATE = certify({
  ...TRIP_REQUEST,
  split: { cells: '13/2', time: '1', location: '1/2' },
});

const check = (rows: CountRow[] | null) =>
  checkMarginNoise({
    certificate: CERTIFICATE,
    tables: {
      cells: null,
      time: null,
      location: null,
      hours: null,
      remainder: null,
      margins: rows && tableOf(rows),
    },
  });

/** Margins of 14 days, on and off, over 24 times and 10 locations: noise of these scales on a common total. */
function margins(scales: { time: string; location: string } | null, seed: number): CountRow[] {
  const source = seededSource(seed);
  const [time, location] = [scales?.time ?? '1', scales?.location ?? '1'].map((b) =>
    discreteLaplace(parseRational(b), source),
  );
  return Array.from({ length: 28 }, (_, index) => {
    const key = {
      mode: 'ferry',
      day: `2016-07-${10 + (index >> 1)}`,
      tap: index % 2 ? ('on' as const) : ('off' as const),
    };
    const draw = (noise: { draw(): number }): number => (scales ? noise.draw() : 0);
    return [
      ...Array.from({ length: 24 }, (_, t) => ({ ...key, time: `${t}`, location: ALL, count: 100 + draw(time!) })),
      ...Array.from({ length: 10 }, (_, l) => ({ ...key, time: ALL, location: `${l}`, count: 240 + draw(location!) })),
    ];
  }).flat();
}

describe('the noise of margins', () => {
  // 600 runs: more than the level of them plus four standard errors has a chance under 1e-4.
  test('is super-uniform at 0.05 and 0.01 for honest margins', () => {
    const pValues = Array.from({ length: 600 }, (_, seed) =>
      marginNoiseTest(tableOf(margins({ time: '4', location: '8' }, seed)), 'discrete-laplace', SCALES),
    );
    for (const level of [0.05, 0.01])
      expect(pValues.filter((p) => p <= level).length).toBeLessThanOrEqual(
        600 * level + 4 * Math.sqrt(600 * level * (1 - level)),
      );
    expect(Math.min(...pValues)).toBeGreaterThan(TEST_LEVEL);
  });

  // Each mutant is missed in at most 1 of 1,000 runs.
  test('broken twins: margins without noise, with a tenth of it, or with four times it, fail', () => {
    for (let seed = 0; seed < 20; seed += 1)
      for (const scales of [null, { time: '2/5', location: '4/5' }, { time: '16', location: '32' }])
        expect(check(margins(scales, seed)).verdict).toBe('fail');
  });

  test('passes honest margins', () => {
    for (let seed = 0; seed < 20; seed += 1)
      expect(check(margins({ time: '4', location: '8' }, seed)).verdict).toBe('pass');
  });

  test('says nothing of a series with margins of one kind only', () => {
    const times = margins(null, 1).filter(({ time }) => time !== ALL);
    expect(check(times)).toMatchObject({ verdict: 'pass', pValue: 1 });
    expect(check(null)).toMatchObject({ verdict: 'not-tried', pValue: null });
  });
});
