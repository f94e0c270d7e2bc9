import { expect, test } from 'vitest';
import { partCharts } from './charts.ts';

const day = (n: number): string => `2026-11-${String(n).padStart(2, '0')}`;

/** The charts of one part as markup, its days and then its hours. */
async function drawnOf(counts: readonly number[], hours: readonly number[], usual: unknown[] = []): Promise<string[]> {
  const totals = counts.map((count, n) => ({ part: 'bus', day: day(n + 1), count, low: count - 2, high: count + 2 }));
  const byHour = [{ part: 'bus', hours: hours.map((count, n) => ({ hour: String(n).padStart(2, '0'), count })) }];
  const [charts] = partCharts({ totals, byHour, report: { history: { days: usual } } } as never);
  return Promise.all([charts!.week, charts!.day!].map(async (one) => String(await one)));
}

const numbers = (markup: string, pattern: RegExp): number[] =>
  [...markup.matchAll(pattern)].map(([, value]) => Number(value));

test('bars are as high as their counts, from 0 on, with what is usual behind them', async () => {
  const [week] = await drawnOf([100, 50, -20], [1], [{ partition: `bus/${day(1)}`, usual: [60, 80] }]);
  const heights = numbers(week!, /height="([\d.]+)" fill="#0b4f8a"/g);
  expect(heights[0]! / heights[1]!).toBeCloseTo(2, 1);
  expect(heights[0]! / heights[2]!).toBeCloseTo(5, 1);
  expect(numbers(week!, /height="([\d.]+)" fill="#9dbddb"/g)[0]! / heights[0]!).toBeCloseTo(0.2, 1);
  expect(week).toMatch(/>-50<.*>0<.*>50<.*>100<.*>150</s);
});

test('a part that runs in one hour alone has a line over the whole of it', async () => {
  const [, day] = await drawnOf([1], [7]);
  const [from, to] = numbers(day!, /<path d="M([\d.]+) [\d.]+H[\d.]+" fill="none"/g).concat(
    numbers(day!, /<path d="M[\d.]+ [\d.]+H([\d.]+)" fill="none"/g),
  );
  expect(to! - from!).toBeGreaterThan(200);
});

test('a chart of nothing, of one hour, and of more than fit, is whole', async () => {
  for (const hours of [[], [0], [7], Array.from({ length: 30 }, (_, n) => n * 1e6)]) {
    const markup = (await drawnOf([0], hours)).join('');
    expect(markup).not.toMatch(/NaN|Infinity|undefined/);
    expect(numbers(markup, /text-anchor="middle">(\d\d)</g).length).toBeLessThanOrEqual(17);
  }
});
