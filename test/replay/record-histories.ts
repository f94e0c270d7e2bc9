import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { releaseWorkflowId } from '../../contracts/names.ts';
import type { ReleaseState } from '../../contracts/release-state.ts';
import type { Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  type SmallSeries,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';

/**
 * Records a history of every way through releaseWorkflow, on a real stack, into this folder. Run it when a release of
 * Opaline is made, and keep the older files: gates outlive deployments, so the code has to replay them.
 * Usage: node test/replay/record-histories.ts NAME, where NAME says which version recorded them.
 */
const PATHS: Record<string, (stack: TestStack, series: SmallSeries, run: Run) => Promise<ReleaseState>> = {
  published: async (stack, series, run) => {
    await reaches(stack.client, run, ['waiting']);
    await decideSmall(stack.client, series, run, 'approve');
    return 'published';
  },
  rejected: async (stack, series, run) => {
    await reaches(stack.client, run, ['waiting']);
    await decideSmall(stack.client, series, run, 'reject');
    return 'rejected';
  },
  withdrawn: async (stack, _, run) => {
    await reaches(stack.client, run, ['waiting']);
    await stack.client.ask(run, 'withdraw', { subject: 'test' });
    return 'withdrawn';
  },
  cancelled: async (stack, _, run) => {
    await reaches(stack.client, run, ['waiting']);
    await stack.client.ask(run, 'cancel', { subject: 'test' });
    return 'cancelled';
  },
  retried: async (stack, series, run) => {
    await reaches(stack.client, run, ['partitions-failed']);
    await writeTrips(stack.source, '2026-03-03', 'bus', smallTrips('2026-03-03', 'bus'));
    await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
    await reaches(stack.client, run, ['waiting']);
    await decideSmall(stack.client, series, run, 'approve');
    return 'published';
  },
  abandoned: async (stack, _, run) => {
    await reaches(stack.client, run, ['partitions-failed']);
    await stack.client.ask(run, 'abandonPartitions', { partitions: [], subject: 'test' });
    await reaches(stack.client, run, ['waiting']);
    await stack.client.ask(run, 'withdraw', { subject: 'test' });
    return 'withdrawn';
  },
  'waiting-at-the-gate': async (stack, _, run) => {
    await reaches(stack.client, run, ['waiting']);
    return 'waiting';
  },
};

const NEEDS_FAULT = ['retried', 'abandoned'];

const [name] = process.argv.slice(2);
if (!name) throw new Error('name the version that records, such as v1');
const stack = await startTestStack();
const connection = await Connection.connect({ address: stack.address });
const temporal = new Client({ connection });
try {
  for (const [path, take] of Object.entries(PATHS)) {
    const series = await writeSmallSeries(join(stack.root, path), { series: path, population: path });
    await writeSmallTrips(stack.source);
    if (NEEDS_FAULT.includes(path)) await writeTruncatedTrips(stack.source, '2026-03-03', 'bus');
    const run = await startSmall(stack.client, series);
    await reaches(stack.client, run, [await take(stack, series, run)]);
    const handle = temporal.workflow.getHandle(releaseWorkflowId(run));
    if (path !== 'waiting-at-the-gate') await handle.result();
    const file = new URL(`./${name}-${path}.json`, import.meta.url);
    const text = historyToJSON(await handle.fetchHistory());
    await writeFile(file, `${text.replaceAll(/"identity": ?"[^"]*"/g, '"identity": "worker"')}\n`); // no host names
    process.stdout.write(`recorded ${name}-${path}\n`);
  }
} finally {
  await connection.close();
  await stack.end();
}
