import { html } from 'hono/html';
import type { Html } from './frame.ts';

/**
 * A statement as readers see it: the part of Markdown that statements are written in. Everything else stays the text
 * that it is; no HTML in it means anything.
 */
export function markdownPage(text: string): Html[] {
  const blocks: Html[] = [];
  const open = text.split('\n');
  while (open.length > 0) {
    const line = open.shift()!;
    if (line.trim() === '') continue;
    if (line.startsWith('```')) {
      const code: string[] = [];
      while (open.length > 0 && !open[0]!.startsWith('```')) code.push(open.shift()!);
      open.shift();
      blocks.push(html`<pre tabindex="0"><code>${code.join('\n')}</code></pre>`);
    } else if (line.startsWith('|')) {
      blocks.push(tableOf([line, ...take(open, (one) => one.startsWith('|'))]));
    } else if (line.startsWith('- ')) {
      const items = [line, ...take(open, (one) => one.startsWith('- '))];
      blocks.push(html`<ul>${items.map((item) => html`<li>${inline(item.slice(2))}</li>`)}</ul>`);
    } else blocks.push(headingOf(line) ?? html`<p>${inline(line)}</p>`);
  }
  return blocks;
}

function take(lines: string[], fits: (line: string) => boolean): string[] {
  const end = lines.findIndex((line) => !fits(line));
  return lines.splice(0, end < 0 ? lines.length : end);
}

/** The headings of the statement are below those of the page. */
function headingOf(line: string): Html | null {
  const [, marks, text] = /^(#{1,3}) (.*)$/.exec(line) ?? [];
  if (!marks) return null;
  return marks.length === 1 ? html`<h3>${inline(text!)}</h3>` : html`<h4>${inline(text!)}</h4>`;
}

function tableOf(lines: readonly string[]): Html {
  const rows = lines.filter((line) => !/^\|[\s|:-]+\|$/.test(line)).map((line) => line.slice(1, -1).split(/(?<!\\)\|/));
  const [head = [], ...body] = rows;
  return html`<div class="wide" role="region" aria-label="Table of the statement: ${head[0]?.trim() ?? ''}" tabindex="0"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${inline(cell.trim())}</th>`)}</tr></thead>
<tbody>${body.map((cells) => html`<tr>${cells.map((cell) => html`<td class="left">${inline(cell.trim())}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** Code in backticks; of links the words, and where they lead as text. */
const inline = (text: string): Html[] =>
  text.split(/(`[^`]*`)/).map((piece) =>
    piece.startsWith('`') && piece.length > 1
      ? html`<code>${piece.slice(1, -1)}</code>`
      : html`${piece
          .replace(/\[([^\]]*)\]\(([^)]*)\)/g, '$1 ($2)')
          .replace(/\*\*([^*]+)\*\*/g, '$1')
          .replace(/\\([\\`*_[\]#|~])/g, '$1')
          .replaceAll('&lt;', '<')
          .replaceAll('&amp;', '&')}`,
  );
