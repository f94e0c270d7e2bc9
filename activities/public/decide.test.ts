import { afterEach, beforeEach, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { DecideInput } from '../../contracts/stages.ts';
import {
  ada,
  ben,
  eve,
  type TestRelease,
  testDecision,
  testRelease,
  testSeries,
} from '../../test/support/test-release.ts';
import type { DecisionRequest } from '../signing/decision.ts';
import { generateSigningKey } from '../signing/keys.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';
import { decide } from './decide.ts';

const MANIFEST = 'ab'.repeat(32);
let release: TestRelease;
beforeEach(async () => {
  release = await testRelease();
});
afterEach(() => release.remove());

const decision = (
  person: typeof ada = ada,
  signed: Partial<DecisionRequest> = {},
  change: Partial<DecideInput> = {},
): DecideInput => testDecision(release.run, MANIFEST, person, signed, change);

const keys = async (prefix: string) => {
  const found: string[] = [];
  for await (const { key } of release.context.releaseStore.list(prefix)) found.push(key);
  return found;
};

/** Makes a changed series the newest applied one. */
async function apply(changes: Record<string, unknown>): Promise<string> {
  const { releaseStore } = release.context;
  const bytes = jsonBytes(testSeries(changes));
  const digest = sha256(bytes);
  await releaseStore.putIfAbsent(RELEASE_KEYS.series('demo', digest), bytes);
  const key = RELEASE_KEYS.appliedSeries('demo');
  await releaseStore.compareAndSwap(key, await releaseStore.readMutable(key), { digest });
  return digest;
}

const stranger = { subject: 'mallory@example.org', ...generateSigningKey() };

test('an approval by an approver is accepted and kept with its note, under the digest of its envelope', async () => {
  const result = await decide(release.context, decision());
  expect(result).toMatchObject({ accepted: true, subject: ada.subject, decision: 'approve', reason: 'audit-passed' });
  expect(result.accepted && (await keys('decisions/'))).toEqual([
    `decisions/demo/2026-03-02/v1/${result.accepted && result.digest}.json`,
  ]);
  expect(await decide(release.context, decision(ben, { decision: 'reject', reason: 'not-needed' }))).toMatchObject({
    accepted: true,
    decision: 'reject',
  });
});

/** What anybody can send: not an approver's word, or not on this manifest and for this action. */
const JUNK: [code: string, input: () => DecideInput][] = [
  ['DIGEST_STALE', () => decision(ada, { manifestDigest: 'cd'.repeat(32) })],
  ['DIGEST_STALE', () => decision(ada, { release: { series: 'demo', window: '2026-03-02', version: 2 } })],
  ['SUBJECT_UNKNOWN', () => decision(stranger)],
  ['SIGNATURE_INVALID', () => decision({ ...stranger, subject: ada.subject })],
  ['SUBJECT_IS_CUSTODIAN', () => decision({ ...stranger, subject: eve.subject })],
  ['SIGNATURE_INVALID', () => decision(ada, {}, { envelope: { ...decision().envelope, payload: 'e30=' } })],
  ['SIGNATURE_INVALID', () => decision(ada, { decision: 'reject', reason: 'other' }, { action: 'approve' })],
];

test.each(JUNK)(
  'junk is answered with %s and leaves no trace, before and after fifty refusals',
  async (code, input) => {
    for (const refusals of [7, 50])
      expect(await decide(release.context, { ...input(), refusals })).toMatchObject({
        accepted: false,
        recorded: false,
        code,
      });
    expect(await keys('refusals/')).toEqual([]);
    expect(await keys('decisions/')).toEqual([]);
  },
);

const REFUSALS: [code: string, input: () => DecideInput][] = [
  ['SUBJECT_IS_CUSTODIAN', () => decision(eve)],
  ['ALREADY_DECIDED', () => decision(ada, {}, { decided: [ada.subject] })],
  ['VERDICT_FAIL', () => decision(ada, {}, { verdict: 'fail' })],
  ['ATTENTION_NOT_ACKNOWLEDGED', () => decision(ada, { acknowledged: ['holes'] }, { attention: ['holes', 'reuse'] })],
];

test.each(REFUSALS)('a signed decision that is refused with %s is recorded, not thrown (C16)', async (code, input) => {
  const answer = await decide(release.context, { ...input(), refusals: 7 });
  expect(answer).toMatchObject({ accepted: false, recorded: true, code });
  expect(await keys('refusals/')).toEqual(['refusals/demo/2026-03-02/v1/0008.json']);
  expect(await keys('decisions/')).toEqual([]);
});

test('attention points that are acknowledged, and a rejection of a failed release, are accepted', async () => {
  const acknowledged = { acknowledged: ['reuse', 'holes'], reason: 'attention-accepted' as const };
  expect(await decide(release.context, decision(ada, acknowledged, { attention: ['holes', 'reuse'] }))).toMatchObject({
    accepted: true,
  });
  const reject = decision(
    ben,
    { decision: 'reject', reason: 'audit-attention' },
    { verdict: 'fail', attention: ['x'] },
  );
  expect(await decide(release.context, reject)).toMatchObject({ accepted: true });
});

test('after fifty refusals nothing new is taken, and nothing is recorded', async () => {
  for (const input of [decision(eve, {}, { refusals: 50 }), decision(ada, {}, { refusals: 50 })])
    expect(await decide(release.context, input)).toMatchObject({ accepted: false, code: 'TOO_MANY_REFUSALS' });
  expect(await keys('refusals/')).toEqual([]);
});

test('safe-to-retry: the same envelope after a crash is accepted again with the same digest', async () => {
  const first = await decide(release.context, decision());
  expect(await decide(release.context, decision())).toEqual(first);
  // The worker died after the record was kept; meanwhile the workflow knows the subject, the gate is full of refusals,
  // and ada is no approver any more.
  await apply({ gate: { approvers: [{ subject: ben.subject, key: ben.publicKey }] } });
  expect(await decide(release.context, decision(ada, {}, { decided: [ada.subject], refusals: 50 }))).toEqual(first);
  expect(await keys('decisions/')).toHaveLength(1);
});

test('safe-to-retry: a refusal that is tried again is recorded once; another one gets the next number', async () => {
  const late = decision(ada, {}, { verdict: 'fail' });
  await decide(release.context, late);
  await decide(release.context, late);
  expect(await keys('refusals/')).toHaveLength(1);
  await decide(release.context, decision(eve));
  expect(await keys('refusals/')).toHaveLength(2);
});

test('a second decision of a subject, or of another subject with the same key, is no second decision', async () => {
  await decide(release.context, decision());
  const change = decision(ada, { decision: 'reject', reason: 'other' }, { decided: [ada.subject] });
  expect(await decide(release.context, change)).toMatchObject({ code: 'ALREADY_DECIDED' });
  const twin = { ...ada, subject: 'ada.two@example.org' };
  await apply({ gate: { approvers: [ada, twin].map(({ subject, publicKey }) => ({ subject, key: publicKey })) } });
  expect(await decide(release.context, decision(twin, {}, { decided: [ada.subject] }))).toMatchObject({
    code: 'ALREADY_DECIDED',
  });
});

test('approvers and custodians are those of the newest applied series file, and the record names it', async () => {
  const digest = await apply({ custodians: [ada.subject] });
  expect(await decide(release.context, decision())).toMatchObject({ code: 'SUBJECT_IS_CUSTODIAN' });
  const answer = await decide(release.context, decision(ben));
  const [key] = await keys('decisions/');
  const { stream } = await release.context.releaseStore.get(key!);
  const record = JSON.parse((await stream.toArray()).join(''));
  expect(answer.accepted).toBe(true);
  expect(record).toMatchObject({ seriesDigest: digest, note: 'a free text' });
});
