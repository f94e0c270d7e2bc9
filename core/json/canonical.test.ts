import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

test('canonical JSON reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('the order in which keys were added does not show', () => {
  expect(canonicalJson({ b: 1, a: [{ d: null, c: 'x' }] })).toBe(canonicalJson({ a: [{ c: 'x', d: null }], b: 1 }));
  expect(canonicalJson({ b: 1, a: undefined })).toBe('{"b":1}');
});

test('what JSON cannot hold is refused', () => {
  expect(() => canonicalJson({ a: 1n })).toThrow(TypeError);
  expect(() => canonicalJson([Number.NaN])).toThrow(TypeError);
});
