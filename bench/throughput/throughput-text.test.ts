import { expect, test } from 'vitest';
import { curveOf, rateOf, type Span } from './throughput-text.ts';

/** Windows of 56 partitions that take these times in ms, with a minute between them that counts for nothing. */
const spansOf = (milliseconds: readonly number[]): Span[] =>
  milliseconds.map((ms, n) => ({ from: n * 60_000, to: n * 60_000 + ms, count: 56, events: 300 }));

test('the curve adds up the time of the windows, and a rate is of the whole run', () => {
  const spans = spansOf(Array(6).fill(500));
  expect(curveOf(spans).at(-1)).toEqual({ partitions: 336, seconds: 3 });
  expect([spans, spansOf(Array(6).fill(250))].map(rateOf)).toEqual([112, 224]);
});
