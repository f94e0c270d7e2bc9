import { expect, test } from 'vitest';
import { smallestBetween, smallestFrom } from './smallest-integer.ts';

test.each([0, 1, 2, 3, 7, 8, 1000])('the smallest integer is found wherever it is: %i beyond the first', (beyond) => {
  expect(smallestFrom(5, (n) => n >= 5 + beyond)).toBe(5 + beyond);
  expect(smallestBetween(-1, 1001, (n) => n >= beyond)).toBe(beyond);
});

test('neither end of a span is asked', () => {
  expect(smallestBetween(3, 4, () => expect.unreachable())).toBe(4);
});

test('none is found beyond the safe integers', () => {
  expect(smallestFrom(0, () => false)).toBeNull();
});
