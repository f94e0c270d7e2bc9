import { expect, test } from 'vitest';
import { isRepeated, limitsOf, mostAttempts } from './stage-limits.ts';

test('a store that is away for less than half an hour needs nobody, however often the stage has failed', () => {
  expect(isRepeated('bin', 'STORE_UNAVAILABLE', 40, 29)).toBe(true);
  expect(isRepeated('derive', 'OUT_OF_SCRATCH', 20, 29)).toBe(true);
  expect(isRepeated('bin', 'STORE_UNAVAILABLE', 40, 30)).toBe(false);
  expect(isRepeated('bin', 'STORE_UNAVAILABLE', 1, 200)).toBe(true);
});

test('other codes have their attempts, and what only people mend has one', () => {
  expect([4, 5].map((attempt) => isRepeated('bin', 'PROCESS_ENDED', attempt, 0))).toEqual([true, false]);
  expect(isRepeated('bin', 'OBJECT_MISSING', 1, 0)).toBe(false);
});

test('a person who waits for an answer is told after five attempts', () => {
  expect(isRepeated('decide', 'STORE_UNAVAILABLE', 5, 0)).toBe(false);
  expect(mostAttempts(limitsOf('decide'))).toBe(5);
});

test('Temporal makes as many attempts as patience needs at the longest pause', () => {
  const { attempts, pauseSeconds, patienceMinutes } = limitsOf('bin');
  expect((mostAttempts(limitsOf('bin')) - attempts) * pauseSeconds).toBeGreaterThanOrEqual(patienceMinutes * 60);
});
