import { html } from 'hono/html';
import type { ReleaseReview } from '../client/release/review.ts';
import { grouped } from '../services/series-pages/bar-charts.ts';
import type { Html } from './frame.ts';

const BLUE = '#0b4f8a';
const INK = '#1c2126';
const PALE = '#9dbddb';

/** Drawings of one part: its days, and its hours where the release has a table of times. */
export type PartCharts = { part: string; week: Html; day: Html | null };

/** Parts that are drawn; the others are in the tables alone. */
const MOST_PARTS = 12;

type Usual = ReadonlyMap<string, readonly [low: number, high: number] | null>;

/**
 * The days and hours of each part, each to a scale of its own, so that small ones show. The numbers of every drawing
 * stand in a table below it.
 */
export function partCharts({ totals, byHour, report }: Omit<ReleaseReview, 'statement'>): PartCharts[] {
  const usual: Usual = new Map((report.history?.days ?? []).map((one) => [one.partition, one.usual]));
  const parts = [...new Set(totals.map(({ part }) => part))].slice(0, MOST_PARTS);
  return parts.map((part, place) => {
    const hours = byHour.find((one) => one.part === part);
    const own = totals.filter((one) => one.part === part);
    return {
      part,
      week: weekChart(part, own, usual, `week${place}`),
      day: hours ? dayChart(hours, `day${place}`) : null,
    };
  });
}

/** Units of a drawing: on a phone one is about a pixel. `left` has the numbers of its axis. */
const PLOT = { left: 60, top: 10, width: 274, height: 130 };
const SIZE = { width: 350, height: 178 };
const LABEL = { fill: '#4a545e', size: 11, room: 17 };
const GRID = '#e4e7eb';

const short = (value: number): string => (Math.abs(value) < 1e6 ? grouped(value) : `${value / 1e6} M`);

/** About four round steps that hold all of these values, and 0. */
function stepsOver(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const power = 10 ** Math.floor(Math.log10((most - least) / 4));
  const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= (most - least) / 4)!;
  const first = Math.floor(least / step);
  return Array.from({ length: Math.ceil(most / step) - first + 1 }, (_, n) => (first + n) * step);
}

type Drawing = { id: string; title: string; description: string; labels: readonly string[]; values: readonly number[] };

/** Where the n-th label stands and a value is. */
type Scales = { x: (place: number) => number; y: (value: number) => number; band: number };

/** A picture with its axes. The library that draws published pages takes more memory than all pages of a console. */
function drawn({ id, title, description, labels, values }: Drawing, marks: (scales: Scales) => Html): Html {
  const steps = stepsOver(values);
  const [least, most] = [steps[0]!, steps.at(-1)!];
  const band = PLOT.width / Math.max(1, labels.length);
  const x = (place: number) => rounded(PLOT.left + (place + 0.5) * band);
  const y = (value: number) => rounded(PLOT.top + (PLOT.height * (most - value)) / (most - least));
  const every = Math.ceil(LABEL.room / band);
  return html`<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-labelledby="${id}-title ${id}-text">
<title id="${id}-title">${title}</title>
<desc id="${id}-text">${description}</desc>
<g font-family="system-ui, sans-serif" font-size="${LABEL.size}" fill="${LABEL.fill}">${steps.map(
    (step) => html`<path d="M${PLOT.left} ${y(step)}h${PLOT.width}" stroke="${GRID}"/>
<text x="${PLOT.left - 6}" y="${y(step) + 4}" text-anchor="end">${short(step)}</text>`,
  )}${labels.map((label, place) =>
    place % every === 0
      ? html`<text x="${x(place)}" y="${PLOT.top + PLOT.height + 16}" text-anchor="middle">${label}</text>`
      : '',
  )}</g>
${marks({ x, y, band })}
</svg>`;
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** A bar for each day, its interval as a line, and the usual range as a pale bar behind it. */
function weekChart(part: string, totals: ReleaseReview['totals'], usual: Usual, id: string): Html {
  const bars = totals.map(({ day, count, low, high }) => {
    const range = usual.get(`${part}/${day}`) ?? null;
    return { day: day.slice(8), count, low: low ?? count, high: high ?? count, range };
  });
  return drawn(
    {
      id,
      title: `${part}: taps of each day`,
      description: `Bars for ${bars.length} days, each with a line for its interval; pale bars are what is usual. The numbers are in the table of parts and days.`,
      labels: bars.map(({ day }) => day),
      values: bars.flatMap(({ low, count, high, range }) => [low, count, high, ...(range ?? [])]),
    },
    ({ x, y, band }) => {
      const bar = (place: number, part: number, [low, high]: readonly [number, number], fill: string) =>
        html`<rect x="${rounded(x(place) - (part * band) / 2)}" y="${y(high)}" width="${rounded(part * band)}" height="${rounded(y(low) - y(high))}" fill="${fill}"/>`;
      return html`${bars.map(
        ({ count, low, high, range }, place) =>
          html`${range ? bar(place, 0.95, range, PALE) : ''}${bar(place, 0.5, [Math.min(0, count), Math.max(0, count)], BLUE)}<path d="M${x(place)} ${y(low)}V${y(high)}" stroke="${INK}" stroke-width="2"/>`,
      )}`;
    },
  );
}

/** A line over the hours of the day. */
const dayChart = ({ part, hours }: ReleaseReview['byHour'][number], id: string): Html =>
  drawn(
    {
      id,
      title: `${part}: taps by hour, all days`,
      description: `A line over ${hours.length} hours of the day. The numbers are in the table of hours.`,
      labels: hours.map(({ hour }) => hour),
      values: hours.map(({ count }) => count),
    },
    ({ x, y, band }) => {
      // Level over each hour: a part that runs in one hour alone has a line too.
      const level = (count: number, place: number) =>
        `${rounded(x(place) - band / 2)} ${y(count)}H${rounded(x(place) + band / 2)}`;
      const line = hours.map(({ count }, place) => level(count, place)).join('L');
      return html`<path d="M${PLOT.left} ${y(0)}L${line}V${y(0)}Z" fill="${PALE}"/><path d="M${line}" fill="none" stroke="${BLUE}" stroke-width="2"/>`;
    },
  );
