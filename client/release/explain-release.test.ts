import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../contracts/errors.ts';
import { RELEASE_STATES, type ReleaseState } from '../../contracts/release-state.ts';
import type { PartitionStatus, ReleaseStatus, Stall } from '../../contracts/stages.ts';
import { nearNames } from '../series/near-names.ts';
import { causeOf, decisionCommand, explainStatus, retryCost } from './explain-release.ts';

const status = (state: ReleaseState, more: Partial<ReleaseStatus> = {}): ReleaseStatus => ({
  series: 'small',
  window: '2026-03-02',
  version: 1,
  seriesDigest: 'd',
  correction: null,
  state,
  stage: 'bin',
  partitions: [],
  charge: null,
  manifestDigest: null,
  verdict: null,
  attention: [],
  required: 1,
  elsewhere: 0,
  decisions: [],
  refusals: 0,
  expiresAt: null,
  publishNotBefore: null,
  coolingHours: 0,
  coolingUntil: null,
  location: null,
  ending: null,
  waitingFor: null,
  sourceChanges: null,
  stall: null,
  ...more,
});
const failed = (code: ErrorCode): PartitionStatus => ({ part: 'bus', day: '2026-03-02', state: 'failed', code });
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

const stall = (more: Partial<Stall> = {}): Stall => ({
  activity: 'derive',
  code: 'STORE_UNAVAILABLE',
  message: 'The store is away.',
  attempts: 12,
  since: '2026-11-22T06:00:00Z',
  from: 'running',
  ...more,
});

test.each(codes)(
  'a release that is stalled by %s names stage, code, attempts and time, and is retried or cancelled',
  (code) => {
    const { causes, commands } = explainStatus(status('stalled', { stage: 'derive', stall: stall({ code }) }));
    expect(causes[0]).toBe(
      `At the stage derive 12 attempts failed, the last at 2026-11-22 06:00 (UTC), with ${code}: The store is away. ${causeOf(code)}`,
    );
    expect(causes.at(-1)).toContain('0 ε');
    expect(commands.slice(0, 2)).toEqual(['opaline retry small/2026-03-02/v1', 'opaline cancel small/2026-03-02/v1']);
    expect(causes.some((cause) => cause.includes('keeps the series file'))).toBe(code === 'POLICY_REFUSED');
    const again = 'opaline run SERIES.yaml --window 2026-03-02';
    expect(commands.slice(2)).toEqual(code === 'POLICY_REFUSED' ? [again] : []);
  },
);

test('a stall says which part of its stage failed, when that is not the stage itself, and one attempt is one', () => {
  const shadow = stall({ activity: 'shadow', attempts: 1, from: 'auditing' });
  const { causes } = explainStatus(status('stalled', { stage: 'audit', stall: shadow }));
  expect(causes[0]).toMatch(/^At the stage audit \(shadow\) 1 attempt failed/);
});

test.each([
  ['publish', { from: 'publishing' as const }, {}, 'may be public in part'],
  ['commit', { from: 'publishing' as const }, { location: 'folder:/p' }, 'It is public, at folder:/p.'],
  ['withhold', { from: 'withdrawn' as const }, {}, 'It is withdrawn; only the ledger'],
])(
  'a release whose end is stalled in %s says what is done already, and can only be retried',
  (activity, more, rest, said) => {
    const { causes, commands } = explainStatus(
      status('ending-stalled', { ...rest, stall: stall({ activity, ...more }) }),
    );
    expect(causes.join(' ')).toContain(said);
    expect(commands).toEqual(['opaline retry small/2026-03-02/v1']);
  },
);

test('a retraction that is stalled is explained with its publication', () => {
  const retraction = {
    state: 'ending-stalled' as const,
    reasons: [],
    by: ['a'],
    signed: 1,
    required: 1,
    stall: stall(),
  };
  const { causes, commands } = explainStatus({ ...status('published', { location: 'folder:/p' }), retraction });
  expect(causes[1]).toContain('It is to be retracted. At the stage publish');
  expect(commands).toEqual(['opaline retry small/2026-03-02/v1']);
});

test('what is tried again at the moment is told, in any state', () => {
  const failing = [{ activity: 'audit', failed: 2, attempts: 12, code: 'WORKER_LOST' as const }];
  const { causes } = explainStatus({ ...status('auditing'), failing });
  expect(causes.at(-1)).toBe(
    `audit has failed 2 times, the last time with WORKER_LOST; it is tried 12 times in all. ${causeOf('WORKER_LOST')}`,
  );
});

test('what an object holds back can be abandoned once something is drawn, and nothing else can', () => {
  const drawn: PartitionStatus = { part: 'bus', day: '2026-03-03', state: 'drawn' };
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
  const correction = { of: 1, partitions: [{ part: 'bus', day: '2026-03-04' }], reason: 'object-late' as const };
  expect(explainStatus(status('rejected', { version: 2, correction })).commands).toEqual([
    'opaline correct small/2026-03-02/v1 --partition bus/2026-03-04 --reason object-late --key KEY.pem',
  ]);
  const ending = { code: 'BUDGET_EXCEEDED' as const, message: 'So it was.' };
  expect(explainStatus(status('failed', { version: 2, correction, ending })).commands).toEqual([
    'opaline ledger show',
    'opaline order version small/2026-03-02/v2 --series SERIES.yaml --key KEY.pem --out small-2026-03-02-v2.order.json',
    'opaline run SERIES.yaml --window 2026-03-02 --release-version 2 --order small-2026-03-02-v2.order.json',
  ]);
  expect(explainStatus(status('rejected', { charge: 'c' })).commands).toEqual([
    'opaline order version small/2026-03-02/v2 --series SERIES.yaml --key KEY.pem --out small-2026-03-02-v2.order.json',
    'opaline run SERIES.yaml --window 2026-03-02 --release-version 2 --order small-2026-03-02-v2.order.json',
  ]);
  // Nothing was charged: the same version runs again, and needs no order.
  expect(explainStatus(status('cancelled')).commands).toEqual(['opaline run SERIES.yaml --window 2026-03-02']);
});

test('times are told in the zone of the series', () => {
  const [at, zone] = ['2026-12-12T19:45:46.215Z', 'Australia/Sydney'];
  for (const waits of [
    status('waiting', { expiresAt: at }),
    status('approved-waiting', { publishNotBefore: at }),
    status('waiting-for-objects', { waitingFor: { names: ['late.csv'], total: 1, until: at } }),
  ])
    expect(explainStatus(waits, zone).causes[0]).toContain('2026-12-13 06:45 (Australia/Sydney)');
});

test('a retry costs 0 ε, for the reason that fits the failure', () => {
  expect(retryCost([failed('OBJECT_MISSING')])[0]).toContain('0 ε: nothing was drawn');
  expect(retryCost([failed('UNEXPECTED')])[0]).toContain('0 ε: a draw that exists is read again');
});

test('names that are near an unknown release come first', () => {
  const names = ['other/2026-03-02/v1', 'small/2026-03-02/v2', 'small/2026-03-09/v1'];
  expect(nearNames('small/2026-03-02/v1', names)[0]).toBe('small/2026-03-02/v2');
});
