import { expect, test } from 'vitest';
import { RELEASE_ACTIONS, type ReleaseAction } from './release-state.ts';
import {
  isReleaseMoved,
  NOTE_CHARACTERS,
  PAYLOAD_CHARACTERS,
  wrongActivityInput,
  wrongBackfill,
  wrongReleaseInput,
  wrongRequest,
  wrongScheduledInput,
} from './sent-values.ts';

const RUN = { series: 'opal-taps', window: '2026-03-02', version: 1, seriesDigest: 'ab'.repeat(32) };
const PARTITIONS = [{ part: 'bus', day: '2026-03-02' }];
const SIGNATURE = { keyid: 'ab'.repeat(32), sig: 'A'.repeat(88) };
const ENVELOPE = { payloadType: 'application/vnd.in-toto+json', payload: 'e30=', signatures: [SIGNATURE] };
const DECISION = { envelope: ENVELOPE, note: 'a note' };
const WINDOWS = [{ window: '2026-03-02', state: 'to-do' }];
const BACKFILL = {
  id: 'a',
  series: 'opal-taps',
  seriesDigest: RUN.seriesDigest,
  atOnce: 2,
  state: 'running',
  windows: WINDOWS,
};
const CORRECTION = { of: 1, partitions: PARTITIONS, reason: 'object-late' };

const requestOf = (action: ReleaseAction): object => {
  if (['approve', 'reject', 'withdraw', 'reopen'].includes(action)) return DECISION;
  if (action === 'reaudit') return { subject: 'ops', declaration: RUN.seriesDigest };
  return /Partitions$/.test(action) ? { subject: 'ops', partitions: PARTITIONS } : { subject: 'ops' };
};

test('what the client sends passes', () => {
  expect(wrongReleaseInput({ ...RUN, correction: null })).toBeNull();
  expect(wrongReleaseInput(RUN)).toBeNull();
  expect(wrongReleaseInput({ ...RUN, correction: CORRECTION })).toBeNull();
  expect(wrongScheduledInput({ series: 'opal-taps' })).toBeNull();
  expect(wrongBackfill(BACKFILL)).toBeNull();
  expect(isReleaseMoved({ window: '2026-03-02', state: 'waiting' })).toBe(true);
  for (const action of RELEASE_ACTIONS) expect(wrongRequest(action, requestOf(action), []), action).toBeNull();
  expect(wrongRequest('retryPartitions', { subject: 'ops', partitions: [] }, [])).toBeNull();
  expect(wrongActivityInput('privatize', { ...RUN, round: 0, partitions: [PARTITIONS[0]], charge: '' })).toBeNull();
});

test('every action refuses a second argument, none, and one of another shape', () => {
  for (const action of RELEASE_ACTIONS) {
    expect(wrongRequest(action, requestOf(action), [{}]), action).toContain('one argument');
    for (const odd of [undefined, null, 'x', [], { ...requestOf(action), subject: undefined, note: 3 }])
      expect(wrongRequest(action, odd, []), action).not.toBeNull();
  }
});

const ODD_DECISIONS: [what: string, object][] = [
  ['a further member', { ...DECISION, more: 1 }],
  ['a note that is too long', { ...DECISION, note: 'x'.repeat(NOTE_CHARACTERS + 1) }],
  [
    'a statement that is too long',
    { ...DECISION, envelope: { ...ENVELOPE, payload: 'A'.repeat(PAYLOAD_CHARACTERS + 4) } },
  ],
  ['two signatures', { ...DECISION, envelope: { ...ENVELOPE, signatures: [SIGNATURE, SIGNATURE] } }],
  ['no signature', { ...DECISION, envelope: { ...ENVELOPE, signatures: [] } }],
  [
    'a signature with a further member',
    { ...DECISION, envelope: { ...ENVELOPE, signatures: [{ ...SIGNATURE, x: 1 }] } },
  ],
  ['a payload that is a list', { ...DECISION, envelope: { ...ENVELOPE, payload: ['e30='] } }],
];

test.each(ODD_DECISIONS)('a decision with %s is refused', (_, decision) => {
  expect(wrongRequest('approve', decision, [])).not.toBeNull();
});

const ODD_RUNS: object[] = [
  ...[0, -1, 1.5, '1', 1e21, Number.NaN, null].map((version) => ({ version })),
  ...['../x', 'A', '', 'a/b', 3, null].map((series) => ({ series })),
  ...['2026-3-2', '../..', '', 20260302].map((window) => ({ window })),
  ...['z'.repeat(64), 'ab', null].map((seriesDigest) => ({ seriesDigest })),
  { correction: { ...CORRECTION, of: 0 } },
  { correction: { ...CORRECTION, reason: 'because' } },
  { correction: { ...CORRECTION, partitions: [{ part: '../x', day: '2026-03-02' }] } },
  { note: 'x'.repeat(3_000) },
];

test.each(ODD_RUNS)('a release with %j is refused', (change) => {
  expect(wrongReleaseInput({ ...RUN, correction: null, ...change })).not.toBeNull();
});

test('a back-fill, a signal and the input of an activity of other types are refused', () => {
  const odd = [
    { id: 1 },
    { atOnce: 0 },
    { state: 'odd' },
    { windows: {} },
    { windows: [{ window: 'x', state: 'to-do' }] },
  ];
  for (const change of odd) expect(wrongBackfill({ ...BACKFILL, ...change }), JSON.stringify(change)).not.toBeNull();
  for (const moved of [undefined, null, {}, { window: 1, state: 'waiting' }, { window: 'a', state: 'odd' }])
    expect(isReleaseMoved(moved)).toBe(false);
  const members = [
    { round: -1 },
    { partitions: null },
    { partitions: {} },
    { manifestDigest: 'x' },
    { decisions: ['x'] },
  ];
  for (const change of members)
    expect(wrongActivityInput('derive', { ...RUN, ...change }), JSON.stringify(change)).toContain(
      Object.keys(change)[0],
    );
  expect(wrongActivityInput('plan', undefined)).not.toBeNull();
  expect(wrongActivityInput('scheduledWindow', { series: 'a', scheduledAt: 'soon' })).not.toBeNull();
});
