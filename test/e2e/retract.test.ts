import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { run } from '../../cli/process.fixture.ts';
import { askRetraction, retractionStatus, retractRelease } from '../../client/release/retract-release.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { FILES, releasePath, retractWorkflowId, TASK_QUEUES } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;
let release: Run;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
  release = await startSmall(stack.client, series);
  await reaches(stack.client, release, ['waiting']);
});
afterAll(() => stack?.end());

const request = (reason: 'data-wrong' | 'other') => ({
  release,
  reason,
  note: 'never published',
  privateKey: series.key.privateKey,
});

test('a release that is not public is not retracted', async () => {
  expect(await retractRelease(stack.client, request('other'))).toMatchObject({
    accepted: false,
    code: 'RELEASE_UNKNOWN',
  });
});

test('C13: a publication is retracted through the same gate, at no charge, and verify says so', async () => {
  await decideSmall(stack.client, series, release, 'approve');
  await reaches(stack.client, release, ['published']);
  const before = await readLedger(stack.client.releaseStore, 'small-riders');
  await writeFile(join(stack.root, 'me.pem'), series.key.privateKey);
  const surroundings = { cwd: stack.root, deployment: stack.files.deployment('client') };
  const shown = async () => {
    const words = [
      ['status', '--json'],
      ['show', releasePath(release)],
    ];
    const [list, page] = await Promise.all(words.map((one) => run(one, surroundings)));
    return { line: JSON.parse(list!.stdout).releases[0], page: page!.stdout };
  };
  // One that nobody has signed yet: it waits at its gate, and the list and the page of the release say so.
  await stack.client.temporal.workflow.start('retractWorkflow', {
    workflowId: retractWorkflowId(release),
    taskQueue: TASK_QUEUES.public,
    args: [release],
  });
  while ((await retractionStatus(stack.client, release)).state !== 'waiting') await delay(100);
  const waiting = await shown();
  expect(waiting.line).toMatchObject({ state: 'published', retraction: { state: 'waiting', reasons: [], signed: 0 } });
  expect(waiting.page).toContain('A retraction of it is waiting: 0 of 1 approvals');

  const words = ['retract', releasePath(release), '--reason', 'data-wrong', '--key', 'me.pem'];
  expect(await run(words, surroundings)).toMatchObject({ code: 0, stderr: '' });
  while ((await retractionStatus(stack.client, release)).state !== 'retracted') await delay(100);

  const retracted = await shown();
  expect(retracted.line).toMatchObject({ state: 'retracted', retraction: { reasons: ['data-wrong'] } });
  expect(retracted.page).toContain('is retracted.');
  expect(retracted.page).toContain('Retracted (data-wrong)');

  const folder = join(stack.files.publication, releasePath(release));
  const report = await verifyPublication(folder);
  expect(report.checks.filter(({ ok }) => !ok).map(({ id }) => id)).toEqual(['retraction']);
  const tombstone = await readFile(join(folder, FILES.retraction), 'utf8');
  expect(tombstone).not.toContain('never published');
  const latest = JSON.parse(await readFile(join(stack.files.publication, 'small', 'latest.json'), 'utf8'));
  expect(latest).toMatchObject({ path: null });
  expect(await readLedger(stack.client.releaseStore, 'small-riders')).toEqual(before);
});

test('a second retraction, and a withdrawal after it, are answered', async () => {
  expect(await retractRelease(stack.client, request('data-wrong'))).toMatchObject({
    accepted: false,
    code: 'ACTION_NOT_OFFERED',
  });
  expect(await askRetraction(stack.client, release, 'withdraw')).toMatchObject({ accepted: false });
});
