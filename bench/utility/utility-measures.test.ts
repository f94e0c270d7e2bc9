import { expect, test } from 'vitest';
import { certify } from '../../counts/certificate/certify.ts';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { deriveRows, drawTable } from '../../test/support/draw-rows.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { releaseOf } from './utility-designs.ts';
import { UtilityMeter } from './utility-measures.ts';

const monday: ExactPartition = {
  partition: { part: 'bus', day: '2026-03-02' },
  counts: [
    ['on', '08:00', '2000', 10],
    ['on', '08:00', '2010', 4],
    ['on', '08:15', '2000', 6],
  ],
  domain: { taps: ['on'], times: ['08:00', '08:15'], locations: ['2000', '2010'] },
};

test('errors of a release by hand: noise +2, two cells held back, 3 taps from nothing', () => {
  const meter = new UtilityMeter();
  meter.add(monday, {
    tapsInHours: 5,
    cells: [
      ['on', '08:00', '2000', 12],
      ['on', '08:15', '2010', -3],
    ],
    time: [
      ['on', '08:00', 15],
      ['on', '08:15', 5],
    ],
    location: [['on', '2000', 14]],
  });
  const { figures, published, withTaps, totals } = meter;
  expect(figures).toMatchObject({ inCells: 10 / 20, inHours: 5 / 20, tapsFromNothing: 3, timeBias: 0 });
  expect(figures).toMatchObject({ cellsPublished: 2, publishedMean: 5 / 2, publishedRoot: Math.sqrt(13 / 2) });
  expect(figures).toMatchObject({ timeError: 2 / 20, locationBias: 14 / 20 - 1, locationError: 6 / 20 });
  expect(published).toEqual({ cells: 2, absolute: 5, squared: 13 });
  expect(withTaps).toEqual({ cells: 3, absolute: 2 + 4 + 6, squared: 4 + 16 + 36 });
  expect(totals.time.errors).toEqual({ released: 20, absolute: 2, absoluteOfWindow: 2 });
  expect(totals.location.errors).toMatchObject({ released: 14, absolute: 6 });
});

test('errors of a window: opposite errors of two days cancel in the week and not in the days', () => {
  const meter = new UtilityMeter();
  for (const error of [3, -3])
    meter.add(monday, { cells: [], tapsInHours: 0, time: [['on', '08:00', 14 + error]], location: [] });
  expect(meter.totals.time.errors).toMatchObject({ absolute: 2 * 3 + 2 * 6, absoluteOfWindow: 12 });
  expect(meter.totals.time.biasOf('bus')).toBe(28 / 40 - 1);
});

test('the totals of a table are those that are derived from it', () => {
  const certificate = certify({
    mechanism: 'complete-domain',
    unit: 'trip',
    neighbours: 'replace-one',
    publish: 'on',
    epsilon: '8',
    delta: '0',
    split: { time: '1', location: '1' },
    floor: 9,
    hours: { floor: 9, bins: 4 },
  });
  const counts = [...monday.counts, ['on', '08:15', '2010', 7]] satisfies ExactPartition['counts'];
  const table = drawTable(monday.partition, counts, monday.domain, certificate, seededSource(3));
  expect([table.cells.length, table.hours!.length]).not.toContain(0);
  const { time, location } = deriveRows([table]);
  const released = releaseOf(table);
  const sumOf = (rows: typeof released.time, key: string): number =>
    rows.reduce((sum, [, name, count]) => sum + (name === key ? count : 0), 0);
  for (const row of time) expect([row.time, sumOf(released.time, row.time)]).toEqual([row.time, row.count]);
  for (const row of location) expect(sumOf(released.location, row.location)).toBe(row.count);
  expect(released.tapsInHours).toBe(table.hours!.reduce((sum, [, , , count]) => sum + count, 0));
});
