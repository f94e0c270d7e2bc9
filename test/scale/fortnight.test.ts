import { expect, test } from 'vitest';
import { releaseFortnight } from './fortnight.fixture.ts';
import { useTable } from './stage-watch.fixture.ts';

/** Design, section 7: resident memory of each process. */
const MOST_MIB = 1536;

test('a fortnight of a million trips and a domain of 1.87 million cells is published, and nothing blocks what serves Temporal', {
  tags: 'soak',
  timeout: 600_000,
}, async () => {
  const { uses, blocks, history, published, verification } = await releaseFortnight(1_000_000);
  console.log(useTable(uses));
  expect(published.state).toBe('published');
  expect(verification.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(blocks).toEqual([]);
  // 56 partitions; an event or a payload that grows with the counts would pass these by far.
  expect(history.events).toBeLessThan(350);
  expect(history.bytes).toBeLessThan(150_000);
  for (const { residentMiB } of uses.values()) expect(residentMiB).toBeLessThan(MOST_MIB);
});
