import { expect, test } from 'vitest';
import type { ReleaseLine } from '../client/release/retractions.ts';
import type { ReleaseStatus } from '../contracts/stages.ts';
import { durationText, statusTable } from './status-text.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const ZONES = new Map([['small', 'Australia/Sydney']]);

test.each([
  ['2026-03-10T12:00:00.000Z', '0 s'],
  ['2026-03-10T11:59:01.000Z', '59 s'],
  ['2026-03-10T10:59:00.000Z', '1 h 1 min'],
  ['2026-03-07T08:30:00.000Z', '3 d 3 h'],
  ['2026-03-07T11:59:00.000Z', '3 d'],
  ['2026-03-11T12:00:00.000Z', '0 s'],
])('since %s it is %s', (from, text) => {
  expect(durationText((Date.parse(NOW) - Date.parse(from)) / 1000)).toBe(text);
});

const open = {
  state: 'partitions-failed',
  since: '2026-03-10T10:00:00.000Z',
  series: 'small',
  window: '2026-03-02',
  version: 1,
  verdict: null,
  partitions: [
    { part: 'bus', day: '2026-03-02', state: 'failed', code: 'OBJECT_MISSING' },
    { part: 'bus', day: '2026-03-03', state: 'drawn' },
  ],
} as unknown as ReleaseStatus;
const line: ReleaseLine = {
  series: 'small',
  window: '2026-03-02',
  version: 1,
  state: 'partitions-failed',
  startedAt: '2026-03-09T00:00:00.000Z',
  retraction: null,
  stall: null,
  open,
};

test('the table says how many partitions failed and how long it waits', () => {
  const text = statusTable([line], ZONES, NOW);
  expect(text).toMatch(/^small\/2026-03-02\/v1 {2}partitions-failed {2}2 h {2}1 of 2 /m);
});

test('times are those of the series: its clock, and its zone beside them', () => {
  const waiting = { ...open, state: 'waiting', expiresAt: '2026-04-05T15:30:00.000Z' } as ReleaseStatus;
  const times = statusTable([{ ...line, open: waiting }], ZONES, NOW);
  expect(times).toMatch(/ 2026-04-06 01:30 +2026-03-09 11:00 +Australia\/Sydney$/m);
  const other = {
    ...waiting,
    state: 'waiting-for-objects',
    waitingFor: { names: [], total: 0, until: NOW },
  } as ReleaseStatus;
  expect(statusTable([{ ...line, series: 'other', open: other }], ZONES, NOW)).toMatch(
    / 2026-03-10 12:00 +2026-03-09 00:00 +UTC$/m,
  );
});

test('one that does not answer has its line all the same', () => {
  expect(statusTable([{ ...line, open: null }], ZONES, NOW)).toMatch(
    /^small\/2026-03-02\/v1 {2}partitions-failed +2026/m,
  );
});
