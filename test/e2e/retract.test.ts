import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLedger } from '../../activities/public/ledger.ts';
import { run } from '../../cli/process.fixture.ts';
import { retractionStatus, retractRelease, withdrawRetraction } from '../../client/retract-release.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;
let release: Run;

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
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
  const words = ['retract', releasePath(release), '--reason', 'data-wrong', '--key', 'me.pem'];
  const surroundings = { cwd: stack.root, deployment: stack.files.deployment('client') };
  expect(await run(words, surroundings)).toMatchObject({ code: 0, stderr: '' });
  while ((await retractionStatus(stack.client, release)).state !== 'retracted') await delay(100);

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
  expect(await withdrawRetraction(stack.client, release)).toMatchObject({ accepted: false });
});
