import { describe, expect, it } from 'vitest';
import { lastDay, windowDays } from './window.ts';

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
