import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import {
  FILES,
  RELEASE_KEYS,
  releasePath,
  releaseWorkflowId,
  SEARCH_ATTRIBUTES,
  type Stage,
} from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { Answer, Run } from '../../contracts/stages.ts';
import { readBytes, readJson, sha256 } from '../../services/stores/json-objects.ts';
import { ledgerErrors } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { smallPlaces, startSmallStack } from '../support/small-stack.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

type Side = 'private' | 'public';

let stack: TestStack;
let series: SmallSeries;

/** Starts the stack whose workers are killed. At ε = 4 the caps leave room for twenty-five releases of the window. */
export async function openStack(): Promise<void> {
  ({ stack, series } = await startSmallStack({ changes: { epsilon: '4' } }));
}

export const closeStack = async (): Promise<void> => stack?.end();

const handleOf = (run: Run) => stack.client.temporal.workflow.getHandle(releaseWorkflowId(run));

/**
 * Kills the worker of a side while the activity of the stage runs, or, at the gate, while people have to decide. False
 * when the release came to its next stop before anybody saw it in the stage.
 */
async function killIn(stage: Stage, side: Side, run: Run, stop: ReleaseState): Promise<boolean> {
  for (;;) {
    const { raw, searchAttributes } = await handleOf(run).describe();
    const hasStopped = searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] === stop;
    const isRunning = (raw.pendingActivities ?? []).some(
      ({ activityType, lastStartedTime }) => activityType?.name === stage && lastStartedTime != null,
    );
    if (isRunning || (hasStopped && stage === 'gate')) break;
    if (hasStopped) return false;
    await delay(2);
  }
  process.kill(stack.workers()[side]!, 'SIGKILL');
  return true;
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
  const manifest = await readJson(
    stack.client.releaseStore,
    RELEASE_KEYS.staged(run, STACK_BUILD, FILES.manifest),
    manifestSchema,
  );
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
const SIDES: Partial<Record<Stage, Side>> = {
  ingest: 'private',
  bin: 'private',
  privatize: 'private',
  derive: 'public',
  audit: 'public',
  publish: 'public',
};

let version = 0;

/**
 * A release that a kill hit in the stage, at the stop that it comes to afterwards. Where the killed side runs the stage,
 * its work was lost and done again. A stage takes some milliseconds: a kill that came too late has another release.
 */
async function hitIn(stage: Stage, side: Side, begin: (run: Run) => Promise<void>, stop: ReleaseState): Promise<Run> {
  for (let tries = 0; tries < 5; tries++) {
    version += 1;
    const run = await startSmall(stack.client, series, version);
    await begin(run);
    const isKilled = await killIn(stage, side, run, stop);
    expect((await reaches(stack.client, run, [stop, 'failed', 'partitions-failed'], 90)).state).toBe(stop);
    if (isKilled && (SIDES[stage] !== side || (await attemptsOf(stage, run)) > 1)) return run;
  }
  throw new Error(`no kill hit ${stage}`);
}

/** SIGKILL in a stage: the release completes, with one draw a partition. */
export async function completesAfterKill(stage: Stage, side: Side): Promise<void> {
  const run = await hitIn(stage, side, async () => {}, 'waiting');
  expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['published', 'failed'], 90)).state).toBe('published');
  await expectOneDraw(run);
}

/** SIGKILL in publish: the publication is whole. */
export async function isWholeAfterKill(): Promise<void> {
  const approvals: Promise<Answer>[] = [];
  const approve = async (run: Run) => {
    await reaches(stack.client, run, ['waiting']);
    approvals.push(decideSmall(stack.client, series, run, 'approve'));
  };
  await expectOneDraw(await hitIn('publish', 'public', approve, 'published'));
  for (const approval of approvals) expect(await approval).toMatchObject({ accepted: true });
}

/**
 * SIGKILL of a private worker whose scratch holds copies of source objects: its next start forgets them, and while it
 * runs those go that another host's `bin` did not need.
 */
export async function forgetsCopies(): Promise<void> {
  const folder = join(stack.files.scratch('private'), 'objects');
  const isGone = async (name: string) => {
    for (let tries = 0; tries < 300; tries++) {
      if (!(await readdir(folder)).includes(name)) return true;
      await delay(100);
    }
    return false;
  };
  const copy = async (release: string) => {
    const name = encodeURIComponent(release);
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'a'), 'bus,2026-03-02 08:00:00,stop-1\n');
    return name;
  };
  const before = await copy('of-the-killed/2026-03-02/v1');
  process.kill(stack.workers().private!, 'SIGKILL');
  expect(await isGone(before)).toBe(true);
  const [fresh, old] = [await copy('fresh/2026-03-02/v1'), await copy('old/2026-03-02/v1')];
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(folder, old), twoHoursAgo, twoHoursAgo);
  expect(await isGone(old)).toBe(true);
  expect(await readdir(folder)).toContain(fresh);
}
