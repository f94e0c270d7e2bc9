import { short } from '../../core/text/wording.ts';

/** Text that is HTML already; whatever is not of this class is escaped where it is put into a page. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escaped for element content and for quoted attributes. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `3.60e-6` as people write it, and no line break in it, or between a number and its `%`. */
const readable = (text: string): string =>
  text
    .replace(/(?<![\w.])(\d(?:\.\d+)?)e-(\d{1,3})(?!\w)/g, (_, mantissa: string, exponent: string) => {
      const power = [...exponent].map((digit) => SUPERSCRIPTS[Number(digit)]).join('');
      return `${mantissa}\u00a0×\u00a010⁻${power}`;
    })
    .replace(/(?<=\d) %/g, '\u00a0%');

/** A sentence without line breaks in `1 in 2,100,000`; the cells of a table are too narrow for that. */
export const sentenceText = (text: string): string => text.replace(/\b1 in (?=\d)/g, '1\u00a0in\u00a0');

/** A number to three digits, a small one with its power of ten. */
export const numberText = (value: number): string =>
  value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(2) : short(value);

type Part = string | number | Markup | readonly Markup[];

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return escapeHtml(readable(String(part)));
}

/** Template tag for HTML: strings and numbers are escaped, markup is left as it is, a list of markup line by line. */
export const html = (literals: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(String.raw({ raw: literals }, ...parts.map(textOf)));

/** A heading of more characters may break anywhere: it can be the name of a file. */
const LONGEST_WHOLE = 14;

const rowHeading = (text: string | number): Markup =>
  String(text).length > LONGEST_WHOLE
    ? html`<th scope="row" class="long">${text}</th>`
    : html`<th scope="row">${text}</th>`;

/** A table with a caption; the first cell of each row is its heading. */
export function htmlTable(
  caption: string,
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Markup {
  return html`<table>
<caption>${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(([first, ...others]) => html`<tr>${rowHeading(first ?? '')}${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
</tbody>
</table>`;
}

/** A table that may be wider than a page, and a tall one also longer than a screen: it scrolls by itself. */
export const tableRegion = (
  style: 'wide' | 'wide tall' | 'box wide',
  label: string,
  ...table: Parameters<typeof htmlTable>
): Markup => html`<div class="${style}" role="region" aria-label="${label}" tabindex="0">
${htmlTable(...table)}
</div>`;
