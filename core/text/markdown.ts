/**
 * Text of others as one line of Markdown that shows just this text: none of its characters marks anything, and none
 * begins HTML.
 */
export const markdownText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]#|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
