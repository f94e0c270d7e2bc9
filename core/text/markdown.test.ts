import { expect, test } from 'vitest';
import { markdownText } from './markdown.ts';

test('text of others marks nothing in Markdown, and begins no HTML', () => {
  expect(markdownText('## Audit *passed* `x` [a](b) <img onerror=1> a|b ~~c~~ \\')).toBe(
    '\\#\\# Audit \\*passed\\* \\`x\\` \\[a\\](b) &lt;img onerror=1> a\\|b \\~\\~c\\~\\~ \\\\',
  );
  expect(markdownText('&lt;script>')).toBe('&amp;lt;script>');
  expect(markdownText('Opal taps, 8 to 14 August 2016 (CC-BY-4.0) © Zoë')).toBe(
    'Opal taps, 8 to 14 August 2016 (CC-BY-4.0) © Zoë',
  );
});
