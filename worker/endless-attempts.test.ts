import { expect, test } from 'vitest';
import { limitsOf, PRIVATE_LIMITS, PUBLIC_LIMITS, type StageLimits } from '../contracts/stage-limits.ts';
import { refuseEndless } from './endless-attempts.ts';

test.each([...Object.keys(PUBLIC_LIMITS), 'bin', 'shadow'])('%s has its attempts, and no more', (activity) => {
  const { attempts } = limitsOf(activity);
  expect(() => refuseEndless(activity, 1)).not.toThrow();
  expect(() => refuseEndless(activity, attempts)).not.toThrow();
  expect(() => refuseEndless(activity, attempts + 1)).toThrow(expect.objectContaining({ code: 'ENDLESS_ATTEMPTS' }));
});

/** Seconds of all pauses between the attempts: 1, 2, 4, …, up to the longest. */
function pauses({ attempts, pauseSeconds }: StageLimits): number {
  const each = Array.from({ length: attempts - 1 }, (_, index) => Math.min(2 ** index, pauseSeconds));
  return each.reduce((sum, pause) => sum + pause, 0);
}

test('attempts outlast what they are meant to, and end', () => {
  expect(pauses(limitsOf('derive'))).toBeGreaterThan(5 * 60);
  expect(pauses(limitsOf('scheduledWindow'))).toBeGreaterThan(23 * 3600);
  expect(pauses(limitsOf('decide'))).toBeLessThan(60);
  expect(pauses(limitsOf('bin'))).toBeGreaterThan(10);
  for (const limits of [PRIVATE_LIMITS, ...Object.values(PUBLIC_LIMITS)]) {
    expect(limits.attempts).toBeGreaterThan(1);
    expect(limits.minutes).toBeGreaterThan(0);
  }
});
