import { expect, test } from 'vitest';
import { chartKeeper, drawApart, partDrawings } from './charts.ts';

const day = (n: number): string => `2026-11-${String(n).padStart(2, '0')}`;

const drawingsOf = (counts: readonly number[], hours: readonly number[], usual: unknown[] = [], part = 'bus') => {
  const totals = counts.map((count, n) => ({ part, day: day(n + 1), count, low: count - 2, high: count + 2 }));
  const byHour = [{ part, hours: hours.map((count, n) => ({ hour: String(n).padStart(2, '0'), count })) }];
  return partDrawings({ totals, byHour, report: { history: { days: usual } } } as never);
};

/** How high the bars of a colour are. */
const heights = (picture: string, fill: string): number[] =>
  [...picture.matchAll(/<path d="M[-\d.]+,[-\d.]+h[-\d.]+v(-?[\d.]+)h[^>]*?fill="(#\w+)"/g)]
    .filter(([, , own]) => own === fill)
    .map(([, height]) => Math.abs(Number(height)));

test('bars are as high as their counts, from 0 on, with what is usual behind them', async () => {
  const [week] = await drawApart(drawingsOf([100, 50, -20], [1], [{ partition: `bus/${day(1)}`, usual: [60, 80] }]));
  const bars = heights(week!, '#0b4f8a');
  expect(bars[0]! / bars[1]!).toBeCloseTo(2, 1);
  expect(bars[0]! / bars[2]!).toBeCloseTo(5, 1);
  expect(heights(week!, '#9dbddb')).toHaveLength(1);
  expect(heights(week!, '#9dbddb')[0]! / bars[0]!).toBeCloseTo(0.2, 1);
  expect(week).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^>]*><style>@media screen and \(prefers-color/);
});

test('a chart of nothing, of one hour, and of more than fit, is whole, and a name is text', async () => {
  for (const hours of [[], [0], [7], Array.from({ length: 30 }, (_, n) => n * 1e6)]) {
    const markup = (await drawApart(drawingsOf([0, 1234], hours, [], '</title><script>'))).join('');
    expect(markup).not.toMatch(/NaN|Infinity|undefined|<script/);
    expect(heights(markup, '#0b4f8a')).toHaveLength(2 + hours.length);
    expect(markup).toContain('&lt;/title&gt;&lt;script&gt;: taps of each day');
    expect(markup).toContain(hours.length > 1 ? '>20 M<' : '>1\u202f000<');
  }
});

test('one process draws at a time, once for each digest; the newest eight are kept, and a failure is tried again with the page', async () => {
  let [now, most, drawn] = [0, 0, 0];
  const keeper = chartKeeper(async (drawings) => {
    [now, drawn] = [now + 1, drawn + 1];
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now -= 1;
    if (drawn === 1) throw new Error('it was killed');
    return drawings.map(({ title }) => title);
  });
  const digests = Array.from({ length: 9 }, (_, n) => keeper.keep(drawingsOf([n], [n]))[0]!.address.split('/')[2]!);
  expect(await keeper.picture(digests[0]!, 0)).toBeNull();
  const asked = digests.slice(1).flatMap((digest) => [keeper.picture(digest, 0), keeper.picture(digest, 1)]);
  const answers = await Promise.allSettled(asked);
  expect(answers.map(({ status }) => status)).toEqual([...Array(2).fill('rejected'), ...Array(14).fill('fulfilled')]);
  expect([await keeper.picture(digests[1]!, 1), drawn]).toEqual([null, 8]);
  keeper.keep(drawingsOf([1], [1]));
  expect(await keeper.picture(digests[1]!, 1)).toBe('bus: taps by hour, all days');
  expect(await keeper.picture(digests[1]!, 2)).toBeNull();
  expect([most, drawn]).toEqual([1, 9]);
});
