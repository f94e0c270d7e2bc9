import { expect, test } from 'vitest';
import { withModes, withParts } from './generation-1.ts';

const EARLIER = { draws: [{ partition: { mode: 'bus', day: '2026-03-02' }, digest: 'd' }], holes: [], charge: 'c' };
const NOW = { draws: [{ partition: { part: 'bus', day: '2026-03-02' }, digest: 'd' }], holes: [], charge: 'c' };

test('what an earlier build sends is read, and what it reads is sent', () => {
  expect(withParts(EARLIER)).toEqual(NOW);
  expect(withParts(withModes(NOW))).toEqual(NOW);
  expect(withModes(NOW)).toMatchObject(EARLIER);
});

test('what holds no partition stays as it is', () => {
  for (const payload of [undefined, null, 7, 'text', [], { mode: 'bus' }, { part: 'bus', window: '2026-03-02' }])
    expect(withModes(withParts(payload))).toEqual(payload);
});
