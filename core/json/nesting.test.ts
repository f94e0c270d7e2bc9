import { expect, test } from 'vitest';
import { nesting } from './nesting.ts';

test.each([
  ['1', 0],
  ['{"a":[1,{"b":2}],"c":{}}', 3],
  ['["[[[","\\"[[","\\\\"]', 1],
  ['[][]', 1],
  ['"[', 0],
])('%s goes %d deep', (text, depth) => expect(nesting(text)).toBe(depth));

test('a text that is nothing but brackets is measured, and not followed', () => {
  expect(nesting('['.repeat(1_000_000))).toBe(1_000_000);
});
