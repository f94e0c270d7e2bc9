import { expect, test } from 'vitest';
import { isSameSubject, isSubject, lookOf, mixtureIn } from './subjects.ts';

test.each([
  ['Ada@Example.org', 'ada@example.org'],
  ['Zoe\u0308', 'Zo\u00eb'],
  ['\u212bsa', '\u00c5SA'],
  ['Stra\u00dfe', 'STRASSE'],
  ['\u039f\u0394\u039f\u03a3', '\u03bf\u03b4\u03bf\u03c2'],
])('%s and %s are one person', (a, b) => {
  expect(a).not.toBe(b);
  expect(isSameSubject(a, b)).toBe(true);
});

test('other people are others', () => expect(isSameSubject('ada@example.org', 'adam@example.org')).toBe(false));

test.each(['', ' ada', 'ada ', 'a\nb', 'a\u001b[2Jb', 'a\u202eb', 'a\u200bb', '\ud800'])('%j is no name', (text) => {
  expect(isSubject(text)).toBe(false);
});

test('names of any script are names', () => {
  for (const text of ['ada@example.org', 'Zoë Łęcka', '渡辺 謙']) expect(isSubject(text)).toBe(true);
});

test('names that look alike are found, and so is a name that mixes scripts', () => {
  for (const twin of ['\u0430da@example.org', 'ad\u03b1@example.org', 'ADA@EX\u0410MPLE.ORG', '\uff41da@example.org'])
    expect([twin, lookOf(twin)]).toEqual([twin, lookOf('ada@example.org')]);
  expect(lookOf('adam@example.org')).not.toBe(lookOf('ada@example.org'));
  expect(mixtureIn('ev\u0435@example.org')).toBe('mixes Latin and Cyrillic letters: \u0435 is U+0435');
  for (const whole of ['ada@example.org', 'Zoë Łęcka', '渡辺 謙', '\u0415\u0432\u0430'])
    expect(mixtureIn(whole)).toBe('');
});
