import { expect, test } from 'vitest';
import { isSameSubject, isSubject } from './subjects.ts';

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
