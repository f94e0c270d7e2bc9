import { expect, test } from 'vitest';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { readStatus } from './read-status.ts';

const RELEASE = { series: 'small', window: '2026-03-02', version: 1 };
const STATUS: object = {
  ...RELEASE,
  state: 'stalled',
  stage: 'gate',
  partitions: [{ part: 'bus', day: '2026-03-02', state: 'drawn' }],
  charge: null,
  verdict: null,
  attention: [],
  required: 1,
  elsewhere: 0,
  decisions: [],
  expiresAt: null,
  publishNotBefore: null,
  coolingUntil: null,
  coolingHours: 0,
  location: null,
  stall: null,
  ending: null,
};
const read = (change: object) => readStatus(RELEASE, { ...STATUS, ...change } as ReleaseStatus);

test('a status is read, with members that a later build may add', () => {
  expect(read({ later: 1 })).toMatchObject({ state: 'stalled', later: 1 });
});

test.each<object>([
  { state: 'glorious' },
  { stage: 'heaven' },
  { version: 2 },
  { partitions: 'none' },
  { partitions: [{ part: 'bus', day: 'today', state: 'drawn' }] },
  { decisions: [null] },
  { expiresAt: 'soon' },
  { stall: { code: 'X' } },
  { ending: 'badly' },
])('a forged status ends with a sentence: %j', (change) => {
  expect(() => read(change)).toThrow('What Temporal holds as small/2026-03-02/v1 is no release of Opaline');
});
