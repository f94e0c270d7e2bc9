import { raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ReleaseReview } from '../client/release/review.ts';
import { drawFigure } from '../services/pages/drawing.ts';

const BLUE = '#0b4f8a';
const INK = '#1c2126';
const PALE = '#9dbddb';

/** Drawings of one part: its days, and its hours where the release has a table of times. */
export type PartCharts = { part: string; week: HtmlEscapedString; day: HtmlEscapedString | null };

/** Parts that are drawn; the others are in the tables alone. */
const MOST_PARTS = 12;

type Usual = ReadonlyMap<string, readonly [low: number, high: number] | null>;

/**
 * The days and hours of each part, each to a scale of its own, so that small ones show. The numbers of every drawing
 * stand in a table below it.
 */
async function partCharts({ totals, byHour, report }: Omit<ReleaseReview, 'statement'>): Promise<PartCharts[]> {
  const usual: Usual = new Map((report.history?.days ?? []).map((one) => [one.partition, one.usual]));
  const parts = [...new Set(totals.map(({ part }) => part))].slice(0, MOST_PARTS);
  const charts: PartCharts[] = [];
  for (const [place, part] of parts.entries()) {
    const hours = byHour.find((one) => one.part === part);
    charts.push({
      part,
      week: await weekChart(
        part,
        totals.filter((one) => one.part === part),
        usual,
        `week${place}`,
      ),
      day: hours ? await dayChart(hours, `day${place}`) : null,
    });
  }
  return charts;
}

/** Reviews whose drawings are kept: a manifest never changes. */
const KEPT_DRAWINGS = 16;

export function rememberedCharts() {
  const drawings = new Map<string, ReturnType<typeof partCharts>>();
  return (review: Parameters<typeof partCharts>[0]) => {
    const before = drawings.get(review.manifestDigest);
    if (before) return before;
    if (drawings.size >= KEPT_DRAWINGS) drawings.delete(drawings.keys().next().value!);
    const drawing = partCharts(review);
    drawings.set(review.manifestDigest, drawing);
    drawing.catch(() => drawings.delete(review.manifestDigest));
    return drawing;
  };
}

const axis = { type: 'ordinal' as const, axis: { title: null, labelAngle: 0 } };
const taps = (title: string) => ({
  type: 'quantitative' as const,
  axis: { title, tickCount: 4, format: '~s' },
  scale: { zero: true },
});

/** A bar for each day, its interval as a line, and the usual range as a pale bar behind it. */
async function weekChart(part: string, totals: ReleaseReview['totals'], usual: Usual, id: string) {
  const values = totals.map(({ day, count, low, high }) => {
    const range = usual.get(`${part}/${day}`) ?? null;
    const bounds = { low: low ?? count, high: high ?? count };
    return { day: day.slice(8), count, ...bounds, usualLow: range?.[0] ?? null, usualHigh: range?.[1] ?? null };
  });
  const x = { ...axis, field: 'day' };
  const y = taps('taps');
  return drawn({
    id,
    title: `${part}: taps of each day`,
    description: `Bars for ${values.length} days, each with a line for its interval; pale bars are what is usual. The numbers are in the table of parts and days.`,
    height: 130,
    left: 60,
    spec: {
      data: { values },
      layer: [
        {
          transform: [{ filter: 'isValid(datum.usualLow)' }],
          mark: { type: 'bar', color: PALE, width: { band: 0.95 } },
          encoding: { x, y: { ...y, field: 'usualLow' }, y2: { field: 'usualHigh' } },
        },
        { mark: { type: 'bar', color: BLUE, width: { band: 0.5 } }, encoding: { x, y: { ...y, field: 'count' } } },
        {
          mark: { type: 'rule', color: INK, strokeWidth: 2 },
          encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' } },
        },
      ],
    },
  });
}

/** A line over the hours of the day. */
const dayChart = ({ part, hours }: ReleaseReview['byHour'][number], id: string) =>
  drawn({
    id,
    title: `${part}: taps by hour, all days`,
    description: `A line over ${hours.length} hours of the day. The numbers are in the table of hours.`,
    height: 130,
    left: 60,
    spec: {
      data: { values: [...hours] },
      mark: { type: 'area', color: PALE, line: { color: BLUE } },
      encoding: {
        x: { field: 'hour', type: 'ordinal', axis: { title: null, labelAngle: 0, labelOverlap: true } },
        y: { ...taps('taps'), field: 'count' },
      },
    },
  });

async function drawn(drawing: Parameters<typeof drawFigure>[0]): Promise<HtmlEscapedString> {
  const { text } = await drawFigure(drawing);
  return raw(text) as HtmlEscapedString;
}
