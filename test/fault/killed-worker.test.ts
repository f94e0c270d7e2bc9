import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBytes, readJson, sha256 } from '../../activities/stores/json-objects.ts';
import { manifestSchema } from '../../contracts/manifest.ts';
import { FILES, RELEASE_KEYS, releasePath, releaseWorkflowId, type Stage } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
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

const handleOf = (run: Run) => stack.client.temporal.workflow.getHandle(releaseWorkflowId(run));

/** Is the release in the stage: does its activity run, or, at the gate, do people have to decide? */
async function isIn(stage: Stage, run: Run): Promise<boolean> {
  if (stage === 'gate') return (await stack.client.status(run)).state === 'waiting';
  const { raw } = await handleOf(run).describe();
  const pending = raw.pendingActivities ?? [];
  return pending.some(({ activityType, lastStartedTime }) => activityType?.name === stage && lastStartedTime != null);
}

/** Kills the worker of a side as soon as the release is in the stage. Throws when it never is. */
async function killIn(stage: Stage, side: 'private' | 'public', run: Run): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isIn(stage, run))) {
    if (Date.now() > deadline) throw new Error(`${releasePath(run)} was never seen in ${stage}`);
    await delay(2);
  }
  process.kill(stack.workers()[side]!, 'SIGKILL');
}

/** The greatest number of attempts that an activity of the stage took: 1 when the kill came too late for all of them. */
async function attemptsOf(stage: Stage, run: Run): Promise<number> {
  const events = (await handleOf(run).fetchHistory()).events ?? [];
  const scheduled = new Map(
    events.map(({ eventId, activityTaskScheduledEventAttributes: attributes }) => [
      String(eventId),
      attributes?.activityType?.name,
    ]),
  );
  return Math.max(
    ...events.flatMap(({ activityTaskStartedEventAttributes: started }) =>
      started && scheduled.get(String(started.scheduledEventId)) === stage ? (started.attempt ?? 0) : [],
    ),
  );
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

/** The side whose worker runs the activity of a stage; nobody does at the gate. */
const SIDES: Partial<Record<Stage, 'private' | 'public'>> = {
  ingest: 'private',
  bin: 'private',
  privatize: 'private',
  derive: 'public',
  audit: 'public',
};

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
    // The stage runs on the side that was killed: its work was lost, and done again.
    if (SIDES[stage] === side) expect(await attemptsOf(stage, run)).toBeGreaterThan(1);
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
  expect(await attemptsOf('publish', run)).toBeGreaterThan(1);
}, 200_000);
