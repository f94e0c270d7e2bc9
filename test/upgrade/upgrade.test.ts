import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnose, makeCurrent } from '../../client/doctor.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { releaseWorkflowId } from '../../contracts/names.ts';
import { deploymentVersions } from '../../worker/current-version.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import type { ChildProcess } from '../../worker/embedded/child-process.ts';
import { embeddedFiles, folderDeployments } from '../../worker/embedded/embedded-files.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';
import { change, copyTree, startPublicWorker } from './other-build.fixture.ts';

let stack: TestStack;
let connection: Connection;
const started: ChildProcess[] = [];

beforeAll(async () => {
  stack = await startTestStack((root) => {
    const usual = folderDeployments(embeddedFiles(root), { trips: join(root, 'stores', 'sources', 'trips') });
    return { ...usual, public: { ...usual.public, becomeCurrent: 'when-new' } };
  });
  connection = await Connection.connect({ address: stack.address });
});
afterAll(async () => {
  for (const worker of started) await worker.stop();
  await connection?.close();
  await stack?.end();
});

const versions = () => deploymentVersions(connection.workflowService, 'default');

/** Waits until the log of the stack's own public worker holds a text so many times. */
async function logHolds(text: string, times: number): Promise<void> {
  for (let waited = 0; waited < 900; waited++) {
    if ((await readFile(stack.files.log('public'), 'utf8')).split(text).length > times) return;
    await delay(100);
  }
  throw new Error(`the log of the public worker does not hold: ${text}`);
}

test('an open gate survives a deployment of new code, and a restart of the old build takes nothing back', async () => {
  const temporal = new Client({ connection });
  await writeSmallTrips(stack.source);
  const series = await writeSmallSeries(join(stack.root, 'small'));
  const gate = await startSmall(stack.client, series);
  await reaches(stack.client, gate, ['waiting']);
  const { current: old } = await versions();

  // Equal sources in another place are the same build; a change of workflow code is another.
  const tree = await copyTree(stack.root);
  const same = await startPublicWorker(tree, stack.files.deployment('public'), stack.files.log('same'));
  started.push(same);
  expect((await versions()).builds.map(({ buildId }) => buildId)).toEqual([old]);
  await same.stop();
  await change(
    tree,
    'workflows/release-progress.ts',
    'setHandler(statusQuery, () => this.status());',
    "setHandler(statusQuery, () => this.status());\n    setHandler(defineQuery<string>('build'), () => 'next');",
  );
  started.push(await startPublicWorker(tree, stack.files.deployment('public'), stack.files.log('next')));
  const { current: next } = await versions();
  expect(next).not.toBe(old);

  // The worker of the old build dies and is started again: it was current before, and stays back.
  process.kill(stack.workers().public!, 'SIGKILL');
  await logHolds('stays back', 1);
  expect((await versions()).current).toBe(next);

  // The open release is under the new code, and its approval publishes.
  const handle = temporal.workflow.getHandle(releaseWorkflowId(gate));
  expect(await handle.query('build')).toBe('next');
  await decideSmall(stack.client, series, gate, 'approve');
  await reaches(stack.client, gate, ['published']);
  const { workflowExecutionInfo } = (await handle.describe()).raw;
  expect(workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId).toBe(next);

  // A new release begins under the new code.
  const fresh = await startSmall(stack.client, series, 2);
  await reaches(stack.client, fresh, ['waiting']);
  expect(await temporal.workflow.getHandle(releaseWorkflowId(fresh)).query('build')).toBe('next');

  // Nothing is wrong meanwhile; a person can go back, to a build that is alive and to no other.
  const deployment = await readDeployment(stack.files.deployment('client'), clientDeploymentSchema);
  expect(await diagnose(deployment)).toEqual([]);
  await expect(makeCurrent(deployment, 'nobody')).rejects.toThrow('No live public worker is of build nobody');
  await makeCurrent(deployment, old ?? '');
  expect((await versions()).current).toBe(old);
}, 180_000);
