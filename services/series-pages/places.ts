import type { Summary } from '../../contracts/formats/summary.ts';
import { html, htmlTable, type Markup } from '../pages/markup.ts';
import { grouped } from './bar-charts.ts';
import { type Positioned, placeMap } from './place-map.ts';

type Places = NonNullable<Summary['places']>;

/** Places without coordinates that a sentence names. */
const MOST_NAMED = 12;

/** Places of a release: a filter where scripts run, a map of each part, and all numbers as a table. */
export function placesSection({ sentences, unit, partHeading, columns, rows }: Places): Markup {
  const parts = [...new Set(rows.map(({ part }) => part))];
  const isPositioned = (row: Places['rows'][number] & { at: number }): row is Positioned => row.position !== null;
  const placed = rows.map((row, at) => ({ ...row, at })).filter(isPositioned);
  const maps = parts.map((part) => [part, placed.filter((row) => row.part === part)] as const);
  return html`<section><h2>Places</h2>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<fieldset id="filter" hidden><legend>Show</legend>
${choice('part', partHeading, ['All', ...parts])}
${choice('day', 'Day', columns)}
<label>Place <input id="filter-place" type="search" autocomplete="off"></label>
<output id="filter-shown" for="filter-part filter-day filter-place"></output>
</fieldset>
${placed.length === 0 ? [] : [html`<p>Each map has a scale of its own, so that a small ${partHeading.toLowerCase()} can be seen beside a large one: compare areas of circles within a map alone.</p>`]}
<div class="chart">
${maps.filter(([, own]) => own.length > 0).map(([part, own], number) => mapFigure(part, own, { unit, id: `map-${number}` }))}
</div>
${withoutPosition(rows)}
<div class="wide tall" role="region" aria-label="Places, as a table" tabindex="0">
${htmlTable(
  `Places: ${unit}`,
  ['Place', partHeading, ...columns],
  rows.map(({ part, place, name, values }) => [
    name === place ? name : `${name} (${place})`,
    part,
    ...values.map((value) => (value === null ? '–' : grouped(value))),
  ]),
)}
</div></section>`;
}

const choice = (id: string, heading: string, words: readonly string[]): Markup =>
  html`<label>${heading} <select id="filter-${id}">${words.map((word, place) => html`<option value="${place}">${word}</option>`)}</select></label>`;

function mapFigure(part: string, own: readonly Positioned[], { unit, id }: { unit: string; id: string }): Markup {
  const largest = own.reduce((a, b) => (b.values[0]! > a.values[0]! ? b : a));
  return html`<figure class="map" data-part="${part}">
<figcaption>${part} <span class="scale">largest circle: <span class="largest">${grouped(largest.values[0]!)} ${unit}, ${largest.name}</span></span></figcaption>
${placeMap(own, unit, { id, title: `Places of ${part}, ${unit}` })}
</figure>`;
}

/** Names what no map shows. */
function withoutPosition(rows: Places['rows']): Markup {
  const names = rows.filter(({ position }) => position === null).map(({ part, name }) => `${name} (${part})`);
  if (names.length === 0) return html``;
  if (names.length === rows.length)
    return html`<p>The lists of places have no coordinates, so that there is no map.</p>`;
  const others = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} others` : '';
  return html`<p>Without coordinates, and in the table alone: ${names.slice(0, MOST_NAMED).join(', ')}${others}.</p>`;
}
