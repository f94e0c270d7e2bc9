import { expect, test } from 'vitest';
import { bonferroni } from './bonferroni.ts';

test('takes the smallest p-value times their number, at most 1', () => {
  expect(bonferroni([])).toBe(1);
  expect(bonferroni([0.25])).toBe(0.25);
  expect(bonferroni([0.5, 0.125, 1])).toBe(0.375);
  expect(bonferroni([0.75, 0.75])).toBe(1);
  expect(bonferroni([0, 1])).toBe(0);
});
