import { expect, test } from 'vitest';
import { curveOf, rateRows, type Span } from './throughput-text.ts';

/** Windows of 56 partitions that take so many ms each, with a minute between them that counts for nothing. */
const spansOf = (milliseconds: readonly number[]): Span[] =>
  milliseconds.map((ms, n) => ({ from: n * 60_000, to: n * 60_000 + ms, count: 56, events: 300 }));

test('the curve adds up the time of the windows, and the rows have the rates at its milestones', () => {
  const spans = spansOf(Array(6).fill(500));
  expect(curveOf(spans).at(-1)).toEqual({ partitions: 336, seconds: 3 });
  expect(rateRows({ backfill: spans, baseline: spansOf(Array(6).fill(250)) })).toEqual([
    ['56', '0.5', '112', '224', '2.00'],
    ['280', '2.5', '112', '224', '2.00'],
    ['336', '3.0', '112', '224', '2.00'],
  ]);
});
