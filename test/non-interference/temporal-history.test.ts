import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { createPublicActivities } from '../../activities/public/public-activities.ts';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { QUEUES, releaseWorkflowId, TASK_QUEUES } from '../../contracts/names.ts';
import type { PrivateActivities, Run } from '../../contracts/stages.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { signDocument } from '../../services/signing/signed-document.ts';
import { startTemporalServer } from '../../stack/temporal-server.ts';
import { guard } from '../../worker/guard.ts';
import { workflowBundle } from '../../worker/workflow-bundle.ts';
import { readCellRows } from '../support/cell-rows.ts';
import { differences, numberedId } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, withMargins } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import { approverKey, TEST_APPROVER } from '../support/test-trust.ts';
import { rootKey, trustFile, trustVersion } from '../support/trust-files.ts';
import { activitiesOf, deliver, hiding, type World, withRows } from './worlds.ts';

/**
 * C20 with real Temporal: the histories of two worlds that differ in one trip, which the dice hide, are the same. Set
 * aside, since they are of the run and not of the data: times, durations, identities of processes and executions, and
 * in which order activities that run side by side were done.
 */
type Observed = { history: string[]; objects: Map<string, string>; status: string };

Runtime.install({ logger: new DefaultLogger('ERROR') });
const setup = await loadSmallSeries(withMargins);

/** A change of the private worker's registry, for the broken twin. */
type Twin = (activities: PrivateActivities, context: PrivateContext) => PrivateActivities;

async function observe(world: World, twin: Twin = (activities) => activities): Promise<Observed> {
  const release = await openSmallRelease(setup);
  const server = await startTemporalServer({
    cli: await provideTool('temporal-cli'),
    database: join(release.root, 'temporal.db'),
    logFile: join(release.root, 'temporal.log'),
    ui: false,
  });
  const connection = await NativeConnection.connect({ address: server.address });
  const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(1) });
  const diagnose = async (): Promise<string> => numberedId(2);
  const options = { connection, namespace: 'default', shutdownGraceTime: '1 second', shutdownForceTime: '2 seconds' };
  const ofPrivate = guard(twin(activitiesOf(release, contexts.private, world), contexts.private), diagnose);
  const ofPublic = guard(createPublicActivities(contexts.public), diagnose);
  const workflowBundled = { codePath: await workflowBundle() };
  const workers = await Promise.all([
    Worker.create({ ...options, taskQueue: TASK_QUEUES.private, activities: ofPrivate }),
    Worker.create({ ...options, taskQueue: QUEUES.usual.heavy.private, activities: ofPrivate }),
    Worker.create({ ...options, taskQueue: QUEUES.usual.heavy.public, activities: ofPublic }),
    Worker.create({ ...options, taskQueue: TASK_QUEUES.public, activities: ofPublic, workflowBundle: workflowBundled }),
  ]);
  // A worker that does not get all its polls back in time ends with an error that says nothing about the release.
  const ended = workers.map((worker) => worker.run().catch(() => undefined));
  const trustFilePath = join(release.root, 'trust.json');
  await writeFile(trustFilePath, trustFile(signDocument(trustVersion(), rootKey.privateKey)));
  const client = await openClient({
    temporal: { address: server.address, namespace: 'default' },
    trust: { file: trustFilePath },
    releaseStore: { kind: 'folder', path: release.folder('release') },
  });
  try {
    await deliver(release, world);
    await publish(client, release.run());
    const handle = client.temporal.workflow.getHandle(releaseWorkflowId(release.run()));
    const { events } = await handle.fetchHistory();
    const plain = (text: string) => withoutRun(text.replaceAll(release.root, '<root>'));
    const objects = await release.objects(['release', 'publication']);
    return {
      history: (events ?? [])
        .flatMap((event) => described(event) ?? [])
        .map(plain)
        .sort(),
      objects: new Map([...objects].filter(([key]) => !OF_THE_RUN.test(key)).map(([key, text]) => [key, text])),
      status: plain(JSON.stringify(await client.status(release.run()))),
    };
  } finally {
    await client.close();
    for (const worker of workers) worker.shutdown();
    await Promise.all(ended);
    await connection.close().catch(() => undefined);
    await server.process.stop();
    await release.close();
  }
}

async function publish(client: OpalineClient, run: Run): Promise<void> {
  await client.start({ ...run, correction: null });
  expect((await reaches(client, run, ['waiting', 'failed', 'partitions-failed'])).state).toBe('waiting');
  // The notice of the gate is settled: one that a decision overtakes would be given up in one world alone.
  const workflow = client.temporal.workflow.getHandle(releaseWorkflowId(run));
  while (((await workflow.describe()).raw.pendingActivities ?? []).length > 0) await delay(100);
  const { privateKey } = approverKey(TEST_APPROVER);
  const decision = { decision: 'approve' as const, reason: 'audit-passed' as const, note: 'a note', acknowledged: [] };
  expect(await decideRelease(client, { release: run, ...decision, privateKey })).toMatchObject({ accepted: true });
  expect((await reaches(client, run, ['published', 'failed'])).state).toBe('published');
}

/** Which execution ran it, and files that hold the time of publication; non-interference.test.ts sets that time. */
const OF_THE_RUN = /\/executions\/|\/gates\/|\/attestation\.json$|\/SHA256SUMS$|\/feed\.atom$|\/releases\.json$/;

/** Events of workflow tasks say how and when the worker was woken, starts of activities who took them. */
const OF_WORKERS = /^EVENT_TYPE_(WORKFLOW_TASK_|ACTIVITY_TASK_STARTED$)/;
const RUN_FIELDS =
  /^(eventId|eventTime|taskId|version|identity|requestId|.*RunId|.*EventId|.*Time|.*Timestamp|workerVersion|deployment.*|header|attempt)$/;

/** An event as text, with its payloads decoded; null when it is of the workers. */
function described(event: object): string | null {
  const plain: Record<string, unknown> = JSON.parse(
    JSON.stringify(event, (name, value: unknown) =>
      RUN_FIELDS.test(name) ? undefined : name === 'startToFireTimeout' ? inMinutes(value) : decoded(value),
    ),
  );
  return OF_WORKERS.test(String(plain.eventType)) ? null : canonicalJson(plain);
}

/** The time of a gate runs from the moment in which it was opened, which is of the run. */
const inMinutes = (timeout: unknown): number => Math.round(Number((timeout as { seconds?: string }).seconds ?? 0) / 60);

/** What a publisher signs holds the time of publication: its signature and the digest of its file are of the run. */
const SIGNED_STATEMENT = /"statement":\{"payloadType":"[^"]*","payload":"([^"]*)","signatures":\[[^\]]*\]\}/;

/** A payload is JSON in base64. */
function decoded(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('metadata' in value && 'data' in value)) return value;
  return textOf(String(value.data))
    .replace(/"attestation":"[0-9a-f]{64}"/, '"attestation":"<digest>"')
    .replace(SIGNED_STATEMENT, (_, payload: string) => `"statement":${textOf(payload)}`);
}

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8');

/** Without moments, and without identifiers that Temporal made. */
const withoutRun = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    .replaceAll(/(?!00000000)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>');

const BUS = 'bus/2026-03-02';
const EMPTY_WORLD: World = {};
const MORE: World = {
  trips: withRows(BUS, (text) => `${text}bus,2026-03-02 08:05:00,stop-2,2026-03-02 08:35:00,stop-1\n`),
  noise: { [BUS]: hiding(['on 08:00 2001', 'off 08:30 2000'], -1) },
};

test('C20: one trip more, hidden by the dice: the same history, objects and status on real Temporal', async () => {
  const [one, other] = [await observe(EMPTY_WORLD), await observe(MORE)];
  expect(other.history).toEqual(one.history);
  expect(other.status).toBe(one.status);
  expect(differences(one.objects, other.objects)).toEqual([]);
  // The comparison sees what activities receive and answer.
  const text = one.history.join('\n');
  for (const word of ['privatize', 'manifestDigest', 'OpalineState', numberedId(1), 'approve'])
    expect(text).toContain(word);
  expect(one.history.length).toBeGreaterThan(30);
}, 180_000);

test('C20: a broken twin that answers with the number of taps is caught in the history', {
  tags: 'soak',
  timeout: 180_000,
}, async () => {
  const tells: Twin = (activities, context) => ({
    ...activities,
    privatize: async (input) => {
      const counts = await readCellRows(context, input, input.round, input.partitions[0]!);
      const taps = counts.reduce((sum, [, , , count]) => sum + count, 0);
      const [draw] = await activities.privatize(input);
      return [{ ...draw!, taps }];
    },
  });
  const [one, other] = [await observe(EMPTY_WORLD, tells), await observe(MORE, tells)];
  expect(other.history).not.toEqual(one.history);
  expect(differences(one.objects, other.objects)).toEqual([]);
});
