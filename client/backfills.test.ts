import { expect, test } from 'vitest';
import { windowsBetween } from './backfills.ts';

const weekly = (days: number) => ({ window: { days, firstWeekday: 'monday' as const, lagDays: 0 } });

test('the windows that lie between two days, whole ones only', () => {
  expect(windowsBetween(weekly(7), '2026-03-02', '2026-03-22')).toEqual(['2026-03-02', '2026-03-09', '2026-03-16']);
  expect(windowsBetween(weekly(7), '2026-03-03', '2026-03-21')).toEqual(['2026-03-09']);
  expect(windowsBetween(weekly(3), '2026-03-01', '2026-03-11')).toEqual(['2026-03-02', '2026-03-09']);
  expect(windowsBetween(weekly(10), '2026-03-02', '2026-03-31')).toEqual(['2026-03-02', '2026-03-16']);
  expect(windowsBetween(weekly(7), '2026-03-02', '2026-03-03')).toEqual([]);
});

test.each([
  ['2026-03-02', '2026-02-02'],
  ['2026-02-30', '2026-03-02'],
  ['soon', '2026-03-02'],
])('%s to %s is no span', (from, to) => {
  expect(() => windowsBetween(weekly(7), from, to)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
