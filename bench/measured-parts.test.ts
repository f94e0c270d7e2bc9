import { expect, test } from 'vitest';
import { withReached, withSection } from './measured-parts.ts';

const PAGE = 'Head\n<!-- one -->\nold\n<!-- /one -->\n<!-- two -->\nkept\n<!-- /two -->\n';

test('the named part of a page is replaced, and nothing else', () => {
  const page = withSection(PAGE, 'one', 'new\n');
  expect(page).toBe(PAGE.replace('old', 'new'));
  expect(withSection(page, 'one', 'new')).toBe(page);
});

test('what was reached stands in the last field of its row', () => {
  const table = '| what | aim | reached |\n|---|--:|--:|\n| a | 1.5 | ? |\n| b | 2 | 3 |\n';
  expect(withReached(table, { a: '1.7 (1.9)' })).toBe(table.replace('?', '1.7 (1.9)'));
  expect(() => withReached(table, { c: '1' })).toThrow(TypeError);
});

test('a page without the part is refused', () => {
  expect(() => withSection(PAGE, 'three', 'new')).toThrow(TypeError);
});
