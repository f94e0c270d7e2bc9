import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64 } from './base64.ts';

test('reads what Node wrote', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(fromBase64(Buffer.from(bytes).toString('base64'))).toEqual(bytes);
    }),
  );
});

test('takes a text only when it is the one for its bytes; Node takes them all', () => {
  const texts = fc.string({
    unit: fc.constantFrom('A', 'B', '/', '+', '=', '-', '_', '\n', 'é', '€', ' '),
    maxLength: 9,
  });
  fc.assert(
    fc.property(texts, (text) => {
      const canonical = Buffer.from(text, 'base64').toString('base64') === text;
      expect(fromBase64(text) !== null).toBe(canonical);
    }),
    { numRuns: 2000 },
  );
  expect(Buffer.from('AB==', 'base64')).toHaveLength(1);
  expect(fromBase64('AB==')).toBeNull();
});
