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

type Part = string | number | Markup | readonly Markup[];

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return escapeHtml(String(part));
}

/** Template tag for HTML: strings and numbers are escaped, markup stands as it is, a list of markup line by line. */
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
