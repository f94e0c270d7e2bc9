import { describe, expect, it } from 'vitest';
import { windowsFrom } from '../ledger/plan-releases.ts';
import { addDays, dayNumber } from './civil-day.ts';
import {
  lastDay,
  mostDays,
  windowBegun,
  windowDays,
  windowFrom,
  windowPartitions,
  windowsOfYear,
  windowWords,
} from './window.ts';

const weekly = { window: { days: 7, firstWeekday: 'monday', lagDays: 0 } } as const;

describe('windows', () => {
  it('list their days, over the end of a month', () => {
    expect(windowDays(weekly, '2026-03-30')).toEqual([
      '2026-03-30',
      '2026-03-31',
      '2026-04-01',
      '2026-04-02',
      '2026-04-03',
      '2026-04-04',
      '2026-04-05',
    ]);
    expect(lastDay(weekly, '2026-03-30')).toBe('2026-04-05');
  });

  it('start on the weekday of the series, or name the nearest ones', () => {
    expect(() => windowDays(weekly, '2026-03-31')).toThrow(/tuesday.*monday; take 2026-03-30 or 2026-04-06/);
    expect(() => windowDays(weekly, '2026-03-29')).toThrow(/sunday.*take 2026-03-23 or 2026-03-30/);
  });

  it('refuse what is no day', () => {
    expect(() => windowDays(weekly, '2026-02-30')).toThrow(/no day of the calendar/);
    expect(() => windowDays(weekly, 'monday')).toThrow(expect.objectContaining({ code: 'WINDOW_INVALID' }));
  });
});

describe('windows of months', () => {
  const of = (months: 1 | 3 | 6 | 12) => ({ window: { months, lagDays: 0 } });

  it('have the days of the calendar', () => {
    expect(windowDays(of(1), '2028-02-01')).toHaveLength(29);
    expect(lastDay(of(3), '2026-10-01')).toBe('2026-12-31');
    expect(windowsFrom(of(1), '2026-11-01', 3)).toEqual(['2026-11-01', '2026-12-01', '2027-01-01']);
    expect(windowsFrom(of(6), '2026-07-01', 2)).toEqual(['2026-07-01', '2027-01-01']);
  });

  it('start on the first of a month of their own, or name the nearest ones', () => {
    expect(() => windowDays(of(1), '2026-03-02')).toThrow(/a month.*take 2026-03-01 or 2026-04-01/);
    expect(() => windowDays(of(3), '2026-02-01')).toThrow(/3 months.*take 2026-01-01 or 2026-04-01/);
    expect([windowBegun(of(3), '2026-06-30'), windowFrom(of(3), '2026-06-30')]).toEqual(['2026-04-01', '2026-07-01']);
    expect(windowFrom(of(1), '2026-06-01')).toBe('2026-06-01');
    expect(windowWords(of(1))).toBe('a month from its first day on');
  });

  it('a series that says neither is refused', () => {
    const neither = { window: { lagDays: 0 } };
    expect(() => windowDays(neither, '2026-03-02')).toThrow(expect.objectContaining({ code: 'SERIES_INVALID' }));
  });
});

describe('a year of windows', () => {
  const days = [1, 3, 7, 8, 14, 30, 200, 366].map((count) => ({ window: { ...weekly.window, days: count } }));
  const months = ([1, 3, 6, 12] as const).map((count) => ({ window: { months: count, lagDays: 0 } }));

  it.each([...days, ...months])('touches 365 days so often and never more: $window', (series) => {
    const first = windowFrom(series, '2024-01-01');
    const windows = windowsFrom(series, first, 200).map((window) => [window, lastDay(series, window)] as const);
    let most = 0;
    for (let day = 0; day < 1000; day += 1) {
      const [from, to] = [addDays(first, 400 + day), addDays(first, 400 + day + 364)];
      most = Math.max(most, windows.filter(([start, end]) => start <= to && end >= from).length);
    }
    expect(windowsOfYear(series)).toBe(most);
    const lengths = windows.map(([start, end]) => dayNumber(end) - dayNumber(start) + 1);
    expect(mostDays(series)).toBe(Math.max(...lengths));
  });
});

it('a release has at most 6,000 partitions, and is refused before anything is charged', () => {
  const parts = Array.from({ length: 857 }, (_, part) => `line-${part}`);
  expect(windowPartitions(weekly, parts, '2026-03-30')).toHaveLength(5999);
  expect(() => windowPartitions(weekly, [...parts, 'one-more'], '2026-03-30')).toThrow(
    expect.objectContaining({ code: 'SERIES_INVALID' }),
  );
});
