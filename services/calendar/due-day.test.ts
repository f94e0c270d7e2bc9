import { expect, test } from 'vitest';
import { testSeries } from '../../test/support/test-release.ts';
import { dueDayAfter } from './due-day.ts';

const weekly = testSeries({
  window: { days: 7, firstWeekday: 'monday', lagDays: 1 },
  schedule: { weekday: 'tuesday', time: '06:00' },
});

test('without a schedule nothing is expected', () => {
  expect(dueDayAfter(testSeries(), '2026-03-02')).toBeNull();
});

test('the next window is expected when its gate would have expired', () => {
  // The window of the 9th ends on the 15th, is complete on the 17th, a Tuesday, and its gate is open for 21 days.
  expect(dueDayAfter(weekly, '2026-03-02')).toBe('2026-04-08');
});

test('an embargo that is longer than the gate counts', () => {
  const publication = { ...weekly.publication, at: { daysAfterWindow: 60, time: '09:00' } };
  expect(dueDayAfter({ ...weekly, publication }, '2026-03-02')).toBe('2026-05-15');
});
