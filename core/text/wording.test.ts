import fc from 'fast-check';
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

test('what is not certain is never 100 %, and what can happen is never 0', () => {
  expect([percent(0.9996), percent(0.999), percent(1)]).toEqual(['over 99.9 %', '99.9 %', '100 %']);
  expect([percent(1e-5), percent(1e-4), percent(0)]).toEqual(['under 0.01 %', '0.01 %', '0 %']);
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, max: 1 - Number.EPSILON, noNaN: true }), (chance) => {
      for (const words of [percent(chance), chanceInWords(chance)]) expect(words).not.toMatch(/^(100|0) %|e-|^never/);
      const value = /^(\D*)([\d.]+) %$/.exec(percent(chance))!;
      // Either a bound that holds, or a value that is right to three digits.
      if (value[1] === 'over ') expect(chance).toBeGreaterThan(Number(value[2]) / 100);
      else if (value[1] === 'under ') expect(chance).toBeLessThan(Number(value[2]) / 100);
      else expect(Math.abs(100 * chance - Number(value[2]))).toBeLessThanOrEqual(0.0051 * 100 * chance);
    }),
  );
});
