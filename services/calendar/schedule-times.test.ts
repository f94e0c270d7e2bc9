import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Series, WEEKDAYS } from '../../contracts/series.ts';
import { addDays, dayNumber } from '../../core/calendar/civil-day.ts';
import { findSkip, listOverdue, listStarts, type ScheduledSeries, windowAt } from './schedule-times.ts';

const series = (change: Partial<ScheduledSeries> = {}): ScheduledSeries => ({
  series: 'weekly',
  timeZone: 'Australia/Sydney',
  day: { starts: '00:00', ends: '24:00' },
  window: { days: 7, firstWeekday: 'monday', lagDays: 2 },
  schedule: { weekday: 'wednesday', time: '06:00' },
  ...change,
});

const TEN_YEARS = ['2026-01-01T00:00:00Z', '2036-01-01T00:00:00Z'] as const;

/** Scheduled times by another way: Node's own Intl, asked for every quarter of an hour. */
function timesByIntl({ timeZone, schedule }: ScheduledSeries, after: string, until: string): string[] {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const times: string[] = [];
  for (let moment = Date.parse(after) + 900_000; moment <= Date.parse(until); moment += 900_000) {
    const [weekday, clock] = format.format(moment).toLowerCase().split(/[ ,]+/);
    if (weekday === schedule?.weekday && clock === schedule?.time)
      times.push(new Date(moment).toISOString().replace('.000', ''));
  }
  // Of a time that the clock shows twice the later.
  const next = (index: number): number => Date.parse(times[index + 1] ?? until);
  return times.filter((time, index) => next(index) - Date.parse(time) > 3_600_000);
}

describe('ten years of weekly starts', () => {
  test.each(['Australia/Sydney', 'Europe/London'])('in %s give one release for each window', (timeZone) => {
    for (const [weekday, time] of [
      ['wednesday', '06:00'],
      ['sunday', '00:15'],
      ['sunday', '23:45'],
      ['monday', '03:00'],
    ] as const) {
      for (const lagDays of [0, 2, 9]) {
        const one = series({ timeZone, schedule: { weekday, time }, window: { ...series().window, lagDays } });
        const times = listStarts(one, ...TEN_YEARS);
        const windows = times.map((moment) => windowAt(one, moment));
        expect(times.length).toBeGreaterThanOrEqual(521);
        expect(windows).toEqual(windows.map((_, week) => addDays(windows[0]!, 7 * week)));
      }
    }
  });

  test('a schedule in UTC would not: across a change of the clock it misses the local time', () => {
    const times = listStarts(series({ timeZone: 'UTC' }), ...TEN_YEARS);
    expect(times).not.toEqual(listStarts(series(), ...TEN_YEARS));
  });

  test('a time that the clock shows twice has one start, the later; one that it jumps over has none', () => {
    const night = series({ schedule: { weekday: 'sunday', time: '02:30' } });
    const back = listStarts(night, '2026-04-04T00:00:00Z', '2026-04-06T00:00:00Z');
    expect(back).toEqual(['2026-04-04T16:30:00Z']);
    expect(back.map((moment) => windowAt(night, moment))).toEqual(['2026-03-23']);
    expect(listStarts(night, '2026-10-03T00:00:00Z', '2026-10-05T00:00:00Z')).toEqual([]);
    expect(findSkip(night, '2026-01-01T00:00:00Z', 10)).toBe('2026-10-04');
    expect(findSkip(series(), '2026-01-01T00:00:00Z', 10)).toBeNull();
  });
});

test('the times are those that Intl shows', () => {
  for (const timeZone of ['Australia/Sydney', 'Europe/London']) {
    for (const time of ['01:30', '02:30', '09:15']) {
      const one = series({ timeZone, schedule: { weekday: 'sunday', time } });
      const year = ['2026-02-28T20:00:00Z', '2026-11-15T00:00:00Z'] as const;
      expect(listStarts(one, ...year), `${timeZone} ${time}`).toEqual(timesByIntl(one, ...year));
    }
  }
});

test('the window is complete at the scheduled time, and the next one is not', () => {
  const zones = ['Australia/Sydney', 'Europe/London', 'Pacific/Apia', 'America/New_York'];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 20 }),
      fc.constantFrom(...WEEKDAYS),
      fc.constantFrom('23:00', '24:00', '28:30'),
      fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true }),
      (timeZone, days, lagDays, firstWeekday, ends, moment) => {
        const one = series({ timeZone, window: { days, firstWeekday, lagDays }, day: { starts: '00:00', ends } });
        const window = windowAt(one, moment.toISOString());
        const [day, clock] = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
          .format(moment)
          .split(' ') as [string, string];
        const over = (first: string) => {
          const after = dayNumber(day) - dayNumber(addDays(first, days - 1 + lagDays));
          return ends === '28:30' ? after > 1 || (after === 1 && clock >= '04:30') : after >= 1;
        };
        const weekday = new Date(`${window}T00:00:00Z`).getUTCDay();
        expect(WEEKDAYS[(weekday + 6) % 7]).toBe(firstWeekday);
        expect([over(window), over(addDays(window, 7))]).toEqual([true, false]);
      },
    ),
  );
});

test('a series without a schedule says what to add', () => {
  expect(() => listStarts(series({ schedule: undefined }), ...TEN_YEARS)).toThrow(/schedule:/);
});

describe('windows of months', () => {
  const monthly = series({ window: { months: 1, lagDays: 2 } });

  test.each([
    ['2026-04-01T00:00:00Z', '2026-02-01'],
    ['2026-04-02T00:00:00Z', '2026-02-01'],
    ['2026-04-03T00:00:00Z', '2026-03-01'],
    ['2026-04-30T00:00:00Z', '2026-03-01'],
  ])('at %s the newest complete one, lag days included, is that of %s', (moment, window) => {
    expect(windowAt(monthly, moment)).toBe(window);
  });

  test('are due once, at the first weekly start after their end', () => {
    const [from, to] = [new Date('2026-04-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];
    const missing = (ran: string[]) => listOverdue(monthly as Series, from, to, new Set(ran));
    expect(missing(['2026-02-01']).map(({ window, scheduledAt }) => [window, scheduledAt.slice(0, 10)])).toEqual([
      ['2026-03-01', '2026-04-07'],
      ['2026-04-01', '2026-05-05'],
    ]);
    expect(missing(['2026-02-01', '2026-03-01', '2026-04-01'])).toEqual([]);
  });
});
