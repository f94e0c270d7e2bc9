import type { Summary } from '../../contracts/formats/summary.ts';
import { html, Markup } from '../pages/markup.ts';
import { grouped } from './bar-charts.ts';

type PlaceRow = NonNullable<Summary['places']>['rows'][number];

/** Units of a drawing; on a phone a unit is about a pixel. */
const WIDTH = 300;
const HEIGHTS = { least: 150, most: 300 };
const EDGE = 24;
/** Radius of the largest circle, and of what would be no circle: no taps, or fewer than show. */
export const RADII = { largest: 16, dot: 1.5 };

/** Kilometres of a degree of latitude; of places nearer than the second number, none is apart from another. */
const DEGREE = 111.2;
const NARROWEST = 0.005;
const SCALE_BARS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Labels of a map, and how wide a character of one is taken to be: it is not measured. */
const LABELS = 5;
const LABEL = { longest: 22, character: 5.4, height: 11 };

/** A place that a map can show, with its number among the rows of the table. */
export type Positioned = PlaceRow & { position: [north: number, east: number]; at: number };
type Point = { x: number; y: number; radius: number; row: Positioned };

/** A map without a ground, north up: a circle for each place, its area by the first count; the largest ones have names. */
export function placeMap(
  rows: readonly Positioned[],
  unit: string,
  { id, title }: { id: string; title: string },
): Markup {
  const { points, height, degree } = placed(rows);
  const kilometres = SCALE_BARS.findLast((one) => (one / DEGREE) * degree <= WIDTH / 4) ?? SCALE_BARS[0]!;
  const bar = (kilometres / DEGREE) * degree;
  const circles = points.map(({ x, y, radius, row }) => {
    const look = radius === RADII.dot ? ' class="dot"' : '';
    return html`<circle${new Markup(`${look} data-row="${row.at}" cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(radius)}"`)}><title>${row.name}: ${grouped(row.values[0]!)} ${unit}</title></circle>`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${height + 16}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">A map, north up, with ${rows.length} circles; their areas are the numbers of ${unit}. The numbers are in the table below.</desc>
<rect width="${WIDTH}" height="${height}"/>
${circles}
${labels(points)}
<path d="${new Markup(`M0.5 ${height + 5}v4h${fixed(bar)}v-4`)}"/>
<text x="${fixed(bar + 5)}" y="${height + 11}">${kilometres < 1 ? `${1000 * kilometres} m` : `${kilometres} km`}</text>
</svg>`;
}

/** Places as far apart as they are, in a drawing that they fill; larger circles below smaller ones. */
function placed(rows: readonly Positioned[]): { points: Point[]; height: number; degree: number } {
  const range = (values: readonly number[]): [middle: number, width: number] => {
    const [least, most] = [values, values.map((one) => -one)].map((all) => all.reduce((a, b) => Math.min(a, b)));
    return [(least! - most!) / 2, Math.max(NARROWEST, -most! - least!)];
  };
  const [north, tall] = range(rows.map(({ position }) => position[0]));
  const [east, wide] = range(rows.map(({ position }) => position[1]));
  const narrowing = Math.cos((north * Math.PI) / 180);
  const degree = Math.min((WIDTH - 2 * EDGE) / (wide * narrowing), (HEIGHTS.most - 2 * EDGE) / tall);
  const height = Math.max(HEIGHTS.least, Math.ceil(tall * degree + 2 * EDGE));
  const largest = Math.max(1, ...rows.map(({ values }) => values[0]!));
  const points = rows
    .map((row) => ({
      x: WIDTH / 2 + (row.position[1] - east) * narrowing * degree,
      y: height / 2 - (row.position[0] - north) * degree,
      radius: Math.max(RADII.dot, RADII.largest * Math.sqrt(Math.max(0, row.values[0]!) / largest)),
      row,
    }))
    .sort((a, b) => b.radius - a.radius);
  return { points, height, degree };
}

/** Names of the largest circles, beside them; a name that would cover another one is left out. */
function labels(points: readonly Point[]): Markup[] {
  const boxes: { left: number; y: number; right: number }[] = [];
  return points.slice(0, LABELS).flatMap(({ x, y, radius, row: { name, at: number } }) => {
    const text = name.length <= LABEL.longest ? name : `${name.slice(0, LABEL.longest - 1)}…`;
    const width = LABEL.character * text.length;
    const start = x + radius + 2;
    const [left, anchor] = start + width <= WIDTH ? [start, 'start'] : [x - radius - 2 - width, 'end'];
    const box = { left, y, right: left + width };
    const covers = boxes.some(
      (one) => box.left < one.right && one.left < box.right && Math.abs(y - one.y) < LABEL.height,
    );
    if (covers || left < 0) return [];
    boxes.push(box);
    const end = anchor === 'start' ? left : box.right;
    return [
      html`<text${new Markup(` data-row="${number}" x="${fixed(end)}" y="${fixed(y + 3.5)}" text-anchor="${anchor}"`)}>${text}</text>`,
    ];
  });
}

const fixed = (value: number): string => value.toFixed(1);
