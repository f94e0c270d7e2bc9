import { html, htmlTable, type Markup } from '../../services/pages/markup.ts';

/** A table that may have more columns than a phone has room for; it scrolls by itself. */
export const wideTable = (...table: Parameters<typeof htmlTable>): Markup =>
  html`<div class="wide">${htmlTable(...table)}</div>`;
