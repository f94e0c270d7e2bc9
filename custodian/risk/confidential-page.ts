import { pageHead } from '../../services/pages/head.ts';
import { html, htmlTable, type Markup } from '../../services/pages/markup.ts';
import { CONFIDENTIAL } from './report.ts';

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
  html`${pageHead(`Confidential: ${title}`)}
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

/** A table that may have more columns than a phone has room for; it scrolls by itself. */
export const wideTable = (...table: Parameters<typeof htmlTable>): Markup =>
  html`<div class="wide">${htmlTable(...table)}</div>`;
