import type { Summary } from '../../contracts/formats/summary.ts';
import { html, Markup } from '../pages/markup.ts';

type Figure = Summary['figures'][number];

/** Units of a drawing; on a phone a unit is about a pixel. */
const WIDTH = 300;
/** The line that bars stand on. */
const BASE = 90;
const GAP = 0.25;

/** Bars for each column of a figure, each to a scale of its own: small ones show too. Negative values have no bar. */
export const barCharts = (figure: Figure, place: number): Markup => html`<div class="chart">
${figure.columns.map((column, index) => chart(figure, index, `figure-${place}-${index}`, column))}
</div>`;

function chart({ rows, unit, rowHeading }: Figure, index: number, id: string, column: string): Markup {
  const [first, last] = [rows[0]?.label ?? '', rows.at(-1)?.label ?? ''];
  const largest = Math.max(0, ...rows.map(({ values }) => values[index] ?? 0));
  const step = WIDTH / Math.max(1, rows.length);
  const bars = rows.flatMap(({ values }, place) => {
    const height = (Math.max(0, values[index] ?? 0) / Math.max(1, largest)) * BASE;
    const [x, width] = [(place + GAP / 2) * step, step * (1 - GAP)].map(round);
    return height === 0
      ? []
      : [new Markup(`<rect x="${x}" y="${round(BASE - height)}" width="${width}" height="${round(height)}"/>`)];
  });
  return html`<figure>
<figcaption>${column} <span class="scale">scale of its own, up to ${numeral(largest)} ${unit}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${BASE + 16}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${column}, ${unit} by ${rowHeading.toLowerCase()}</title>
<desc id="${id}-text">Bars from ${first} to ${last}; the highest is ${largest} ${unit}. The numbers are in the table below.</desc>
${bars}
<line x1="0" y1="${BASE}" x2="${WIDTH}" y2="${BASE}"/>
<text x="0" y="${BASE + 12}">${shorten(first, LONGEST_LABEL)}</text>
<text x="${WIDTH}" y="${BASE + 12}" text-anchor="end">${shorten(last, LONGEST_LABEL)}</text>
</svg>
</figure>`;
}

const round = (value: number): string => value.toFixed(2);

/** Characters of a label under a bar: it is not measured. */
const LONGEST_LABEL = 24;

/** A text of at most `most` characters. */
export const shorten = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

/** A whole number with its digits in groups of three, apart by thin spaces that do not break; a dash for none. */
export const numeral = (value: number | null | undefined): string =>
  typeof value === 'number' ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f') : '–';
