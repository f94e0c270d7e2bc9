import { describe, expect, test } from 'vitest';
import { compare, parseRational, toNumber } from '../../core/rational/rational.ts';
import { type CertificateRequest, certify } from '../certificate/certify.ts';
import { TRIP_REQUEST } from '../certificate/trip-request.fixture.ts';
import { accountOf } from './account.ts';
import { yearInWords } from './year-in-words.ts';

const card = (unit: 'card-day' | 'card-window') => certify({ ...TRIP_REQUEST, unit, maxTaps: 4, epsilon: '1' });

/** The example of docs/people.md. */
const PEOPLE: CertificateRequest = {
  mechanism: 'discrete-gaussian',
  unit: 'card-window',
  neighbours: 'add-remove',
  publish: 'on+off',
  maxTaps: 28,
  place: 2,
  clamp: 28,
  epsilon: '1',
  delta: '1/1000000',
  split: { cells: '19/25', time: '2/25', location: '3/25', bounded: '1/25' },
};

/** δ(ε) between a card with its one tap in one cell and the same in another, by adding up both noises. */
function between(variance: number): (epsilon: number) => number {
  const reach = Math.ceil(10 * Math.sqrt(variance));
  const noise = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * variance)));
  const whole = noise.reduce((sum, weight) => sum + weight, 0);
  const law = (x: number): number => (noise[x + reach] ?? 0) / whole;
  return (epsilon) => {
    let delta = 0;
    for (let a = -reach; a <= reach; a++)
      for (let b = -reach; b <= reach; b++)
        delta += Math.max(0, law(a - 1) * law(b) - Math.exp(epsilon) * law(a) * law(b - 1));
    return delta;
  };
}

const numberOf = (text: string): number => toNumber(parseRational(text));

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

  test('two ways of using a card are two steps apart where neighbours are with it and without it', () => {
    const odds = (neighbours: 'add-remove' | 'replace-one') =>
      yearInWords(certify({ ...TRIP_REQUEST, unit: 'card-window', maxTaps: 4, epsilon: '1', neighbours }), 1).join(' ');
    expect(odds('add-remove')).toMatch(
      /was used in some way, against that it was not used at all, change .* at most e\^1,/,
    );
    expect(odds('add-remove')).toMatch(/between two ways of using it, .* up to e\^2, .* \(1 \+ e\^1\)·δ/);
    expect(odds('replace-one')).toMatch(/the odds between two ways of using this card change .* at most e\^1,/);
  });

  test('for people the odds between two ways of using a card are those of a card that is replaced', () => {
    const certificate = certify(PEOPLE);
    const text = yearInWords(certificate, 53).join(' ');
    expect(text).toContain('up to 28 taps of one card in one release, and up to 28 of those that this leaves out,');
    expect(text).toContain('change by a factor of at most e^1 (2.8 times) by one release');
    expect(text).toContain('of at most e^9.789 (18,000 times) by all of them in a year');
    // The same noise, with twice as many counts that move: by one release (exact, in hundredths), and by ρ.
    expect(text).toContain('e^1.46 (4.4 times) by one release');
    expect(text).toContain('e^14.86 (2,900,000 times) by all of them in a year');
    // Enumeration: one card in one of two cells.
    const one = certify({ ...PEOPLE, maxTaps: 1, place: 1, split: { cells: '1' }, clamp: undefined });
    const ways = between(numberOf(one.scale));
    expect(ways(numberOf(one.epsilon))).toBeGreaterThan(2 * numberOf(one.delta));
    const named = Number(
      yearInWords(one, 1)
        .join(' ')
        .match(/twice as much: by a factor of at most e\^([\d.]+)/)![1],
    );
    expect(ways(named)).toBeLessThanOrEqual(numberOf(one.delta));
    expect(ways(named - 0.02)).toBeGreaterThan(numberOf(one.delta));
  });

  test('broken twin: the words for cards would be caught on a page for trips', () => {
    expect(namesYear(yearInWords(card('card-window'), 52).join(' '))).toBe(true);
  });
});
