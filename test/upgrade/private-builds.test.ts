import { readFile } from 'node:fs/promises';
import { Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildLines, diagnose, makeCurrent } from '../../client/doctor.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import { releasePath } from '../../contracts/names.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { deploymentVersions } from '../../services/temporal/current-version.ts';
import type { ChildProcess } from '../../stack/child-process.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { until } from '../observe/scrape.fixture.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, smallTrips, writeTrips, writeTruncatedTrips } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { buildBeside, change, copyTree, deploymentIn, startTreeWorker } from './other-build.fixture.ts';

let stack: TestStack;
let series: SmallSeries;
let connection: Connection;
let deployment: ClientDeployment;
/** Another build, and one of equal sources, as they were when the test began. */
let tree: string;
let same: string;
const started: ChildProcess[] = [];

const versions = (side: 'private' | 'public' = 'private', namespace = 'default') =>
  deploymentVersions(connection.workflowService, { namespace, side });

beforeAll(async () => {
  ({ stack, series } = await startSmallStack({
    deployments: (root) => {
      const { private: ofPrivate, ...others } = usualDeployments(root);
      return { ...others, private: { ...ofPrivate, becomeCurrent: 'when-none' } };
    },
  }));
  connection = await Connection.connect({ address: stack.address });
  deployment = await readDeployment(stack.files.deployment('client'), clientDeploymentSchema);
  [tree, same] = await Promise.all([copyTree(stack.root), copyTree(stack.root)]);
  await change(
    tree,
    'activities/private/privatize.ts',
    'the only code that meets noise',
    'the one code that meets noise',
  );
});
afterAll(async () => {
  for (const worker of started) await worker.stop();
  await connection?.close();
  await stack?.end();
});

test('C15: promotion and roll-back of the private worker between the draws of a release, at 0 ε and with nobody asked', {
  tags: 'soak',
  timeout: 400_000,
}, async () => {
  // Two partitions wait for their objects, so that builds change where the test says.
  for (const mode of ['bus', 'ferry']) await writeTruncatedTrips(stack.source, '2026-03-04', mode);
  const run = await startSmall(stack.client, series);
  await reaches(stack.client, run, ['partitions-failed'], 120);
  const { current: old } = await versions();
  started.push(await startTreeWorker(tree, stack.files.deployment('private'), stack.files.log('next'), 'private'));
  const next = await buildBeside(versions, [old]);
  // A build that starts beside the current one is given nothing, and takes nothing over.
  expect((await versions()).current).toBe(old);
  expect(await readFile(stack.files.log('next'), 'utf8')).toContain('this build stays back');

  const retry = async (mode: string) => {
    await writeTrips(stack.source, '2026-03-04', mode, smallTrips('2026-03-04', mode));
    const partitions = [{ part: mode, day: '2026-03-04' }];
    await until(
      () => stack.client.ask(run, 'retryPartitions', { partitions, subject: 'test' }),
      ({ accepted }) => accepted,
      60,
    );
  };
  await makeCurrent(deployment, next);
  await retry('bus');
  await until(
    () => stack.client.status(run),
    ({ state, partitions }) =>
      state === 'partitions-failed' && partitions.filter((one) => one.state === 'drawn').length === 5,
    120,
  );
  const mixed = `${releasePath(run)} was drawn by several builds, each with a shadow run: ${[old, next].sort().join(', ')}`;
  expect(await buildLines(deployment)).toEqual([
    expect.stringMatching(new RegExp(`^Builds on opaline-private: .*${next} \\(1 worker, current\\)`)),
    expect.stringMatching(/^Builds on opaline-public: \w{16} \(1 worker, current\)$/),
    mixed,
  ]);
  await makeCurrent(deployment, old!);
  await retry('ferry');
  await reaches(stack.client, run, ['waiting'], 120);
  expect(await diagnose(deployment)).toEqual([]);
  await decideSmall(stack.client, series, run, 'approve');
  await reaches(stack.client, run, ['published'], 120);
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit']);
});

test('a server without a current build is not taken by an old build: the one that was promoted last takes it', {
  tags: 'soak',
  timeout: 200_000,
}, async () => {
  const { current: promoted } = await versions();
  const namespace = 'new-server';
  const elsewhere = await deploymentIn(stack, 'private', namespace);
  const stale = await startTreeWorker(tree, elsewhere, stack.files.log('stale'), 'private');
  started.push(stale);
  expect(await readFile(stack.files.log('stale'), 'utf8')).toContain('this build stays back');
  expect((await versions('private', namespace)).current).toBeNull();
  started.push(await startTreeWorker(same, elsewhere, stack.files.log('again'), 'private'));
  expect((await versions('private', namespace)).current).toBe(promoted);
});
