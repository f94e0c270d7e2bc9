import { html, Markup } from './markup.ts';
import { PAGE_STYLE } from './style.ts';

/** Nothing is loaded, nothing runs. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** What a page has in its head besides: a mark at its start, links, and styles after those of every page. */
type Additions = { mark?: Markup; links?: Markup; style?: string };

/** How every page begins, up to its body. */
export const pageHead = (title: string, { mark, links, style = '' }: Additions = {}): Markup => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">${mark ? [mark] : []}
<meta http-equiv="Content-Security-Policy" content="${new Markup(CONTENT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>${links ? [links] : []}
<style>${new Markup(PAGE_STYLE)}${new Markup(style)}</style>
</head>`;
