import { short } from '../../core/text/wording.ts';
import { type Drawing, drawFigure } from '../../services/pages/drawing.ts';
import { html, htmlTable, type Markup } from '../../services/pages/markup.ts';
import { pageHead } from '../../services/pages/page-head.ts';

export const CONFIDENTIAL =
  'Confidential: for the custodians of this data alone. Every number here is computed from the raw rows without noise; nothing of it may be published, and nothing here is a guarantee.';

/** What a page for custodians says, wherever it is shown. */
export type ConfidentialContent = { kicker: string; heading: string; main: Markup };

/** A page for custodians: one file that loads nothing and runs nothing, and says first that it is confidential. */
export const confidentialPage = ({ title, kicker, heading, main }: ConfidentialContent & { title: string }): string =>
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

export const figure = async (caption: string, drawing: Drawing): Promise<Markup> => html`<figure>
<figcaption>${caption}</figcaption>
${await drawFigure(drawing)}
</figure>`;

/**
 * A table that may have more columns than a phone has room for; it scrolls by itself, also by keyboard. Numbers go to
 * three digits.
 */
export const wideTable = (caption: string, headings: readonly string[], rows: (string | number)[][]): Markup =>
  html`<div class="wide" role="region" aria-label="${caption}" tabindex="0">${htmlTable(
    caption,
    headings,
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? short(cell) : cell))),
  )}</div>`;

/** `12.3 %`, or a dash for what nobody knows. */
export const shareText = (share: number | null): string => (share === null ? '–' : `${short(100 * share)} %`);
