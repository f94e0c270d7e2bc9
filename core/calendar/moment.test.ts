import { expect, test } from 'vitest';
import { isMoment, momentAt, momentSeconds } from './moment.ts';

test('minutes of a traffic day past 24:00 are moments of the day after', () => {
  expect(momentAt('2026-03-02', 0)).toBe('2026-03-02T00:00:00');
  expect(momentAt('2026-03-02', 23 * 60 + 45)).toBe('2026-03-02T23:45:00');
  expect(momentAt('2026-03-02', 24 * 60)).toBe('2026-03-03T00:00:00');
  expect(momentAt('2026-12-31', 28 * 60 + 30)).toBe('2027-01-01T04:30:00');
});

test('a moment is as many seconds from 1970 as the clock says, whatever its zone', () => {
  for (const text of ['1970-01-01T00:00:00', '1969-12-31T23:59:00', '2026-03-02T04:15:00'])
    expect(momentSeconds(text)).toBe(Date.parse(`${text}Z`) / 1000);
  expect(() => momentSeconds('2026-03-02 04:15:00')).toThrow(RangeError);
});

test('a text in another form, or of no day or time, is no moment', () => {
  expect(isMoment('2026-02-28T00:00:00')).toBe(true);
  for (const text of ['2026-02-29T00:00:00', '2026-03-02T24:00:00', '2026-03-02T04:15', '2026-03-02T04:15:00Z', ''])
    expect([text, isMoment(text)]).toEqual([text, false]);
});
