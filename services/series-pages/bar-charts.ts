import type { Summary } from '../../contracts/formats/summary.ts';
import { html, Markup } from '../pages/markup.ts';

type Figure = Summary['figures'][number];

/** Units of a drawing; on a phone a unit is about a pixel. */
const WIDTH = 300;
const HEIGHT = 110;
const ROOM = { top: 16, bottom: 16 };
const GAP = 0.25;
/** Half the width of a number of twelve characters. */
const EDGE = 36;

/** Bars for each column of a figure, each to a scale of its own: a small column shows too. Negative values have no bar. */
export const barCharts = (figure: Figure, place: number): Markup => html`<div class="chart">
${figure.columns.map((column, index) => chart(figure, index, `figure-${place}-${index}`, column))}
</div>`;

function chart({ rows, unit, rowHeading }: Figure, index: number, id: string, column: string): Markup {
  const [first, last] = [rows[0]?.label ?? '', rows.at(-1)?.label ?? ''];
  const largest = Math.max(0, ...rows.map(({ values }) => values[index] ?? 0));
  const base = HEIGHT - ROOM.bottom;
  const step = WIDTH / Math.max(1, rows.length);
  const heightOf = (value: number): number => (Math.max(0, value) / Math.max(1, largest)) * (base - ROOM.top);
  const highest = Math.max(
    0,
    rows.findIndex(({ values }) => values[index] === largest),
  );
  const bars = rows.flatMap(({ values }, place) => {
    const height = heightOf(values[index] ?? 0);
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
<figcaption>${column} <span class="scale">own scale, up to ${grouped(largest)} ${unit}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${column}, ${unit} by ${rowHeading.toLowerCase()}</title>
<desc id="${id}-text">Bars from ${first} to ${last}; the highest is ${largest} ${unit}. The numbers are in the table below.</desc>
${bars}
<line x1="0" y1="${base}" x2="${WIDTH}" y2="${base}"/>
<text ${overBar((highest + 0.5) * step)} y="${fixed(base - heightOf(largest) - 5)}">${grouped(largest)}</text>
<text x="0" y="${HEIGHT - 4}">${shortLabel(first)}</text>
<text x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">${shortLabel(last)}</text>
</svg>
</figure>`;
}

/** Where a number stands over its bar: in the middle, unless it would reach out of the drawing. */
function overBar(centre: number): Markup {
  if (centre < EDGE) return new Markup('x="0"');
  if (centre > WIDTH - EDGE) return new Markup(`x="${WIDTH}" text-anchor="end"`);
  return new Markup(`x="${fixed(centre)}" text-anchor="middle"`);
}

const fixed = (value: number): string => value.toFixed(2);

/** Characters of a label under a bar: it is not measured. */
const LONGEST_LABEL = 24;
const shortLabel = (text: string): string =>
  text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`;

/** A whole number with its digits in groups of three, apart by thin spaces that do not break. */
export const grouped = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f');
