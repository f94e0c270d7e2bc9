import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPlainLine, plainLine, plainText } from './plain-text.ts';

const CODES = [0, 7, 8, 9, 0x0d, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x200b, 0x2028, 0x202e, 0x2066, 0xfeff, 0xd800, 0xe0041];

test('no character that a terminal obeys, or that turns the others around, is printed', () => {
  for (const code of CODES) {
    const written = `a\\u{${code.toString(16)}}b`;
    expect(plainLine(`a${String.fromCodePoint(code)}b`)).toBe(written);
    expect(plainText(`a${String.fromCodePoint(code)}b`)).toBe(written);
    expect(isPlainLine(String.fromCodePoint(code))).toBe(false);
  }
});

test('a name cannot begin a line of its own, and lines of a text end as they did', () => {
  expect(plainLine('a\n✓ trust: good')).toBe('a\\u{a}✓ trust: good');
  expect(plainText('a\nb\n')).toBe('a\nb\n');
});

test('plain text stays as it is', () => {
  for (const text of ['Zoë Łęcka <zoe@example.org>', '渡辺', '● drawn – 50 %', '🚋'])
    expect(plainLine(text)).toBe(text);
});

test('property: what was escaped is plain', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => isPlainLine(plainLine(text)) && isPlainLine(plainText(text).replaceAll('\n', '')),
    ),
  );
});
