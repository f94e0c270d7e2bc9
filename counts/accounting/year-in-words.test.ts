import { describe, expect, test } from 'vitest';
import { compare, parseRational } from '../../core/rational/rational.ts';
import { certify } from '../certificate/certify.ts';
import { TRIP_REQUEST } from '../certificate/trip-request.fixture.ts';
import { accountOf } from './account.ts';
import { yearInWords } from './year-in-words.ts';

const card = (unit: 'card-day' | 'card-window') => certify({ ...TRIP_REQUEST, unit, maxTaps: 4, epsilon: '1' });

/** Figures that belong to many releases, not to one trip. */
const namesYear = (text: string) => /\byear|\b52\b|\b416\b|releases/i.test(text);

describe('a year in words @contract C14', () => {
  test.each(['trip', 'tap'] as const)('for a %s no yearly figure is named, but what m of them cost', (unit) => {
    const text = yearInWords(certify({ ...TRIP_REQUEST, unit }), 52).join(' ');
    expect(text).toContain(`protects one ${unit}; m ${unit}s of one person: m·ε`);
    expect(text).toContain(`With 2 ${unit}s that is 16`);
    expect(namesYear(text)).toBe(false);
    expect(yearInWords(certify({ ...TRIP_REQUEST, unit }), 10).join(' ')).toBe(text);
  });

  test('with δ = 0 nothing is said of a δ of several trips', () => {
    const text = yearInWords(certify({ ...TRIP_REQUEST, mechanism: 'complete-domain', delta: '0' }), 52).join(' ');
    expect(text).not.toContain('δ grows');
  });

  test('for a card per window all three figures are named', () => {
    const certificate = card('card-window');
    const text = yearInWords(certificate, 52).join(' ');
    expect(text).toContain('up to 4 taps of one card in one release');
    expect(text).toContain('all 52 releases');
    expect(text).toContain('ε at most 52 and δ at most 0.000052');
    const named = [...text.matchAll(/ε at most ([0-9.]+) at δ/g)].map((match) => parseRational(match[1]!));
    const { optimal, numeric } = accountOf(certificate, 52);
    expect(named).toHaveLength(2);
    // Rounded up, by less than a thousandth.
    for (const [i, { epsilon }] of [optimal, numeric].entries()) {
      expect(compare(named[i]!, epsilon)).toBeGreaterThanOrEqual(0);
      expect(
        compare(named[i]!, parseRational(`${Number((epsilon.numerator * 1001n) / epsilon.denominator + 1n)}/1000`)),
      ).toBeLessThan(0);
    }
  });

  test('for a card per day every day of use counts', () => {
    const text = yearInWords(card('card-day'), 52).join(' ');
    expect(text).toContain('one day of each of 52 releases');
    expect(text).toContain('365 days are 365');
  });

  test('one release is one release', () => {
    expect(yearInWords(card('card-window'), 1).join(' ')).toContain('used in the one release');
  });

  test('broken twin: the words for cards would be caught on a page for trips', () => {
    expect(namesYear(yearInWords(card('card-window'), 52).join(' '))).toBe(true);
  });
});
