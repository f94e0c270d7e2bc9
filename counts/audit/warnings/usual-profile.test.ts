import { expect, test } from 'vitest';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { townProfiles } from '../../../test/power/honest-town.fixture.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { ALL } from '../../derive/count-row.ts';
import { tableOf } from '../../derive/count-table.ts';
import { checkUsualProfile, type DayProfile, findShifts, profilesOf } from './usual-profile.ts';

const WEEKS = 8;
const late = (part: string, weekday: number, hours: number, seed = 1) =>
  townProfiles(seededSource(seed), WEEKS + 1, (one, day) => (one === part && day === weekday ? hours : 0));
const named = ({ now, before, unusual }: ReturnType<typeof late>) =>
  findShifts(now, before, unusual).filter(({ later }) => later !== 0);

test.each([2, -2, 12, 5])(
  'a clock that is wrong by %s hours is named with its direction, and no other day is',
  (hours) => {
    const found = named(late('bus', 2, hours));
    expect(found.map(({ partition, later }) => [partition.slice(0, 4), later])).toEqual([['bus/', hours]]);
  },
);

test('an honest week is not named, and says what would have been seen; a ferry of hardly more than noise is blind', () => {
  const { now, before, unusual } = late('bus', 2, 0);
  const days = findShifts(now, before, unusual);
  expect(days.filter(({ later }) => later !== 0)).toEqual([]);
  expect(
    Math.max(...days.flatMap(({ partition, seen }) => (partition.startsWith('train') ? [seen!] : []))),
  ).toBeLessThan(6);
  expect(days.some(({ partition, seen }) => partition.startsWith('ferry') && seen === null)).toBe(true);
});

test('one evening with a third of the taps, or a morning without any, is no wrong clock', () => {
  const week = late('bus', 2, 0);
  const wednesday = week.now.find(({ part, day }) => part === 'bus' && new Date(day).getUTCDay() === 3)!;
  const changed = (hours: (taps: number, hour: number) => number) =>
    named({ ...week, now: week.now.map((one) => (one === wednesday ? { ...one, hours: one.hours.map(hours) } : one)) });
  expect(changed((taps, hour) => (hour === 21 ? taps + 20_000 : taps))).toEqual([]);
  expect(changed((taps, hour) => (hour >= 7 && hour < 10 ? 0 : taps))).toEqual([]);
});

test('where noise hides every clock that could be wrong nothing was tried, and the check says so', () => {
  const certificate = { mechanism: 'complete-domain', marginScales: { time: '1000' } } as const;
  const marginsOf = (day: string) =>
    tableOf(
      Array.from({ length: 20 }, (_, hour) => ({
        mode: 'ferry',
        day,
        tap: 'on' as const,
        location: ALL,
        count: 5,
        time: `${String(hour + 4).padStart(2, '0')}:00`,
      })),
    );
  const past = [7, 14, 21, 28, 35].map((days) => ({ margins: marginsOf(addDays('2026-03-02', -days)), certificate }));
  const subject = { tables: { margins: marginsOf('2026-03-02') }, certificate, knowledge: { past, history: null } };
  const { verdict, sentence } = checkUsualProfile(subject as never);
  expect([verdict, sentence]).toEqual(['not-tried', expect.stringContaining('would be seen of ferry/2026-03-02')]);
});

test('below four earlier weekdays nothing is judged, and declared days are left out', () => {
  const { now, before, unusual } = late('bus', 2, 3);
  expect(findShifts(now, before.slice(0, 3 * now.length), unusual)).toEqual([]);
  const wednesday = named({ now, before, unusual })[0]!.partition.slice(4);
  expect(named({ now, before, unusual: [...unusual, { from: wednesday, to: wednesday, reason: 'strike' }] })).toEqual(
    [],
  );
});

test('profiles are hours of the clock, past midnight too, of the rows of times alone', () => {
  const row = (time: string, location: string, count: number) => ({
    mode: 'bus',
    day: '2026-03-02',
    tap: 'on' as const,
    time,
    location,
    count,
  });
  const rows = [row('04:00', ALL, 5), row('04:30', ALL, 6), row('25:00', ALL, 7), row(ALL, 'Quay', 18)];
  const certificate = { mechanism: 'complete-domain', marginScales: { time: '10', location: '8' } } as const;
  const [profile] = profilesOf({ margins: tableOf(rows), certificate }) as [DayProfile];
  expect([profile.hours[4], profile.hours[1], profile.hours.reduce((a, b) => a + b, 0)]).toEqual([11, 7, 18]);
  expect(profile.noise).toBeCloseTo(Math.sqrt(2 * 2 * 10 ** 2), 0);
  expect(
    profilesOf({ margins: tableOf(rows), certificate: { ...certificate, marginScales: { location: '8' } } }),
  ).toEqual([]);
});

test('each partition of a table has a profile of its own mode and day', () => {
  const row = (mode: string, day: string, count: number) => ({
    mode,
    day,
    tap: 'on' as const,
    time: '04:00',
    location: ALL,
    count,
  });
  const rows = [row('bus', '2026-03-02', 1), row('bus', '2026-03-03', 2), row('train', '2026-03-02', 3)];
  const certificate = { mechanism: 'complete-domain', marginScales: { time: '10' } } as const;
  const found = profilesOf({ margins: tableOf(rows), certificate });
  expect(found.map(({ part, day, hours }) => [part, day, hours[4]])).toEqual([
    ['bus', '2026-03-02', 1],
    ['bus', '2026-03-03', 2],
    ['train', '2026-03-02', 3],
  ]);
});
