import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../client/doctor.ts';
import { resumeAll, resumeRelease } from '../../client/lost-work.ts';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { planCorrection } from '../../client/release/correct-release.ts';
import { explainRelease } from '../../client/release/explain-release.ts';
import { retryRelease } from '../../client/release/retry-release.ts';
import { askBackfill, backfillStatus, planBackfill, startBackfill } from '../../client/schedule/backfills.ts';
import { listSchedules } from '../../client/schedule/schedule-lines.ts';
import { applySchedule, pauseSchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { type Partition, partitionPath, releasePath, releaseWorkflowId, TASK_QUEUES } from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { readLedger } from '../../services/ledger/ledger.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readExecutions } from '../../services/stores/release-executions.ts';
import { locateFiles } from '../../stack/embedded-files.ts';
import { type Stack, startStack } from '../../stack/stack.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { NamespaceAttacker } from '../attack/namespace-attacker.fixture.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { SMALL_DAYS, type SmallSeries, smallKey, smallTrips, writeTrips } from '../support/small-series.ts';
import { type SmallStack, startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { weeks, writeWeeklySeries } from '../support/weekly-series.ts';

/**
 * Temporal's whole database is lost, and later comes back beside the new one. Releases go on from the stores, at 0 ε and
 * with the same tables; a stranger in the namespace gains nothing by it.
 */
let stack: TestStack;
let series: SmallSeries;
let client: OpalineClient;
const stacks: Stack[] = [];
const clients: OpalineClient[] = [];

const LATE: Partition = { part: 'bus', day: SMALL_DAYS[1]! };
/** Windows without objects: whatever a back-fill starts of them is never charged. */
const WINDOWS = weeks(3, '2026-04-06');
let published: Run;
let gate: Run;
let midDraw: Run;
let backfill: string;

const at = (run: Run, ...states: ReleaseState[]) => reaches(client, run, states, 60);

/** The entries of the ledger, and every drawn table and published file by its digest. */
async function evidence() {
  const { entries, tip } = await readLedger(client.releaseStore, 'small-riders');
  const digests = new Map<string, string>();
  for (const [store, prefix] of [
    [new FolderStore(stack.files.store('private')), 'privatized/'],
    [new FolderStore(stack.files.publication), ''],
  ] as const)
    for await (const { key } of store.list(prefix)) digests.set(key, sha256(await readBytes(store, key)));
  return { entries, tip, digests };
}

const deliver = () => writeTrips(stack.source, LATE.day, LATE.part, smallTrips(LATE.day, LATE.part));
const open = async (files: { deployment(side: 'client'): string }): Promise<OpalineClient> => {
  const opened = await openClient(await readDeployment(files.deployment('client'), clientDeploymentSchema));
  clients.push(opened);
  return opened;
};
const findings = async () => diagnose(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema));

beforeAll(async () => {
  const small: SmallStack = await startSmallStack();
  ({ stack, series } = small);
  client = stack.client;
  stacks.push(stack);
  published = await startSmall(client, series, 1);
  const { attention } = await at(published, 'waiting');
  await decideSmall(client, series, published, 'approve', attention);
  gate = await startSmall(client, series, 2);
  await at(published, 'published');
  await at(gate, 'waiting');
  await rm(join(stack.source, smallKey(LATE.day, LATE.part)));
  midDraw = await startSmall(client, series, 3);
  await at(midDraw, 'partitions-failed');
  // A second round, in which the object is missing still: the draws that there are stay those of the first.
  await retryRelease(client, midDraw, [], 'test');
  await at(midDraw, 'partitions-failed');
  const weekly = await writeWeeklySeries(join(stack.root, 'weekly'), { series: 'weekly', population: 'small-riders' });
  await applySchedule(client, await planSchedule(client, weekly.file));
  await pauseSchedule(client, 'weekly', 'the supplier moves house');
  const span = { from: WINDOWS[0]!, to: addDays(WINDOWS.at(-1)!, 6), atOnce: 1 };
  backfill = await startBackfill(client, await planBackfill(client, 'weekly', span));
  await askBackfill(client, backfill, 'pause');
}, 240_000);
afterAll(async () => {
  for (const one of clients) await one.close();
  for (const one of stacks.slice(1)) await one.stop();
  await stack?.end();
});

test('C11: what was lost is named, and one command brings it back to where it was, at 0 ε', async () => {
  const before = await evidence();
  const lostGate = await client.status(gate);
  const lostDraw = await client.status(midDraw);
  const ended = await client.status(published);
  await client.close();
  await stack.stop();
  await rename(stack.files.database, join(stack.root, 'before.db'));
  for (const end of ['-wal', '-shm']) await rm(`${stack.files.database}${end}`, { force: true });
  const options = { temporalCli: await provideTool('temporal-cli'), deployments: usualDeployments(stack.root) };
  stacks.push(await startStack({ root: stack.root, ...options, trust: TEST_TRUST }));
  client = await open(stack.files);

  const named = (await findings()).filter(({ command }) => command === 'opaline resume --all');
  expect(named.map(({ sentence }) => sentence.split(' is ')[0])).toEqual([
    ...[releasePath(gate), releasePath(midDraw), 'the schedule of weekly', `the back-fill ${backfill}`],
  ]);
  expect(await explainRelease(client, gate)).toMatchObject({ commands: [`opaline resume ${releasePath(gate)}`] });
  await expect(client.status(gate)).rejects.toMatchObject({ code: 'RELEASE_ENDED_OUTSIDE' });
  expect((await client.list()).map((one) => [releasePath(one), one.state])).toEqual([
    [releasePath(midDraw), 'ended-outside'],
    [releasePath(gate), 'ended-outside'],
    [releasePath(published), 'published'],
  ]);

  await resumeAll(client);
  const { expiresAt, charge, manifestDigest } = lostGate;
  expect(await at(gate, 'waiting')).toMatchObject({ expiresAt, charge, manifestDigest });
  const { partitions, charge: charged } = await at(midDraw, 'partitions-failed');
  expect({ partitions, charge: charged }).toEqual({ partitions: lostDraw.partitions, charge: lostDraw.charge });
  expect(await backfillStatus(client, backfill)).toMatchObject({ state: 'paused' });
  expect(await listSchedules(client)).toMatchObject([{ series: 'weekly', note: 'the supplier moves house' }]);
  expect((await findings()).filter(({ command }) => command.includes('resume'))).toEqual([]);
  expect(await evidence()).toEqual(before);

  // What has ended is not started again: the stores answer for it.
  const stored = await client.status(published);
  expect(stored.partitions).toEqual(ended.partitions);
  const { state, verdict, attention, decisions, seriesDigest } = ended;
  expect(stored).toMatchObject({ state, verdict, attention, decisions, seriesDigest, charge: ended.charge });
  await expect(resumeRelease(client, published)).rejects.toMatchObject({ code: 'ACTION_NOT_OFFERED' });
  await expect(resumeRelease(client, gate)).rejects.toMatchObject({ code: 'ACTION_NOT_OFFERED' });
  const blocked = planCorrection(client, published, [LATE], 'object-late');
  await expect(blocked).rejects.toMatchObject({ code: 'ACTION_NOT_OFFERED', message: expect.stringContaining('/v') });
}, 240_000);

describe('a stranger with the namespace', () => {
  const start = (run: Run, change: object = {}) =>
    client.temporal.workflow.start('releaseWorkflow', {
      workflowId: releaseWorkflowId(run),
      taskQueue: TASK_QUEUES.public,
      args: [{ ...run, correction: null, ...change }],
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });

  test('C11a: can neither run what has ended again, nor plan what another execution runs', async () => {
    const before = await evidence();
    expect(await (await start(published)).result()).toMatchObject({
      state: 'failed',
      ending: { code: 'RELEASE_EXISTS' },
      charge: null,
    });
    const attacker = new NamespaceAttacker({ client } as TestStack);
    const marks = () => readExecutions(client.releaseStore, gate);
    const held = await marks();
    for (const run of [gate, published])
      expect(await attacker.public('plan', { ...run, execution: 'of-a-stranger' })).toMatchObject({
        code: 'RELEASE_EXISTS',
      });
    expect(await marks()).toEqual(held);
    expect(await evidence()).toEqual(before);
  });

  test('C11a: who ends a release and begins it otherwise draws and charges nothing, and it goes on', async () => {
    const before = await evidence();
    const handle = () => client.temporal.workflow.getHandle(releaseWorkflowId(midDraw));
    await handle().terminate('by a stranger');
    // Another file, and a correction that the ledger does not have.
    const correction = { of: 1, reason: 'object-late', partitions: [LATE] };
    for (const change of [{ seriesDigest: 'ab'.repeat(32) }, { correction }])
      expect(await (await start(midDraw, change)).result()).toMatchObject({ state: 'failed', charge: null });
    expect(await evidence()).toEqual(before);
    await resumeRelease(client, midDraw);
    await at(midDraw, 'partitions-failed');
    expect(await evidence()).toEqual(before);
  });
}, 240_000);

test('C11: the old database comes back: two workflows drive each release, to one draw and one publication', {
  tags: 'soak',
  timeout: 240_000,
}, async () => {
  const other = locateFiles(join(stack.root, 'other'));
  const { private: own, ...shared } = usualDeployments(stack.root);
  await mkdir(other.root, { recursive: true });
  await rename(join(stack.root, 'before.db'), other.database);
  stacks.push(
    await startStack({
      root: other.root,
      temporalCli: await provideTool('temporal-cli'),
      deployments: {
        ...shared,
        private: { ...own, scratch: other.scratch('private'), stateFile: other.state },
        public: { ...shared.public, scratch: other.scratch('public') },
      },
    }),
  );
  const both = [client, await open(other)];
  const bothAt = (run: Run, state: ReleaseState) => Promise.all(both.map((one) => reaches(one, run, [state], 60)));
  await bothAt(gate, 'waiting');
  await deliver();
  await Promise.all(both.map((one) => retryRelease(one, midDraw, [], 'test')));
  await bothAt(midDraw, 'waiting');
  const { entries, digests } = await evidence();
  for (const run of [gate, midDraw]) {
    const { attention } = await client.status(run);
    await Promise.all(both.map((one) => decideSmall(one, series, run, 'approve', attention)));
    await bothAt(run, 'published');
  }
  const after = await evidence();
  for (const [key, digest] of digests) if (key.startsWith('privatized/')) expect(after.digests.get(key)).toBe(digest);
  const added = after.entries.slice(entries.length);
  expect(added.map((entry) => [entry.kind, 'release' in entry && entry.release])).toEqual([
    ['commit', releasePath(gate)],
    ['commit', releasePath(midDraw)],
  ]);
  const drawn = [...after.digests.keys()].filter((key) => key.startsWith(`privatized/${releasePath(midDraw)}/`));
  expect(drawn).toContain(`privatized/${releasePath(midDraw)}/${partitionPath(LATE)}.json`);
});
