import { createHash } from 'node:crypto';
import { html, Markup } from './markup.ts';
import { PAGE_STYLE } from './style.ts';

/** Three bars on a blue ground, in the page itself. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b4f8a"/><path d="M9 24v-8M16 24V8M23 24v-4" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>';

/** Nothing is loaded, and nothing runs but the one script that is named by its digest. */
const contentPolicy = (script: string): Markup => {
  const digest = createHash('sha256').update(script).digest('base64');
  const scripts = script === '' ? '' : ` script-src 'sha256-${digest}';`;
  return new Markup(
    `default-src 'none';${scripts} style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
};

/**
 * What a page has in its head besides: a mark at its start, links, styles after those of every page, and the one
 * script that may run.
 */
type Additions = { mark?: Markup; links?: Markup; style?: string; script?: string };

/** How every page begins, up to its body. */
export const pageHead = (
  title: string,
  { mark, links, style = '', script = '' }: Additions = {},
): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${mark ? [mark] : []}
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">${links ? [links] : []}
<style>${new Markup(PAGE_STYLE)}${new Markup(style)}</style>
</head>`;
