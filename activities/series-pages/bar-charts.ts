import type { Summary } from '../../contracts/formats/summary.ts';
import { html, Markup } from '../pages/markup.ts';

type Figure = Summary['figures'][number];

/** Units of a drawing; on a phone a unit is about a pixel. */
const WIDTH = 300;
const HEIGHT = 110;
const ROOM = { top: 16, bottom: 16 };
const GAP = 0.25;

/** Bars for each column of a figure, all to one scale, so that columns can be compared. Negative values have no bar. */
export function barCharts(figure: Figure, place: number): Markup {
  const values = figure.rows.flatMap((row) => row.values.filter((value) => value !== null));
  const greatest = Math.max(1, ...values);
  return html`<div class="chart">
${figure.columns.map((column, index) => chart(figure, index, { greatest, id: `figure-${place}-${index}` }, column))}
</div>`;
}

function chart(
  { rows, unit, rowHeading }: Figure,
  index: number,
  { greatest, id }: { greatest: number; id: string },
  column: string,
): Markup {
  const [first, last] = [rows[0]?.label ?? '', rows.at(-1)?.label ?? ''];
  const largest = Math.max(0, ...rows.map(({ values }) => values[index] ?? 0));
  const base = HEIGHT - ROOM.bottom;
  const step = WIDTH / Math.max(1, rows.length);
  const bars = rows.flatMap(({ values }, place) => {
    const height = (Math.max(0, values[index] ?? 0) / greatest) * (base - ROOM.top);
    const x = (place + GAP / 2) * step;
    return height === 0
      ? []
      : [
          new Markup(
            `<rect x="${fixed(x)}" y="${fixed(base - height)}" width="${fixed(step * (1 - GAP))}" height="${fixed(height)}"/>`,
          ),
        ];
  });
  return html`<figure>
<figcaption>${column}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${column}, ${unit} by ${rowHeading.toLowerCase()}</title>
<desc id="${id}-text">Bars from ${first} to ${last}; the highest is ${largest} ${unit}. The numbers are in the table below.</desc>
${bars}
<line x1="0" y1="${base}" x2="${WIDTH}" y2="${base}"/>
<text x="0" y="11">${grouped(largest)}</text>
<text x="0" y="${HEIGHT - 4}">${shortLabel(first)}</text>
<text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${shortLabel(last)}</text>
</svg>
</figure>`;
}

const fixed = (value: number): string => value.toFixed(2);

/** Characters of a label under a bar: it is not measured. */
const LONGEST_LABEL = 24;
const shortLabel = (text: string): string =>
  text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`;

/** A whole number with its digits in groups of three, apart by thin spaces that do not break. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
