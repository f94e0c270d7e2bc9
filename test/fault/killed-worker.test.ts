import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBytes, readJson, sha256 } from '../../activities/stores/json-objects.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS, releasePath, type Stage } from '../../contracts/names.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { ledgerErrors } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { smallPlaces, startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

/** Kills the worker of a side as soon as the release is in the stage, or past it: then the kill comes a moment late. */
async function killIn(stage: Stage, side: 'private' | 'public', run: Run): Promise<ReleaseStatus> {
  const stages: Stage[] = ['ingest', 'bin', 'privatize', 'derive', 'audit', 'gate', 'publish'];
  let status = await stack.client.status(run);
  while (stages.indexOf(status.stage) < stages.indexOf(stage)) {
    await delay(2);
    status = await stack.client.status(run);
  }
  process.kill(stack.workers()[side]!, 'SIGKILL');
  return status;
}

async function expectOneDraw(run: Run): Promise<void> {
  const manifest = await readJson(stack.client.releaseStore, RELEASE_KEYS.staged(run, FILES.manifest), manifestSchema);
  expect(manifest.partitions).toHaveLength(6);
  for (const { privatizedTable, ...partition } of manifest.partitions) {
    const stored = await readBytes(stack.client.releaseStore, RELEASE_KEYS.privatized(run, partition));
    expect(sha256(stored)).toBe(privatizedTable);
  }
  const records = await readdir(join(stack.files.store('private'), 'draws', releasePath(run)), { recursive: true });
  expect(records.filter((name) => name.endsWith('.json'))).toHaveLength(6);
  expect(await ledgerErrors(smallPlaces(stack), run)).toEqual([]);
}

test.each([
  ['ingest', 'private', 1],
  ['bin', 'private', 2],
  ['privatize', 'private', 3],
  ['privatize', 'public', 4],
  ['derive', 'public', 5],
  ['audit', 'public', 6],
  ['gate', 'public', 7],
] as const)(
  'SIGKILL in %s of the %s worker: the release completes with one draw a partition',
  async (stage, side, version) => {
    const run = await startSmall(stack.client, series, version);
    await killIn(stage, side, run);
    expect((await reaches(stack.client, run, ['waiting', 'failed', 'partitions-failed'], 90)).state).toBe('waiting');
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    expect((await reaches(stack.client, run, ['published', 'failed'], 90)).state).toBe('published');
    await expectOneDraw(run);
  },
  200_000,
);

test('SIGKILL in publish of the public worker: the publication is whole', async () => {
  const run = await startSmall(stack.client, series, 8);
  await reaches(stack.client, run, ['waiting']);
  const approval = decideSmall(stack.client, series, run, 'approve');
  await killIn('publish', 'public', run);
  expect(await approval).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['published', 'failed'], 90)).state).toBe('published');
  await expectOneDraw(run);
}, 200_000);
