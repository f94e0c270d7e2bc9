import { beforeEach, expect, test } from 'vitest';
import { recordStarter } from '../../services/stores/release-executions.ts';
import { type TestRelease, testDecision, testRelease } from '../../test/support/test-release.ts';
import { ada, ben, eve, trustChain } from '../../test/support/trust-files.ts';
import { audit } from './audit.ts';
import { decide } from './decide.ts';
import { derive } from './derive.ts';
import { publish } from './publish.ts';

/** What a trust file may ask of a publication beside enough approvals: time, and other people than who started it. */
let first: TestRelease;
let manifestDigest: string;
beforeEach(async () => {
  first = await testRelease();
  await derive(first.context, first.input);
  ({ manifestDigest } = await audit(first.context, first.input));
});

const isPublic = async ({ publicationStore }: TestRelease['context']): Promise<boolean> => {
  for await (const _ of publicationStore.list('demo/')) return true;
  return false;
};

test('C16: a release is published after its cooling time, by the signed times of its approvals, whoever asks', async () => {
  const chain = trustChain({}, { coolingHours: 24 });
  const at = (iso: string) => ({ trust: async () => chain, now: () => new Date(iso) });
  const context = { ...first.context, ...at('2026-03-20T00:00:00.000Z') };
  const approvals = [
    [ada, '2026-03-20T00:00:00.000Z'],
    [ben, '2026-03-20T06:00:00.000Z'],
  ] as const;
  const decisions: string[] = [];
  for (const [person, time] of approvals) {
    const answer = await decide({ ...context, ...at(time) }, testDecision(first.run, manifestDigest, person));
    expect(answer).toMatchObject({ accepted: true, arrivedAt: time, coolingHours: 24 });
    if (answer.accepted) decisions.push(answer.digest);
  }
  // What a workflow says of the time counts for nothing.
  const input = { ...first.run, manifestDigest, decisions, publishedAt: '2026-03-29T00:00:00.000Z' };
  await expect(publish({ ...context, ...at('2026-03-21T05:58:00.000Z') }, input)).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    message: expect.stringContaining('2026-03-21T06:00:00.000Z'),
  });
  expect(await isPublic(context)).toBe(false);
  await publish({ ...context, ...at('2026-03-21T06:00:00.000Z') }, input);
  expect(await isPublic(context)).toBe(true);
});

test('C16: who started a release cannot approve it where the trust file says so: at the gate, and before it is published', async () => {
  const { context } = first;
  const chain = trustChain({}, { ownReleases: 'refused' });
  const strict = { ...context, trust: async () => chain };
  await recordStarter(context.releaseStore, first.run, ada.subject.toUpperCase());
  await recordStarter(context.releaseStore, first.run, eve.subject); // the first one stands
  const approve = (person: typeof ada) => testDecision(first.run, manifestDigest, person);
  // A gate that went by an earlier file took it; what publishes asks again.
  const decisions: string[] = [];
  for (const answer of [await decide(context, approve(ada)), await decide(context, approve(ben))])
    if (answer.accepted) decisions.push(answer.digest);
  expect(decisions).toHaveLength(2);
  const input = { ...first.run, manifestDigest, decisions, publishedAt: '2026-03-20T01:02:03.000Z' };
  await expect(publish(strict, input)).rejects.toMatchObject({ message: expect.stringContaining('OWN_RELEASE') });
  expect(await isPublic(context)).toBe(false);
  expect(await decide(strict, approve(ada))).toMatchObject({ accepted: false, recorded: true, code: 'OWN_RELEASE' });
  expect(await decide(strict, approve(ben))).toMatchObject({ accepted: true });
  const reject = testDecision(first.run, manifestDigest, ada, { decision: 'reject', reason: 'not-needed' });
  expect(await decide(strict, reject)).toMatchObject({ accepted: true });
});
