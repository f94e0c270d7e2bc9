import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diagnose } from '../../client/doctor.ts';
import { resumeRelease } from '../../client/lost-work.ts';
import { listWithRetractions, statusWithRetraction } from '../../client/release/retractions.ts';
import { retryRelease } from '../../client/release/retry-release.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { RELEASE_KEYS, releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readBytes, sha256 } from '../../services/stores/json-objects.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { type SmallStack, smallPlaces, startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack } from '../support/test-stack.ts';

/**
 * Temporal restored from a dump of before a publication: the release is at its gate again, and public. What people decide
 * now is a second execution of it. And the other way round: Temporal says that a release is public, and it is not.
 */
let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  const small: SmallStack = await startSmallStack();
  ({ stack, series } = small);
});
afterAll(() => stack?.end());

const at = (run: Run, ...states: Parameters<typeof reaches>[2]) => reaches(stack.client, run, states, 120);

/** Puts a workflow back to before its gate or its first decision, as an older dump does; decisions are forgotten. */
async function setBack(run: Run, to: 'gate' | 'decision'): Promise<void> {
  const { connection, options, workflow } = stack.client.temporal;
  const workflowId = releaseWorkflowId(run);
  const { events } = await workflow.getHandle(workflowId).fetchHistory();
  const decided = events!.findIndex((event) =>
    to === 'gate'
      ? event.activityTaskScheduledEventAttributes?.activityType?.name === 'openGate'
      : event.workflowExecutionUpdateAcceptedEventAttributes,
  );
  const task = events!.slice(0, decided - 1).findLast((event) => event.workflowTaskCompletedEventAttributes)!;
  await connection.workflowService.resetWorkflowExecution({
    namespace: options.namespace,
    workflowExecution: { workflowId },
    reason: 'restored',
    requestId: `restored-${releasePath(run)}`,
    workflowTaskFinishEventId: task.eventId!,
    resetReapplyExcludeTypes: [1, 2],
  });
}

async function entriesOf(run: Run): Promise<string[]> {
  const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
  return entries.flatMap((entry) => ('release' in entry && entry.release === releasePath(run) ? entry.kind : []));
}

async function publicFiles(): Promise<Map<string, string>> {
  const { publication } = smallPlaces(stack);
  const files = new Map<string, string>();
  for await (const { key } of publication.list('')) files.set(key, sha256(await readBytes(publication, key)));
  return files;
}

for (const [decision, tags] of [
  ['approve', []],
  ['reject', ['soak']],
] as const)
  test(`C12: a release that is public stays so when Temporal is restored and people ${decision} it once more`, {
    tags: [...tags],
    timeout: 300_000,
  }, async () => {
    const run = await startSmall(stack.client, series, decision === 'approve' ? 1 : 2);
    await at(run, 'waiting');
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    await at(run, 'published');
    const before = await publicFiles();
    await setBack(run, 'decision');
    await at(run, 'waiting');
    expect(await decideSmall(stack.client, series, run, decision)).toMatchObject({ accepted: true });
    expect(await at(run, 'published', 'failed')).toMatchObject({ state: 'published', ending: null });
    expect(await entriesOf(run)).toEqual(['reserve', 'commit']);
    expect(await publicFiles()).toEqual(before);
  });

test.each([
  ['is seen and published by a retry', 3],
  ['is too when Temporal had lost it before and has none of its decisions', 4],
] as const)(
  'C16: a release that Temporal says is public, and that is not there, %s',
  {
    tags: 'soak',
    timeout: 300_000,
  },
  async (_, version) => {
    const { client } = stack;
    const run = await startSmall(client, series, version);
    await at(run, 'waiting');
    expect(await decideSmall(client, series, run, 'approve')).toMatchObject({ accepted: true });
    await at(run, 'published');
    if (version === 4) {
      await setBack(run, 'gate');
      await at(run, 'published');
    }
    const deployment = await readDeployment(stack.files.deployment('client'), clientDeploymentSchema);
    const missing = async () =>
      (await diagnose(deployment)).filter(({ sentence }) => sentence.includes('published as'));
    expect(await statusWithRetraction(client, run)).toMatchObject({ publication: { isThere: true } });
    expect(await missing()).toEqual([]);
    const folder = join(stack.files.publication, releasePath(run));
    await rm(folder, { recursive: true });
    const seen = { place: folder, isThere: false };
    expect(await statusWithRetraction(client, run)).toMatchObject({ state: 'published', publication: seen });
    expect(await listWithRetractions(client)).toContainEqual(expect.objectContaining({ version, publication: seen }));
    expect(await missing()).toMatchObject([{ command: `opaline retry ${releasePath(run)}` }]);
    expect(await retryRelease(client, run, [], 'test')).toMatchObject({
      what: 'publication',
      answer: { accepted: true },
    });
    await at(run, 'published');
    expect(await statusWithRetraction(client, run)).toMatchObject({ publication: { isThere: true } });
    expect(await missing()).toEqual([]);
    expect(await entriesOf(run)).toEqual(['reserve', 'commit']);
  },
);

test('what people are to sign is gone from the release store: the doctor names the end of the release, which is then resumed', {
  timeout: 300_000,
}, async () => {
  const run = await startSmall(stack.client, series, 5);
  const { manifestDigest } = await at(run, 'waiting');
  const deployment = await readDeployment(stack.files.deployment('client'), clientDeploymentSchema);
  const id = releaseWorkflowId(run);
  const ends = async () =>
    (await diagnose(deployment)).filter(({ command }) => command.endsWith(`--workflow-id ${id}`));
  expect(await ends()).toEqual([]);
  await rm(join(stack.files.store('release'), RELEASE_KEYS.allStaged, releasePath(run)), { recursive: true });
  expect(await ends()).toEqual([
    {
      sentence: expect.stringContaining(`\`opaline resume ${releasePath(run)}\` brings it to its gate again, at 0 ε`),
      command: expect.stringContaining('temporal workflow terminate --address'),
    },
  ]);
  await stack.client.temporal.workflow.getHandle(id).terminate('what was staged is lost');
  await resumeRelease(stack.client, run);
  expect(await at(run, 'waiting')).toMatchObject({ manifestDigest });
  expect(await ends()).toEqual([]);
  expect(await entriesOf(run)).toEqual(['reserve']);
});
