import { expect, test } from 'vitest';
import { withSection } from './page-section.ts';

const PAGE = 'Head\n<!-- one -->\nold\n<!-- /one -->\n<!-- two -->\nkept\n<!-- /two -->\n';

test('the named part of a page is replaced, and nothing else', () => {
  const page = withSection(PAGE, 'one', 'new\n');
  expect(page).toBe(PAGE.replace('old', 'new'));
  expect(withSection(page, 'one', 'new')).toBe(page);
});

test('a page without the part is refused', () => {
  expect(() => withSection(PAGE, 'three', 'new')).toThrow(TypeError);
});
