import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILES, RELEASE_KEYS, type ReleaseReference, releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Notice } from '../../contracts/notices.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  SMALL_DAYS,
  SMALL_WINDOW,
  type SmallSeries,
  writeSmallSeries,
  writeSmallTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { block } from './blocked-store.fixture.ts';

const PATIENCE = 120;
const GATE_SECONDS = 8;

let stack: TestStack;
let mail: MailServer;
let receiver: Receiver;

beforeAll(async () => {
  [mail, receiver] = [await startMailServer(), await startReceiver()];
  process.env.OPALINE_TEST_NOTICES = 'a secret';
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    const server = { host: '127.0.0.1', port: mail.port, tls: 'none' as const };
    const email = { server, from: 'opaline@example.org', to: ['approvers@example.org'] };
    const webhooks = [{ url: `${receiver.url}/opaline`, secret: { env: 'OPALINE_TEST_NOTICES' } }];
    return { ...usual, public: { ...usual.public, notices: { email, webhooks } } };
  });
});
afterAll(async () => {
  await stack?.end();
  await mail?.close();
  await receiver?.close();
});

async function seriesOf(name: string, edit = (yaml: string) => yaml): Promise<SmallSeries> {
  const source = join(stack.source, name);
  await mkdir(source, { recursive: true });
  await writeSmallTrips(source);
  const own = (yaml: string) => edit(yaml.replace('pattern: "', `pattern: "${name}/`));
  return writeSmallSeries(join(stack.root, 'series', name), { series: name, population: name }, own);
}

/** All that a webhook received about a release, in the order in which it came. */
const received = (release: ReleaseReference): Notice[] => {
  const own = receiver.got.map(({ body }) => JSON.parse(body)).filter((one) => one.release === releasePath(release));
  const byId = new Map(own.map((one) => [one.id as string, one.notice as Notice]));
  return [...byId.values()];
};

/** What it received about the states of a release, and about the decisions on it. */
const told = (release: ReleaseReference): Notice[] =>
  received(release).filter(({ decision }) => decision === undefined);
const decisions = (release: ReleaseReference): Notice[] =>
  received(release).filter(({ decision }) => decision !== undefined);

async function toldOf(release: ReleaseReference, states: Notice['state'][]): Promise<Notice[]> {
  for (let waited = 0; told(release).length < states.length && waited < PATIENCE * 1000; waited += 200)
    await delay(200);
  expect(told(release).map(({ state }) => state)).toEqual(states);
  return told(release);
}

const mailed = (release: ReleaseReference, words: string): boolean =>
  mail.got.some(({ raw }) => raw.includes(`[Opaline] ${releasePath(release)}`) && raw.includes(words));

test('a gate is told by mail and webhook, again until the mail server takes it, and holds nothing up', async () => {
  mail.refuses = true;
  const series = await seriesOf('usual');
  const run = await startSmall(stack.client, series);
  const { expiresAt } = await reaches(stack.client, run, ['waiting'], PATIENCE);
  const [notice] = await toldOf(run, ['waiting']);
  expect(notice).toEqual({
    about: 'release',
    state: 'waiting',
    at: expect.stringMatching(/Z$/),
    verdict: 'pass',
    attention: [],
    code: null,
    failed: 0,
    expiresAt,
  });
  expect(mailed(run, 'waits at the gate')).toBe(false);
  mail.refuses = false;
  for (let waited = 0; !mailed(run, 'waits at the gate') && waited < PATIENCE; waited += 1) await delay(1000);
  expect(mailed(run, 'opaline approve')).toBe(true);
  await decideSmall(stack.client, series, run, 'approve');
  await reaches(stack.client, run, ['published'], PATIENCE);
  // No notice is sent of what needs nobody, and every approver is notified of a decision.
  for (let waited = 0; decisions(run).length === 0 && waited < PATIENCE; waited += 1) await delay(1000);
  expect(decisions(run)).toEqual([expect.objectContaining({ decision: expect.stringMatching(/^[0-9a-f]{64}$/) })]);
  expect(told(run)).toHaveLength(1);
}, 300_000);

test.concurrent('partitions that failed are told with their number', { timeout: 300_000, tags: 'soak' }, async () => {
  const series = await seriesOf('late');
  await writeTruncatedTrips(join(stack.source, 'late'), SMALL_DAYS[1]!, 'bus');
  const run = await startSmall(stack.client, series);
  const [notice] = await toldOf(run, ['partitions-failed']);
  expect(notice).toMatchObject({ failed: 2, verdict: null, code: null });
});

test.concurrent('a gate that expires is told, reminded of at half of its time, and told when it is reopened', {
  timeout: 300_000,
  tags: 'soak',
}, async () => {
  const gate = `gate:\n  expiresAfterDays: ${GATE_SECONDS / 86_400}\n`;
  const series = await seriesOf('expiring', (yaml) => yaml.replace('gate:\n', gate));
  const run = await startSmall(stack.client, series);
  const [opened, again] = await toldOf(run, ['waiting', 'waiting', 'expired']);
  expect(again).toEqual({ ...opened, reminder: { signed: 0, required: 1 } });
  expect(mailed(run, 'still waits at the gate')).toBe(true);
  await decideSmall(stack.client, series, run, 'reopen');
  const reopened = await toldOf(run, ['waiting', 'waiting', 'expired', 'waiting', 'waiting', 'expired']);
  expect(reopened[3]!.expiresAt).not.toBeNull();
  expect(decisions(run)).toHaveLength(1);
});

test.concurrent('a stall is told with its code, and the release goes on after a retry', {
  tags: 'soak',
  timeout: 300_000,
}, async () => {
  const release = { series: 'slow', window: SMALL_WINDOW, version: 1 };
  const unblock = await block(stack.files.store('release'), RELEASE_KEYS.staged(release, STACK_BUILD, FILES.privacy));
  const run = await startSmall(stack.client, await seriesOf('slow'));
  await reaches(stack.client, run, ['stalled'], PATIENCE);
  expect((await toldOf(run, ['stalled']))[0]!.code).toMatch(/^[A-Z_]+$/);
  await unblock();
  await stack.client.ask(run, 'retryStage', { subject: 'test' });
  await toldOf(run, ['stalled', 'waiting']);
});

test.concurrent('a failure is told before the workflow ends', { timeout: 300_000 }, async () => {
  const series = await seriesOf('poor', (yaml) => yaml.replace('year: { epsilon: 1000', 'year: { epsilon: 12'));
  const first = await startSmall(stack.client, series);
  await reaches(stack.client, first, ['waiting'], PATIENCE);
  await decideSmall(stack.client, series, first, 'withdraw');
  await reaches(stack.client, first, ['withdrawn'], PATIENCE);
  const second = await startSmall(stack.client, series, 2);
  const connection = await Connection.connect({ address: stack.address });
  await new Client({ connection }).workflow.getHandle(releaseWorkflowId(second)).result();
  await connection.close();
  expect(told(second)).toMatchObject([{ state: 'failed', code: 'BUDGET_EXCEEDED' }]);
});
