import { expect, test } from 'vitest';
import type { ExactPartition } from '../../examples/binned-window.fixture.ts';
import { seededSource } from '../../test/support/seeded-source.ts';
import { growCity, thinCity } from './city.ts';

const times = Array.from({ length: 40 }, (_, at) => `${String(at).padStart(2, '0')}:00`);
const locations = Array.from({ length: 50 }, (_, at) => `place ${at}`);
/** 1 tap in every other cell of tap-ons, none of tap-offs, and one cell of more than a product of numbers can count. */
const sample: ExactPartition = {
  partition: { part: 'bus', day: '2026-03-02' },
  counts: [
    ...times.flatMap((time, at) =>
      locations.flatMap((place, other) => ((at + other) % 2 ? [] : [['on', time, place, 1] as const])),
    ),
    ['on', '01:00', 'place 0', 100],
  ].map((row) => [...row]) as ExactPartition['counts'],
  domain: { taps: ['off', 'on'], times, locations },
};

const tapsOf = ([city]: ExactPartition[]): number => city!.counts.reduce((sum, [, , , count]) => sum + count, 0);

test('a city without spread has Poisson counts, only where the sample has taps', () => {
  const city = growCity([sample], { times: 20, spread: 0 }, seededSource(5));
  const ordinary = city[0]!.counts.filter(([, , , count]) => count < 200).map(([, , , count]) => count);
  expect(ordinary).toHaveLength(1000);
  const mean = ordinary.reduce((sum, count) => sum + count, 0) / 1000;
  const variance = ordinary.reduce((sum, count) => sum + (count - mean) ** 2, 0) / 999;
  // Five deviations of the mean, and of the variance of 1,000 Poisson numbers.
  expect(Math.abs(mean - 20)).toBeLessThan(5 * Math.sqrt(20 / 1000));
  expect(Math.abs(variance - 20)).toBeLessThan(5 * Math.sqrt((2 * 400 + 20) / 1000));
  const large = city[0]!.counts.find(([, time, place]) => time === '01:00' && place === 'place 0')!;
  expect(Math.abs(large[3] - 2000)).toBeLessThan(5 * Math.sqrt(2000));
  expect(growCity([sample], { times: 20, spread: 0 }, seededSource(5))).toEqual(city);
});

test('spread moves taps to cells that the sample left empty, and keeps their number and their end', () => {
  const city = growCity([sample], { times: 20, spread: 1 }, seededSource(6));
  expect(city[0]!.counts.every(([tap]) => tap === 'on')).toBe(true);
  expect(Math.abs(tapsOf(city) - 22_000)).toBeLessThan(5 * Math.sqrt(22_000));
  expect(city[0]!.counts.length).toBeGreaterThan(1900);
});

test('a thinned city has the share that is asked for, and no tap elsewhere', () => {
  const city = growCity([sample], { times: 20, spread: 0 }, seededSource(7));
  const thinned = thinCity(city, 0.05, seededSource(8));
  expect(Math.abs(tapsOf(thinned) - 0.05 * tapsOf(city))).toBeLessThan(5 * Math.sqrt(1100));
  const keys = new Set(city[0]!.counts.map(([tap, time, place]) => `${tap} ${time} ${place}`));
  expect(thinned[0]!.counts.every(([tap, time, place]) => keys.has(`${tap} ${time} ${place}`))).toBe(true);
});
