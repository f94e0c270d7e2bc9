import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../contracts/errors.ts';
import { RELEASE_STATES, type ReleaseState } from '../contracts/release-state.ts';
import type { PartitionStatus, ReleaseStatus } from '../contracts/stages.ts';
import { causeOf, decisionCommand, explainStatus, retryCost } from './explain-release.ts';
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
  expect(held.commands[0]).toBe('opaline retry small/2026-03-02/v1');
});

test('what an object holds back can be abandoned once something is drawn, and nothing else can', () => {
  const drawn: PartitionStatus = { mode: 'bus', day: '2026-03-03', state: 'drawn' };
  const commands = (...partitions: PartitionStatus[]) =>
    explainStatus(status('partitions-failed', { partitions })).commands.slice(1);
  expect(commands(drawn, failed('OBJECT_SCHEMA'))).toEqual([
    'opaline abandon small/2026-03-02/v1 --partition bus/2026-03-02',
  ]);
  expect(commands(failed('OBJECT_MISSING'))).toEqual(['opaline cancel small/2026-03-02/v1']);
  expect(commands(drawn, failed('STORE_UNAVAILABLE'))).toEqual([]);
});

test('the decision at the gate is offered with the points that it has to acknowledge', () => {
  const command = (more: Partial<ReleaseStatus>) => decisionCommand(status('waiting', more));
  const name = 'small/2026-03-02/v1 --key KEY.pem --reason "…"';
  expect(command({ verdict: 'pass' })).toBe(`approve ${name}`);
  expect(command({ verdict: 'attention', attention: ['holes', 'sums'] })).toBe(
    `approve ${name} --acknowledge holes sums`,
  );
  expect(command({ verdict: 'fail', attention: ['holes'] })).toBe(`reject ${name}`);
});

test('a correction that ended is corrected again; over a cap the ledger comes first, then a run with raised caps', () => {
  const correction = { of: 1, partitions: [{ mode: 'bus', day: '2026-03-04' }], reason: 'object-late' as const };
  expect(explainStatus(status('rejected', { version: 2, correction })).commands).toEqual([
    'opaline correct small/2026-03-02/v1 --partition bus/2026-03-04 --reason object-late',
  ]);
  const ending = { code: 'BUDGET_EXCEEDED' as const, message: 'So it was.' };
  expect(explainStatus(status('failed', { version: 2, correction, ending })).commands).toEqual([
    'opaline ledger show',
    'opaline run SERIES.yaml --window 2026-03-02 --release-version 3',
  ]);
  expect(explainStatus(status('rejected')).commands).toEqual([
    'opaline run SERIES.yaml --window 2026-03-02 --release-version 2',
  ]);
});

test('times are told in the zone of the series', () => {
  const [at, zone] = ['2026-12-12T19:45:46.215Z', 'Australia/Sydney'];
  for (const waits of [
    status('waiting', { expiresAt: at }),
    status('approved-waiting', { publishNotBefore: at }),
    status('waiting-for-objects', { waitingFor: { names: ['late.csv'], total: 1, until: at } }),
  ])
    expect(explainStatus(waits, zone).causes[0]).toContain('2026-12-13 06:45 (Australia/Sydney).');
});

test('a retry costs 0 ε, for the reason that fits the failure', () => {
  expect(retryCost([failed('OBJECT_MISSING')])[0]).toContain('0 ε: nothing was drawn');
  expect(retryCost([failed('UNEXPECTED')])[0]).toContain('0 ε: a draw that exists is read again');
});

test('names that are near an unknown release come first', () => {
  const names = ['other/2026-03-02/v1', 'small/2026-03-02/v2', 'small/2026-03-09/v1'];
  expect(nearNames('small/2026-03-02/v1', names)[0]).toBe('small/2026-03-02/v2');
});
