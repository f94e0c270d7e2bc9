import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import { RELEASE_STATES, type ReleaseState } from '../contracts/release-state.ts';
import type { PartitionStatus, ReleaseStatus } from '../contracts/stages.ts';
import { causeOf, explainStatus, retryCost } from './explain-release.ts';
import { nearNames } from './near-names.ts';

const status = (state: ReleaseState, more: Partial<ReleaseStatus> = {}): ReleaseStatus => ({
  ...{ series: 'small', window: '2026-03-02', version: 1, seriesDigest: 'd', correction: null },
  ...{ state, stage: 'bin', partitions: [], charge: null, manifestDigest: null, verdict: null, attention: [] },
  ...{ required: 1, decisions: [], refusals: 0, expiresAt: null, publishNotBefore: null, location: null, ending: null },
  ...more,
});
const failed = (code: ErrorCode): PartitionStatus => ({ mode: 'bus', day: '2026-03-02', state: 'failed', code });
const codes = Object.keys(ERRORS) as ErrorCode[];

test.each(RELEASE_STATES)('a release that is %s is explained', (state) => {
  const { what, causes } = explainStatus(status(state, { partitions: [failed('OBJECT_MISSING')] }));
  expect(what).toContain(`small/2026-03-02/v1 is ${state}.`);
  expect(causes.length).toBeGreaterThan(0);
});

test.each(codes)('%s has a likely cause and what mends it, as a failed release and as a failed partition', (code) => {
  const { cause, mend } = ERRORS[code];
  for (const sentence of [cause, mend]) expect(sentence).toMatch(/^[A-Z].{8,}\.$|^[A-Z].*: opaline [a-z ]+\.$/);
  const ended = explainStatus(status('failed', { ending: { code, message: 'So it was.' } }));
  expect(ended.causes).toEqual([`${code}: So it was.`, causeOf(code)]);
  const held = explainStatus(status('partitions-failed', { partitions: [failed(code)] }));
  expect(held.causes.join(' ')).toContain(causeOf(code));
  expect(held.commands).toEqual(['opaline retry small/2026-03-02/v1']);
});

test('a retry costs 0 ε, for the reason that fits the failure', () => {
  expect(retryCost([failed('OBJECT_MISSING')])[0]).toContain('0 ε: nothing was drawn');
  expect(retryCost([failed('UNEXPECTED')])[0]).toContain('0 ε: a draw that exists is read again');
});

test('names that are near an unknown release come first', () => {
  const names = ['other/2026-03-02/v1', 'small/2026-03-02/v2', 'small/2026-03-09/v1'];
  expect(nearNames('small/2026-03-02/v1', names)[0]).toBe('small/2026-03-02/v2');
});
