import { expect, test } from 'vitest';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import type { CountRow } from '../../../counts/derive/count-row.ts';
import { tableOf } from '../../../counts/derive/count-table.ts';
import type { CellCount } from '../../../counts/mechanisms/cell-counts.ts';
import { drawTable } from '../../../test/support/draw-rows.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { testSeries } from '../../../test/support/test-release.ts';
import { placeTotals } from './place-totals.ts';
import { privacyFile } from './privacy-file.ts';

const series = testSeries({
  privacy: {
    mechanism: 'complete-domain',
    unit: 'trip',
    epsilon: '2',
    delta: '0',
    floor: 20,
    split: { cells: '1', time: '1/2', location: '1/2' },
    caps: { block: { epsilon: '4', delta: '0' }, year: { epsilon: '500', delta: '0' } },
  },
});
const certificate = certify(series.privacy);
const run = { series: 'demo', window: '2026-03-02', version: 1, seriesDigest: '', seriesUri: '' };
const privacy = (holes: { part: string; day: string }[] = []) =>
  privacyFile(series, { ...run, holes: holes.map((hole) => ({ ...hole, code: 'OBJECT_MISSING' })) }, certificate);

const LIST = Buffer.from(
  'location,name,latitude,longitude\nA,Alpha,-33.5,151.25\nB,,0,0\nC,"</script> & ""Co""",,\nD,Delta,1.5,\n',
);
const LISTS = new Map([
  ['bus', LIST],
  ['ferry', LIST],
]);

const row = (mode: string, day: string, location: string, count: number, tap: CountRow['tap'] = 'on'): CountRow => ({
  mode,
  day,
  tap,
  time: '*',
  location,
  count,
});
const MONDAY = '2026-03-02';
const TUESDAY = '2026-03-03';

test('ends are added, days stand beside their sum, and what is not published has no number', () => {
  const table = tableOf([
    row('bus', MONDAY, 'A', 3, 'off'),
    row('bus', MONDAY, 'A', 4),
    row('bus', MONDAY, 'UNKNOWN', -2),
    row('bus', TUESDAY, 'B', 9),
    row('ferry', TUESDAY, 'C', 0),
    row('ferry', TUESDAY, 'D', 5),
  ]);
  const { columns, rows, unit, sentences } = placeTotals(privacy(), certificate, { name: 'location', table }, LISTS);
  expect(columns).toEqual(['All days', MONDAY, TUESDAY]);
  expect(unit).toBe('taps');
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toContain('is not a zero');
  const positionOf = { A: [-33.5, 151.25], B: [0, 0] };
  expect(rows).toEqual([
    { part: 'bus', place: 'B', name: 'B', position: positionOf.B, values: [9, null, 9] },
    { part: 'bus', place: 'A', name: 'Alpha', position: positionOf.A, values: [7, 7, null] },
    { part: 'bus', place: 'UNKNOWN', name: 'Places not in the list', position: null, values: [-2, -2, null] },
    { part: 'ferry', place: 'D', name: 'Delta', position: null, values: [5, null, 5] },
    { part: 'ferry', place: 'C', name: '</script> & "Co"', position: null, values: [0, null, 0] },
  ]);
});

test('of many places those with the most taps are kept, and a small mode keeps all of its own', () => {
  const places = Array.from({ length: 900 }, (_, n) => `P${n}`);
  const table = tableOf([
    ...places.map((place, n) => row('bus', MONDAY, place, 100_000 - n)),
    ...places.slice(0, 100).map((place) => row('ferry', MONDAY, place, 1)),
  ]);
  const { rows, sentences } = placeTotals(privacy(), certificate, { name: 'location', table }, LISTS);
  const kept = (part: string) => rows.filter((one) => one.part === part).map(({ place }) => place);
  expect(kept('bus')).toEqual(places.slice(0, 600));
  expect(kept('ferry')).toHaveLength(100);
  expect(sentences[1]).toBe('Of 1000 places these are the 700 with the most taps, of each mode in turn.');
});

test('C19: the intervals of a day and of all days miss no more often than they say', () => {
  const random = seededSource(3);
  const places = ['A', 'B', 'C', 'D'];
  const exact = 40;
  const cells = places.flatMap((place) =>
    (['on', 'off'] as const).map((tap): CellCount => [tap, '07:00', place, exact / 2]),
  );
  const misses = [0, 0];
  const draws = 150;
  let halfWidths: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    const table = tableOf(
      [0, 1].flatMap((later) => {
        const partition = { part: 'ferry', day: addDays(MONDAY, later) };
        const domain = { taps: ['off', 'on'] as const, times: ['07:00'], locations: places };
        const { margins } = drawTable(partition, cells, domain as never, certificate, random);
        return margins!.location.map(([tap, place, count]) => row('ferry', partition.day, place, count, tap));
      }),
    );
    const made = placeTotals(privacy(), certificate, { name: 'margins-location', table }, LISTS);
    halfWidths = [...made.sentences[0]!.matchAll(/by at most (\d+)/g)].map(([, width]) => Number(width));
    for (const { values } of made.rows)
      for (const [place, days] of [
        [1, 1],
        [0, 2],
      ] as const)
        if (Math.abs(values[place]! - days * exact) > halfWidths[place === 1 ? 0 : 1]!) misses[days - 1]! += 1;
  }
  expect(halfWidths).toHaveLength(2);
  for (const missed of misses) {
    expect(missed / (draws * places.length)).toBeLessThan(0.075);
    expect(missed).toBeGreaterThan(5);
  }
  expect(halfWidths[1]!).toBeGreaterThan(halfWidths[0]!);
});

test('a day that nobody drew is not in the interval of all days', () => {
  const table = tableOf([row('bus', MONDAY, 'A', 3), row('ferry', MONDAY, 'A', 3)]);
  const holes = ['bus', 'ferry'].map((part) => ({ part, day: TUESDAY }));
  const { sentences } = placeTotals(privacy(holes), certificate, { name: 'margins-location', table }, LISTS);
  expect(sentences[0]).not.toContain('one of all days');
});
