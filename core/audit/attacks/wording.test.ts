import { expect, test } from 'vitest';
import { chanceInWords, percent, short } from './wording.ts';

test('chances are said so that people understand them', () => {
  expect(chanceInWords(0)).toBe('never');
  expect(chanceInWords(3.026e-8)).toBe('1 in 33,000,000');
  expect(chanceInWords(0.001812)).toBe('1 in 550');
  expect(chanceInWords(0.3854918)).toBe('38.5 %');
  expect(chanceInWords(1e-30)).toBe('practically never');
  expect([percent(0.95), short(1.0400981), short(1234.5)]).toEqual(['95 %', '1.04', '1230']);
});
