import { expect, test } from 'vitest';
import { usualRanges, type WeekdayTotal } from './usual-range.ts';

const LEVEL = 1 / 200;
const days = (counts: readonly number[], weekday = 1, noise = 10): WeekdayTotal[] =>
  counts.map((count) => ({ weekday, count, noise }));
const STEADY = [1000, 1010, 990, 1020, 980, 1000];
const rangeOf = (history: readonly WeekdayTotal[], noise = 10) => usualRanges(history, LEVEL)(1, noise);

test('the centre is the median of the newest twelve days of the weekday, of four or more', () => {
  expect(rangeOf(days(STEADY))).toMatchObject({ centre: 1000, days: 6 });
  expect(rangeOf(days([1000, 1100, 1200, 1300]))).toMatchObject({ centre: 1150, days: 4 });
  expect(rangeOf(days([...Array.from({ length: 12 }, () => 500), ...STEADY]))).toMatchObject({ centre: 500, days: 12 });
  expect(rangeOf(days(STEADY.slice(0, 3)))).toBeNull();
  expect(usualRanges(days(STEADY), LEVEL)(2, 10)).toBeNull();
});

test('other weekdays narrow the range, and more noise widens it', () => {
  const width = (history: readonly WeekdayTotal[], noise?: number): number => {
    const { low, high } = rangeOf(history, noise)!;
    return high - low;
  };
  const alone = width(days(STEADY.slice(0, 4)));
  const others = [0, 2, 3, 4].flatMap((weekday) => days([500, 505, 495, 510], weekday));
  expect(width([...days(STEADY.slice(0, 4)), ...others])).toBeLessThan(alone / 2);
  expect(width(days(STEADY), 200)).toBeGreaterThan(2 * width(days(STEADY)));
});

test('one lost day of the history hardly moves the range; the loss that is seen follows from it', () => {
  const week = [0, 1, 2, 3, 4].flatMap((weekday) => days(STEADY, weekday));
  const lost = week.map((one, at) => (at === 8 ? { ...one, count: 0 } : one));
  const [range, moved] = [rangeOf(week)!, rangeOf(lost)!];
  expect(Math.abs(moved.low - range.low)).toBeLessThan(30);
  expect(range.low).toBeGreaterThan(1000 - range.seenChange);
  expect(range.seenChange).toBeLessThan(200);
  expect(rangeOf(days(STEADY.map((count) => count / 100)))!.seenChange).toBeGreaterThan(10);
});

test('the critical value is that of the bound on a law of Student', () => {
  // Four days of one weekday leave (4 − 1)/4 degrees; the spread is at least half a unit of noise and 5 %.
  const { centre, high } = rangeOf(days([1000, 1000, 1000, 1000]))!;
  const critical = Math.sqrt(0.75 * ((2 * LEVEL) ** (-2 / 0.75) - 1));
  expect(high - centre).toBeCloseTo(critical * 0.5 * Math.hypot(10, 50) * Math.sqrt(1 + Math.PI / 8), 6);
});

test('an unusual day counts as published and for nothing else; two usual ones are needed, and fewer widen the range', () => {
  const unusual = { weekday: 1, count: 0, noise: 10, isUnusual: true };
  const others = days(STEADY, 2);
  const [whole, with3, with2] = [4, 3, 2].map((usual) =>
    rangeOf([...days(STEADY.slice(0, usual)), ...Array(4 - usual).fill(unusual), ...others]),
  );
  expect([whole!.days, with3!.days, with2!.days]).toEqual([4, 3, 2]);
  expect(with3!.centre).toBe(1000);
  expect(with2!.high - with2!.low).toBeGreaterThan(whole!.high - whole!.low);
  expect(rangeOf([...days(STEADY.slice(0, 1)), unusual, unusual, unusual, ...others])).toBeNull();
  expect(rangeOf([...days(STEADY.slice(0, 3)), ...others])).toBeNull();
});
