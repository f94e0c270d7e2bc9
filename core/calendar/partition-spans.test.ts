import { expect, test } from 'vitest';
import { partitionSpans } from './partition-spans.ts';

const of = (part: string, ...days: string[]) => days.map((day) => ({ part, day }));

test('days in a row are named by the first and the last, over the end of a month and in any order', () => {
  const february = of('bus', '2028-03-01', '2028-02-28', '2028-02-29');
  expect(partitionSpans(february)).toBe('bus/2028-02-28 to bus/2028-03-01');
});

test('two days, days with one between, and other parts stand by themselves', () => {
  const days = [...of('tram', '2026-03-03'), ...of('bus', '2026-03-01', '2026-03-02', '2026-03-04')];
  expect(partitionSpans(days)).toBe('bus/2026-03-01, bus/2026-03-02, bus/2026-03-04, tram/2026-03-03');
  expect(partitionSpans([])).toBe('');
});
