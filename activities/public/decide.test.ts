import { beforeEach, expect, test } from 'vitest';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { DecideInput } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { putDecisionRecord } from '../../services/decisions/decision-record.ts';
import type { DecisionRequest } from '../../services/signing/decision-statement.ts';
import { signEnvelope } from '../../services/signing/envelope.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { swapMutable } from '../../services/stores/mutable-json.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { putCharge } from '../../test/support/test-custody.ts';
import { type TestRelease, testBasis, testDecision, testRelease, testSeries } from '../../test/support/test-release.ts';
import { ada, approver, ben, eve, publisherKey, trustChain } from '../../test/support/trust-files.ts';
import { decide } from './decide.ts';

const MANIFEST = 'ab'.repeat(32);
let release: TestRelease;
beforeEach(async () => {
  release = await testRelease();
});

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
  // The worker died after the record was kept; the workflow knows the subject by now, and the gate is full of refusals.
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

test('a second decision of a subject, in whatever spelling, is no second decision', async () => {
  await decide(release.context, decision());
  const change = { decision: 'reject', reason: 'other' } as const;
  for (const subject of [ada.subject, ada.subject.toUpperCase()])
    expect(
      await decide(release.context, decision(ada, { ...change, subject }, { decided: [ada.subject] })),
    ).toMatchObject({
      code: 'ALREADY_DECIDED',
    });
});

test('C16: a record that was planted is not believed: its signature is looked at first', async () => {
  const planted = decision({ ...stranger, subject: ada.subject });
  await keep(planted);
  expect(await decide(release.context, planted)).toMatchObject({ accepted: false, code: 'SIGNATURE_INVALID' });
});

const keep = ({ envelope }: DecideInput, { privateKey } = publisherKey, at = '2026-03-19T00:00:00.000Z') =>
  putDecisionRecord(
    release.context.releaseStore,
    release.run,
    { envelope, note: '' },
    { at: new Date(at), publisherKey: privateKey },
  );

test('C16: when a decision came is what a publisher signed first, and not what somebody puts into the store', async () => {
  const at = (iso: string) => ({ ...release.context, now: () => new Date(iso) });
  const first = await decide(at('2026-03-20T00:00:00.000Z'), decision());
  expect(first).toMatchObject({ arrivedAt: '2026-03-20T00:00:00.000Z', coolingHours: 0 });
  expect(await decide(at('2026-03-21T00:00:00.000Z'), decision())).toEqual(first);
  // Somebody who has the credential of the store was there before the gate, with an earlier time.
  await keep(decision(ben), stranger);
  await expect(decide(release.context, decision(ben))).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
});

test.each([
  [
    'the version that bound the release',
    [{}, { coolingHours: 48 }, { coolingHours: 1, tips: { 'demo-people': 1 } }],
    48,
  ],
  ['the newest version', [{}, { coolingHours: 1 }, { coolingHours: 24, tips: { 'demo-people': 1 } }], 24],
])('C16: the cooling time is that of %s, if it is longer', async (_, versions, coolingHours) => {
  expect(await under(trustChain(...versions), decision())).toMatchObject({ accepted: true, coolingHours });
});

/** Decides under another trust file. */
const under = (chain: TrustChain, input: DecideInput) =>
  decide({ ...release.context, trust: async () => chain }, input);
const population = 'demo-people';

test('C16: who may decide is in the trust file, and a newer series file changes nobody', async () => {
  const { releaseStore } = release.context;
  const bytes = jsonBytes(testSeries({ gate: { approvers: [{ subject: stranger.subject }] } }));
  await releaseStore.putIfAbsent(RELEASE_KEYS.series('demo', sha256(bytes)), bytes);
  await swapMutable(releaseStore, RELEASE_KEYS.appliedSeries('demo'), null, { digest: sha256(bytes) });
  expect(await decide(release.context, decision(stranger))).toMatchObject({ code: 'SUBJECT_UNKNOWN' });
  expect(await decide(release.context, decision())).toMatchObject({ accepted: true });
});

test.each<[string, boolean, Partial<TrustVersion>]>([
  ['with nobody changed', true, {}],
  ['without ada', false, { approvers: [approver(ben), approver(eve)] }],
  ['with ada for another series', false, { approvers: [{ ...approver(ada), series: ['other'] }, approver(ben)] }],
  ['with ada until before', false, { approvers: [approver(ada, { [population]: { until: 0 } }), approver(ben)] }],
  ['with ada until now', true, { approvers: [approver(ada, { [population]: { until: 1 } }), approver(ben)] }],
  ['with more approvals required', false, { required: 3 }],
])('C16: a decision of version 1, judged by a version 2 %s, counts: %s', async (_, counts, change) => {
  expect((await under(trustChain({}, change), decision())).accepted).toBe(counts);
});

test.each<[string, Partial<DecisionRequest>]>([
  ['a trust file that the worker does not have', { trust: { number: 1, digest: 'ab'.repeat(32) } }],
  ['a version that is not there yet', { trust: { number: 2, digest: 'ab'.repeat(32) } }],
  ['another ledger', { ledger: { sequence: 1, digest: 'ab'.repeat(32) } }],
  ['an entry that is not there yet', { ledger: { sequence: 2, digest: 'ab'.repeat(32) } }],
  ['fewer approvals than are required', { required: 1 }],
])('C16: a decision that names %s is refused', async (_, change) => {
  expect(await decide(release.context, decision(ada, change))).toMatchObject({ code: 'SIGNATURE_INVALID' });
});

test('C16: a tip from before the charge is refused, which a retired key could name', async () => {
  const { context, series } = release;
  const { ledger } = testBasis(release.run);
  const charge = '00000000-0000-4000-8000-000000000002';
  const next = { ...release.run, version: 2 };
  await putCharge(context.releaseStore, series, next, [{ part: 'bus', day: '2026-03-02' }], charge);
  const later = { ...decision(ada, { release: { ...release.run, version: 2 }, ledger }), version: 2 };
  expect(await decide(context, later)).toMatchObject({ code: 'SIGNATURE_INVALID' });
});

test('a decision of a type that was given up is turned away, whatever else it says', async () => {
  const { envelope } = decision();
  const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
  const old = { ...statement, predicateType: 'https://opaline.example/decision/v1' };
  const signed = signEnvelope(Buffer.from(canonicalJson(old)), ada.privateKey);
  expect(await decide(release.context, { ...decision(), envelope: signed })).toMatchObject({
    code: 'SIGNATURE_INVALID',
  });
});
