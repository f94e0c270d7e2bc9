import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pollDelay } from './late-objects.ts';

const looks = (total: number, delay: (elapsed: number, total: number) => number): number => {
  let count = 0;
  for (let elapsed = 0; elapsed < total && count <= 1000; elapsed += delay(elapsed, total)) count += 1;
  return count;
};

test('a wait of any length up to sixty days takes at most 150 looks and ends at its deadline', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1440 * 3_600_000 }), (total) => {
      expect(looks(total, pollDelay)).toBeLessThanOrEqual(150);
    }),
  );
  expect(looks(1440 * 3_600_000, () => 60_000)).toBeGreaterThan(150); // a twin that looks every minute is caught
  expect(pollDelay(0, 4_000)).toBe(1_000);
  expect(pollDelay(3_999, 4_000)).toBe(1);
});
