import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Diagnosis } from '../../client/diagnosis.ts';
import { diagnose, makeCurrent } from '../../client/doctor.ts';
import { explainRelease } from '../../client/release/explain-release.ts';
import { applySchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { scheduleId } from '../../contracts/schedule.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { deploymentVersions } from '../../services/temporal/current-version.ts';
import type { ChildProcess } from '../../stack/child-process.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { until } from '../observe/scrape.fixture.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { SMALL_DAYS, type SmallSeries } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import { buildBeside, change, copyTree, startTreeWorker } from './other-build.fixture.ts';

let stack: TestStack;
let connection: Connection;
let temporal: Client;
let deployment: ClientDeployment;
let series: SmallSeries;
let builds: { old: string; next: string };
const started: ChildProcess[] = [];

beforeAll(async () => {
  ({ stack, series } = await startSmallStack({
    deployments: (root) => {
      const usual = usualDeployments(root);
      const { private: ofPrivate, public: ofPublic, ...others } = usual;
      const when = { becomeCurrent: 'when-none' } as const;
      return { ...others, private: { ...ofPrivate, ...when }, public: { ...ofPublic, ...when } };
    },
  }));
  connection = await Connection.connect({ address: stack.address });
  temporal = new Client({ connection });
  deployment = await readDeployment(stack.files.deployment('client'), clientDeploymentSchema);
});
afterAll(async () => {
  for (const worker of started) await worker.stop();
  await connection?.close();
  await stack?.end();
});

const versions = (side: 'private' | 'public' = 'public') =>
  deploymentVersions(connection.workflowService, { namespace: 'default', side });

/** Build of the newest workflow task of a run that succeeded; undefined before there is one with a build. */
async function buildOf(workflowId: string): Promise<string | undefined> {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
}

async function startOfSchedule(): Promise<string | null> {
  for await (const { workflowId } of temporal.workflow.list({ query: "WorkflowType = 'scheduledReleaseWorkflow'" }))
    return workflowId;
  return null;
}

/** Waits until a log holds a text `times` times; that of the stack's own public worker unless another is named. */
async function logHolds(text: string, times: number, name = 'public'): Promise<void> {
  for (let waited = 0; waited < 900; waited++) {
    if ((await readFile(stack.files.log(name), 'utf8')).split(text).length > times) return;
    await delay(100);
  }
  throw new Error(`the log ${name} does not hold: ${text}`);
}

/** Whoever takes its time to find the window is still at it when the next build becomes current. */
const SLOWLY = 'await new Promise((resolve) => setTimeout(resolve, 6000));\n  const { series, digest }';

test('an open gate survives a deployment of new code, and a restart of the old build takes nothing back', async () => {
  const gate = await startSmall(stack.client, series);
  await reaches(stack.client, gate, ['waiting']);
  const { current: old } = await versions();

  // Equal sources in another place are the same build; a change of workflow code is another.
  const tree = await copyTree(stack.root);
  const same = await startTreeWorker(tree, stack.files.deployment('public'), stack.files.log('same'));
  started.push(same);
  expect((await versions()).builds).toEqual([old]);
  await same.stop();
  await change(
    tree,
    'workflows/release-progress.ts',
    'setHandler(statusQuery, () => this.status());',
    "setHandler(statusQuery, () => this.status());\n    setHandler(defineQuery<string>('build'), () => 'next');",
  );
  await change(tree, 'activities/public/scheduled-window.ts', 'const { series, digest }', SLOWLY);
  started.push(await startTreeWorker(tree, stack.files.deployment('public'), stack.files.log('next')));
  // A build that starts takes nothing over: a person promotes it.
  await logHolds('stays back', 1, 'next');
  const next = await buildBeside(versions, [old]);
  expect((await versions()).current).toBe(old);
  await makeCurrent(deployment, next);

  // The worker of the old build dies and is started again: it stays back, too.
  process.kill(stack.workers().public!, 'SIGKILL');
  await logHolds('stays back', 1);
  expect((await versions()).current).toBe(next);

  // The open release is under the new code, and its approval publishes.
  const handle = temporal.workflow.getHandle(releaseWorkflowId(gate));
  expect(await handle.query('build')).toBe('next');
  await decideSmall(stack.client, series, gate, 'approve');
  await reaches(stack.client, gate, ['published']);
  expect(await buildOf(releaseWorkflowId(gate))).toBe(next);

  // A new release begins under the new code.
  const fresh = await startSmall(stack.client, series, 2);
  await reaches(stack.client, fresh, ['waiting']);
  expect(await temporal.workflow.getHandle(releaseWorkflowId(fresh)).query('build')).toBe('next');

  // Nothing is wrong meanwhile; a person can go back, to a build that is alive and to no other.
  expect(await diagnose(deployment)).toEqual([]);
  await expect(makeCurrent(deployment, 'nobody')).rejects.toThrow('No live worker is of build nobody');
  await makeCurrent(deployment, old ?? '');
  expect((await versions()).current).toBe(old);
  builds = { old: old!, next };
}, 180_000);

test('a start of a schedule ends under the build that it began with, and its release is under the current one', async () => {
  const weekly = await writeWeeklySeries(join(stack.root, 'weekly'), { series: 'weekly', population: 'weekly' });
  await applySchedule(stack.client, await planSchedule(stack.client, weekly.file));
  await makeCurrent(deployment, builds.next);
  // One Friday at 06:00 in Sydney.
  const friday = { start: new Date('2026-03-05T00:00:00Z'), end: new Date('2026-03-07T00:00:00Z') };
  await temporal.schedule.getHandle(scheduleId('weekly')).backfill({ ...friday, overlap: 'ALLOW_ALL' });
  const starter = await until(startOfSchedule, (id) => id !== null, 60);
  await until(
    () => buildOf(starter!),
    (build) => build !== undefined,
    60,
  );
  await makeCurrent(deployment, builds.old);
  expect(await temporal.workflow.getHandle(starter!).result()).toMatchObject({ window: SMALL_DAYS[0], started: true });
  expect(await buildOf(starter!)).toBe(builds.next);
  const release = { series: 'weekly', window: SMALL_DAYS[0]!, version: 1 };
  await reaches(stack.client, release, ['waiting'], 120);
  expect(await buildOf(releaseWorkflowId(release))).toBe(builds.old);
}, 180_000);

test('a build that breaks an open release is named, nothing is lost, and going back mends it', async () => {
  const gate = { series: 'small', window: SMALL_DAYS[0]!, version: 2 };
  const { manifestDigest, seriesDigest } = await stack.client.status(gate);
  const tree = await copyTree(stack.root);
  const stage = 'await orStall(progress, () => publicStages.derive(input));';
  await change(tree, 'workflows/release.workflow.ts', stage, `${stage}\n  ${stage}`);
  const before = (await versions()).builds;
  started.push(await startTreeWorker(tree, stack.files.deployment('public'), stack.files.log('breaking')));
  await makeCurrent(deployment, await buildBeside(versions, before));
  const handle = temporal.workflow.getHandle(releaseWorkflowId(gate));
  await handle.signal('anything'); // whatever happens next, the broken code is asked to take it up
  const named = (all: Diagnosis[]) => all.find(({ sentence }) => sentence.startsWith(releaseWorkflowId(gate)));
  const found = named(
    await until(
      () => diagnose(deployment),
      (all) => named(all) !== undefined,
      60,
    ),
  );
  expect(found?.sentence).toContain('cannot go on');
  const command = /^opaline doctor --make-current (\w+)$/.exec(found?.command ?? '');
  expect([builds.old, builds.next]).toContain(command?.[1]);
  await logHolds('Failing workflow task', 1, 'breaking');
  const shown = await until(
    () => explainRelease(stack.client, gate).catch(() => ({})),
    (one) => 'what' in one,
    90,
  );
  expect(shown).toMatchObject({ commands: ['opaline doctor'] });

  await makeCurrent(deployment, command![1]!);
  await until(
    () => diagnose(deployment),
    (all) => all.length === 0,
    120,
  );
  expect(await reaches(stack.client, gate, ['waiting'], 120)).toMatchObject({ manifestDigest });
  await decideSmall(stack.client, series, { ...gate, seriesDigest }, 'approve');
  await reaches(stack.client, gate, ['published'], 120);
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit', 'reserve', 'commit']);
}, 300_000);
