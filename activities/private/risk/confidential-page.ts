import { html, Markup } from '../../pages/markup.ts';
import { PAGE_STYLE } from '../../pages/style.ts';
import { CONFIDENTIAL } from './report.ts';

/** Nothing is loaded, nothing runs. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A page for custodians: one file that loads nothing and runs nothing, and says first that it is confidential. */
export const confidentialPage = ({
  title,
  kicker,
  heading,
  main,
}: {
  title: string;
  kicker: string;
  heading: string;
  main: Markup;
}): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CONTENT_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${`Confidential: ${title}`}</title>
<style>${new Markup(PAGE_STYLE)}</style>
</head>
<body>
<header>
<p class="kicker">${kicker}</p>
<div class="banner attention"><div>
<h1>${heading}</h1>
<p><strong>${CONFIDENTIAL}</strong></p>
</div></div>
</header>
<main>
${main}
</main>
</body>
</html>
`.text;
