import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReleaseReview } from '../client/release/review.ts';
import { ownModule } from '../services/own-module.ts';
import type { Drawing } from '../services/pages/drawing.ts';
import { sha256 } from '../services/stores/json-objects.ts';

const BLUE = '#0b4f8a';
const INK = '#1c2126';
const PALE = '#9dbddb';

/** Parts that are drawn; the others are in the tables alone. */
const MOST_PARTS = 12;

/**
 * The days of each part, and its hours where the release has a table of times, each to a scale of its own, so that small
 * ones show. The numbers of every drawing are in a table below it.
 */
export function partDrawings({ totals, byHour, report }: Pick<ReleaseReview, 'totals' | 'byHour' | 'report'>) {
  const usual = new Map((report.history?.days ?? []).map((one) => [one.partition, one.usual]));
  const parts = [...new Set(totals.map(({ part }) => part))].slice(0, MOST_PARTS);
  return parts.flatMap((part) => {
    const days = totals
      .filter((one) => one.part === part)
      .map(({ day, count, low, high }) => {
        const [least, most] = usual.get(`${part}/${day}`) ?? [null, null];
        return { day: day.slice(8), count, low: low ?? count, high: high ?? count, least, most };
      });
    const hours = byHour.find((one) => one.part === part)?.hours;
    return [weekDrawing(part, days), ...(hours ? [dayDrawing(part, hours)] : [])];
  });
}

/** Room for the numbers of an axis. */
const SIZE = { height: 130, left: 60 };

/** Digits in groups of three, as the tables have them. */
const GROUPED =
  "abs(datum.value) < 1e6 ? replace(format(datum.value, ',d'), /,/g, '\u202f') : datum.value / 1e6 + ' M'";

const ACROSS = { title: null, labelAngle: 0, labelOverlap: true };
const UP = { title: null, tickCount: 4, labelExpr: GROUPED };
const across = (field: string) => ({ field, type: 'ordinal' as const, axis: ACROSS });
const up = (field: string) => ({ field, type: 'quantitative' as const, axis: UP });

/** A bar for each day, its interval as a line, and the usual range as a pale bar behind it. */
const weekDrawing = (part: string, days: object[]): Drawing => ({
  ...SIZE,
  id: 'week',
  title: `${part}: taps of each day`,
  description: `Bars for ${days.length} days, each with a line for its interval; pale bars are what is usual. The numbers are in the table of parts and days.`,
  spec: {
    data: { values: days },
    encoding: { x: across('day') },
    layer: [
      {
        transform: [{ filter: 'datum.least !== null' }],
        mark: { type: 'bar', color: PALE, width: { band: 0.95 } },
        encoding: { y: up('least'), y2: { field: 'most' } },
      },
      { mark: { type: 'bar', color: BLUE, width: { band: 0.5 } }, encoding: { y: up('count') } },
      { mark: { type: 'rule', color: INK, strokeWidth: 2 }, encoding: { y: up('low'), y2: { field: 'high' } } },
    ],
  },
});

const dayDrawing = (part: string, hours: ReleaseReview['byHour'][number]['hours']): Drawing => ({
  ...SIZE,
  id: 'day',
  title: `${part}: taps by hour, all days`,
  description: `Bars for ${hours.length} hours of the day. The numbers are in the table of hours.`,
  spec: {
    data: { values: hours },
    mark: { type: 'bar', color: BLUE, width: { band: 0.85 } },
    encoding: { x: across('hour'), y: up('count') },
  },
});

/** Releases whose charts are kept, milliseconds that a drawing process may take, and bytes of what it answers. */
const MOST_KEPT = 8;
const DRAWING = { timeout: 30_000, killSignal: 'SIGKILL', maxBuffer: 2 ** 23 } as const;

/** A picture as a page has it: what it shows in words, and where it is. */
export type Chart = Pick<Drawing, 'title' | 'description'> & { address: string };

/** Charts of the releases that were looked at last, by the digest of what they draw. */
export function chartKeeper(draw = drawApart) {
  const cache = new Map<string, () => Promise<string[]>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Takes what is drawn as soon as somebody asks for one of the pictures. */
    keep(drawings: readonly Drawing[]): Chart[] {
      const digest = sha256(JSON.stringify(drawings));
      let pictures: Promise<string[]> | null = null;
      if (!cache.has(digest))
        cache.set(digest, () => {
          if (pictures) return pictures;
          pictures = last.then(() => draw(drawings));
          // Whoever loads the page again has it tried again.
          last = pictures.catch(() => cache.delete(digest));
          return pictures;
        });
      for (const old of [...cache.keys()].slice(0, -MOST_KEPT)) cache.delete(old);
      return drawings.map(({ title, description }, place) => ({
        title,
        description,
        address: `/charts/${digest}/${place}.svg`,
      }));
    },
    /** The n-th picture of a digest; null where there is none. Rejects when it could not be drawn. */
    picture: async (digest: string, place: number) => (await cache.get(digest)?.())?.[place] ?? null,
  };
}

/**
 * Draws in a process that ends with it, without credentials: the library takes more memory than all pages of a console.
 */
export function drawApart(drawings: readonly Drawing[]): Promise<string[]> {
  const program = fileURLToPath(ownModule('./draw-charts', import.meta.url));
  const drawing = promisify(execFile)(process.execPath, [program], { ...DRAWING, env: {} });
  drawing.child.stdin!.on('error', () => undefined).end(JSON.stringify(drawings)); // its end says what went wrong
  return drawing.then(({ stdout }) => JSON.parse(stdout));
}
