import { expect, test } from 'vitest';
import type { Span } from './spans.ts';
import { bend, curveOf, rateTable } from './throughput-text.ts';

/** Windows of 56 partitions that take so many ms each, with a minute between them that counts for nothing. */
const spansOf = (milliseconds: readonly number[]): Span[] =>
  milliseconds.map((ms, n) => ({ from: n * 60_000, to: n * 60_000 + ms, count: 56, events: 300 }));

test('the curve adds up the time of the windows, and the table tells the rates at its milestones', () => {
  const spans = spansOf(Array(6).fill(500));
  expect(curveOf(spans).at(-1)).toEqual({ partitions: 336, seconds: 3 });
  const table = rateTable({
    backfill: { spans, seconds: 60, processes: [] },
    baseline: { spans: spansOf(Array(6).fill(250)), cpuMs: 1 },
  });
  expect(table.split('\n').slice(2)).toEqual([
    '| 56 | 0.5 | 112 | 224 | 2.00 |',
    '| 280 | 2.5 | 112 | 224 | 2.00 |',
    '| 336 | 3.0 | 112 | 224 | 2.00 |',
  ]);
});

test('the bend is 1 for a line, and shows a second half that is slower', () => {
  expect(bend(curveOf(spansOf([500, 500, 500, 500])))).toBeCloseTo(1);
  expect(bend(curveOf(spansOf([500, 500, 750, 1250])))).toBeCloseTo(2);
});
