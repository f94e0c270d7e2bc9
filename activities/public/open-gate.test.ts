import { beforeEach, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { DecideInput, OpenGateInput } from '../../contracts/stages.ts';
import { putDecisionRecord } from '../../services/decisions/decision-record.ts';
import { envelopeDigest } from '../../services/signing/decision-statement.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, approver, ben, publisherKey, trustChain } from '../../test/support/trust-files.ts';
import { decide } from './decide.ts';
import { openGate } from './open-gate.ts';

const MANIFEST = 'ab'.repeat(32);
const FIRST = '2026-03-10T00:00:00.000Z';
const LATER = '2026-03-20T00:00:00.000Z';

let release: TestRelease;
beforeEach(async () => {
  release = await testRelease();
});

const opened = (change: Partial<OpenGateInput> = {}) =>
  openGate(release.context, {
    ...release.run,
    manifestDigest: MANIFEST,
    verdict: 'pass',
    attention: [],
    openedAt: FIRST,
    ...change,
  });
const signed = (person: typeof ada, ...change: unknown[]): DecideInput =>
  testDecision(release.run, MANIFEST, person, ...(change as []));
const kept = ({ envelope }: DecideInput) =>
  putDecisionRecord(
    release.context.releaseStore,
    release.run,
    { envelope, note: '' },
    { at: new Date(FIRST), publisherKey: publisherKey.privateKey },
  );
const subjects = async (change: Partial<OpenGateInput> = {}) =>
  (await opened(change)).decisions.map(({ subject, decision }) => `${subject} ${decision}`).sort();

test('a gate expires by the time at which it was opened first, over each manifest', async () => {
  expect(await opened()).toEqual({ openedAt: FIRST, decisions: [], isWithdrawn: false });
  expect(await opened({ openedAt: LATER })).toMatchObject({ openedAt: FIRST });
  expect(await opened({ openedAt: LATER, manifestDigest: 'cd'.repeat(32) })).toMatchObject({ openedAt: LATER });
});

test.each(['junk', '{"format":"opaline-gate/1","openedAt":"2036-01-01T00:00:00.000Z"}'])(
  'a time that somebody planted keeps no gate open for longer: %s',
  async (text) => {
    await release.context.releaseStore.putIfAbsent(RELEASE_KEYS.gate(release.run, MANIFEST), Buffer.from(text));
    expect(await opened()).toMatchObject({ openedAt: FIRST });
  },
);

test('C16: what an approver has signed counts again, once, and nobody signs twice', async () => {
  const one = signed(ada);
  await decide({ ...release.context, now: () => new Date(FIRST) }, one);
  const { decisions } = await opened();
  expect(decisions).toEqual([
    {
      subject: ada.subject,
      relyingParty: null,
      decision: 'approve',
      reason: 'audit-passed',
      digest: envelopeDigest(one.envelope),
      arrivedAt: FIRST,
      coolingHours: 0,
    },
  ]);
  await decide(release.context, signed(ben, { decision: 'reject', reason: 'not-needed' }));
  expect(await subjects()).toEqual([`${ada.subject} approve`, `${ben.subject} reject`].sort());
  await kept(signed(ada, { decision: 'reject', reason: 'not-needed' }));
  expect(await subjects()).toEqual([`${ada.subject} reject`, `${ben.subject} reject`].sort());
});

test('C16: what somebody else keeps there does not count, and keeps nobody from deciding', async () => {
  const mallory = { subject: ada.subject, ...generateSigningKey() };
  for (const one of [
    signed(mallory),
    signed(ben, { manifestDigest: 'cd'.repeat(32) }),
    signed(ben, { release: { ...release.run, version: 2 } }),
    signed(ben, { decision: 'retract', reason: 'data-wrong' }),
  ])
    await kept(one);
  const { releaseStore } = release.context;
  await releaseStore.putIfAbsent(RELEASE_KEYS.decision(release.run, 'ef'.repeat(32)), Buffer.from('junk'));
  await releaseStore.putIfAbsent(RELEASE_KEYS.decision(release.run, MANIFEST), Buffer.from('{}'));
  await kept(signed(ada));
  expect(await subjects()).toEqual([`${ada.subject} approve`]);
  // An approval that leaves out what the audit asks for, and any approval of a failed audit.
  expect(await subjects({ attention: ['holes'] })).toEqual([]);
  expect(await subjects({ verdict: 'fail' })).toEqual([]);
  // An approver whom the newest trust file does not name any more.
  const trust = async () => trustChain({}, { approvers: [approver(ben)], required: 1 });
  const { decisions } = await openGate(
    { ...release.context, trust },
    { ...release.run, manifestDigest: MANIFEST, verdict: 'pass', attention: [], openedAt: FIRST },
  );
  expect(decisions).toEqual([]);
});

test('C16: a gate that was withdrawn stays withdrawn, and what was approved before does not count', async () => {
  await kept(signed(ada));
  const withdrawal = signed(ben, { decision: 'withdraw', reason: 'not-what-was-shown' });
  await kept(withdrawal);
  expect(await opened()).toMatchObject({ isWithdrawn: true, decisions: [] });
  // At the gate of a retraction it says nothing of this one, nor does that of a stranger.
  const other = { ...release.run, version: 2 };
  await kept(signed(ben, { release: other, decision: 'withdraw', reason: 'other' }));
  expect(await opened({ manifestDigest: 'cd'.repeat(32) })).toMatchObject({ isWithdrawn: false });
});

test('C16: an approval whose time no publisher signed does not count when a gate is opened again', async () => {
  const { envelope } = signed(ada);
  const { privateKey } = generateSigningKey();
  const arrived = { at: new Date(FIRST), publisherKey: privateKey };
  await putDecisionRecord(release.context.releaseStore, release.run, { envelope, note: '' }, arrived);
  expect(await subjects()).toEqual([]);
});
