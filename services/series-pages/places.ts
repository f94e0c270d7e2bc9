import type { Summary } from '../../contracts/formats/summary.ts';
import { html, type Markup, tableRegion } from '../pages/markup.ts';
import { numeral } from './bar-charts.ts';
import { type PlacedRow, pickMapRows, placeCells, placeMap } from './place-map.ts';

type Places = NonNullable<Summary['places']>;

/** Places of a part without coordinates that a sentence names. */
const MOST_NAMED = 8;

/** Places of a release: a filter where scripts run, a map of each part, and all numbers as a table. */
export function placesSection({ sentences, unit, partHeading, columns, rows }: Places): Markup {
  const parts = [...new Set(rows.map(({ part }) => part))];
  const mapRows = pickMapRows(rows);
  const mapParts = parts.filter((part) => mapRows.some((row) => row.part === part));
  return html`<section><h2>Places</h2>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<fieldset id="filter" hidden><legend>Show</legend>
${choice('part', partHeading, ['All', ...parts])}
${choice('day', 'Day', columns)}
<label>Place <input id="filter-place" type="search" autocomplete="off"></label>
<output id="filter-shown" for="filter-part filter-day filter-place"></output>
</fieldset>
<div class="chart">
${mapParts.map((part, number) => mapFigure(part, mapRows, { unit, id: `map-${number}` }))}
</div>
${withoutPosition(rows, parts)}
${tableRegion(
  'wide tall',
  'Places, as a table',
  `Places: ${unit}`,
  ['Place', partHeading, ...columns],
  rows.map(placeCells),
)}</section>`;
}

const choice = (id: string, heading: string, words: readonly string[]): Markup =>
  html`<label>${heading} <select id="filter-${id}">${words.map((word) => html`<option>${word}</option>`)}</select></label>`;

function mapFigure(part: string, rows: readonly PlacedRow[], { unit, id }: Record<'unit' | 'id', string>): Markup {
  const own = rows.filter((row) => row.part === part);
  const largest = own.reduce((a, b) => (b.values[0]! > a.values[0]! ? b : a));
  return html`<figure class="map" data-part="${part}">
<figcaption>${part} <span class="scale">scale of its own, largest circle: <span class="largest">${numeral(largest.values[0]!)}, ${largest.name}</span></span></figcaption>
${placeMap(own, unit, { id, title: `Places of ${part}, ${unit}` })}
</figure>`;
}

/** Names what no map shows, part by part. */
function withoutPosition(rows: Places['rows'], parts: readonly string[]): Markup[] {
  const rest = rows.filter(({ position }) => position === null);
  if (rest.length === rows.length)
    return [html`<p>The lists of places have no coordinates, so that there is no map.</p>`];
  const lists = parts.flatMap((part) => {
    const names = rest.filter((row) => row.part === part).map(({ name }) => name);
    const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
    return names.length === 0 ? [] : [`${part}: ${names.slice(0, MOST_NAMED).join(', ')}${more}`];
  });
  return lists.length === 0
    ? []
    : [html`<p>These have no coordinates, and are in the table alone. ${lists.join('; ')}.</p>`];
}
