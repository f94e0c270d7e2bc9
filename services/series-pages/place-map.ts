import type { Summary } from '../../contracts/formats/summary.ts';
import { html, type Markup } from '../pages/markup.ts';
import { numeral, shorten } from './bar-charts.ts';

/** A place that a map can show, with its number among the rows of the table. */
export type PlacedRow = ReturnType<typeof pickMapRows>[number];

/** The rows that a map can show. */
export const pickMapRows = (rows: NonNullable<Summary['places']>['rows']) =>
  rows.flatMap((row, at) => (row.position ? [{ ...row, position: row.position, at }] : []));

/** A row as a table has it. */
export const placeCells = ({ part, place, name, values }: NonNullable<Summary['places']>['rows'][number]): string[] => [
  name === place ? name : `${name} (${place})`,
  part,
  ...values.map(numeral),
];

type Point = { x: number; y: number; radius: number; row: PlacedRow };

/** Units of a drawing; on a phone a unit is about a pixel. */
const WIDTH = 300;
const HEIGHT = 220;
const EDGE = 24;

/** Radius of the largest circle, and of what would be no circle: a count of none, or fewer. */
export const RADII = { largest: 16, dot: 1.5 };

/** Kilometres of a degree of latitude, and degrees that a map shows at least. */
const DEGREE = 111.2;
const NARROWEST = 0.005;
const SCALE_BARS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Labels of a map, characters of one, and the room that one takes: it is not measured. */
const LABELS = 6;
const LONGEST_LABEL = 20;
const LABEL_ROOM = { width: 118, height: 12 };

/** A map without a ground, north up: a circle for each place, its area by the first count. The largest have names. */
export function placeMap(
  rows: readonly PlacedRow[],
  unit: string,
  { id, title }: Record<'id' | 'title', string>,
): Markup {
  const { points, degree } = pointsOf(rows);
  const kilometres = SCALE_BARS.findLast((one) => (one / DEGREE) * degree <= WIDTH / 4) ?? SCALE_BARS[0]!;
  const bar = (kilometres / DEGREE) * degree;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT + 16}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">A map, north up, with ${rows.length} circles; their areas are the numbers of ${unit}. The numbers are in the table below.</desc>
<rect width="${WIDTH}" height="${HEIGHT}"/>
${points.map(({ x, y, radius, row }) => html`<circle data-row="${row.at}" cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"><title>${row.name}: ${numeral(row.values[0]!)}</title></circle>`)}
${labels(points)}
<path d="M0.5 ${HEIGHT + 5}v4h${round(bar)}v-4"/>
<text x="${round(bar + 5)}" y="${HEIGHT + 12}">${kilometres < 1 ? `${1000 * kilometres} m` : `${kilometres} km`}</text>
</svg>`;
}

/** Places as far apart as they are, in a drawing that they fill; smaller circles come later, and so above larger ones. */
function pointsOf(rows: readonly PlacedRow[]): { points: Point[]; degree: number } {
  const [north, tall] = range(rows.map(({ position }) => position[0]));
  const [east, wide] = range(rows.map(({ position }) => position[1]));
  const cosine = Math.cos((north * Math.PI) / 180);
  const degree = Math.min((WIDTH - 2 * EDGE) / (wide * cosine), (HEIGHT - 2 * EDGE) / tall);
  const largest = Math.max(1, ...rows.map(({ values }) => values[0]!));
  const points = rows.map((row) => ({
    x: WIDTH / 2 + (row.position[1] - east) * cosine * degree,
    y: HEIGHT / 2 - (row.position[0] - north) * degree,
    radius: Math.max(RADII.dot, RADII.largest * Math.sqrt(Math.max(0, row.values[0]!) / largest)),
    row,
  }));
  return { points: points.sort((a, b) => b.radius - a.radius), degree };
}

/** The middle of numbers, and what they span. */
function range(values: readonly number[]): [middle: number, span: number] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return [(least + most) / 2, Math.max(NARROWEST, most - least)];
}

/** Names of the largest circles, on the side with more room; one that could cover another is left out. */
function labels(points: readonly Point[]): Markup[] {
  const starts: { x: number; y: number }[] = [];
  return points.slice(0, LABELS).flatMap(({ x, y, radius, row: { name, at } }) => {
    const isLeft = x < WIDTH / 2;
    const end = isLeft ? x + radius + 2 : x - radius - 2;
    const start = isLeft ? end : end - LABEL_ROOM.width;
    const isCovered = starts.some(
      (one) => Math.abs(one.x - start) < LABEL_ROOM.width && Math.abs(one.y - y) < LABEL_ROOM.height,
    );
    if (isCovered || radius === RADII.dot) return [];
    starts.push({ x: start, y });
    return [
      html`<text data-row="${at}" x="${round(end)}" y="${round(y + 4)}" text-anchor="${isLeft ? 'start' : 'end'}">${shorten(name, LONGEST_LABEL)}</text>`,
    ];
  });
}

const round = (value: number): string => value.toFixed(1);
