import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { diagnose, makeCurrent } from '../../client/doctor.ts';
import { setUpTemporal } from '../../client/set-up-temporal.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import { RELEASE_KEYS, SEARCH_ATTRIBUTES, TASK_QUEUES, WORKER_DEPLOYMENTS } from '../../contracts/names.ts';
import { provideTool } from '../../infra/provision/tools.mjs';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import { openStore } from '../../services/stores/open-store.ts';
import { deploymentVersions } from '../../services/temporal/current-version.ts';
import { type ChildProcess, startProcess } from '../../stack/child-process.ts';
import { provideDemoTrust } from '../../stack/demo-trust.ts';
import { type EmbeddedFiles, folderDeployments, locateFiles, writeDeployments } from '../../stack/embedded-files.ts';
import { startTemporalServer, type TemporalServer } from '../../stack/temporal-server.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { until } from '../observe/scrape.fixture.ts';
import { newFolder } from '../support/new-folder.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { ROOT } from '../tidy/source-files.ts';

/** A build that no worker is of. */
const GONE = 'gone';

let files: EmbeddedFiles;
let temporal: TemporalServer;
let connection: Connection;
let client: Client;
let deployment: ClientDeployment;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  const root = newFolder();
  files = locateFiles(root);
  temporal = await startTemporalServer({
    cli: await provideTool('temporal-cli'),
    database: files.database,
    logFile: join(root, 'temporal.log'),
    ui: false,
  });
  await writeDeployments(files, folderDeployments(files, { trips: files.sources }), temporal.address);
  connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
  await setUpTemporal({ address: temporal.address, namespace: 'default' }, { checkOnly: false });
  await provideDemoTrust(files, TEST_TRUST);
  deployment = await readDeployment(files.deployment('client'), clientDeploymentSchema);
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await connection?.close();
  await temporal?.process.stop();
});

const findings = async (one: ClientDeployment = deployment) =>
  (await diagnose(one)).map(({ sentence, command }) => `${sentence} | ${command}`);
const at = () => `--address ${temporal.address} --namespace default`;
const opaline = () => run(['doctor'], { cwd: files.root, deployment: files.deployment('client') });

async function start(side: 'private' | 'public'): Promise<void> {
  const words = [join(ROOT, 'worker', `${side}.ts`), files.deployment(side)];
  const worker = await startProcess(process.execPath, words, join(files.root, `${side}.log`));
  workers.push(worker);
  expect(await worker.ready()).toBe(true);
}

/** Makes a build current that nobody runs, or none. */
const setCurrent = (build: { version: '__unversioned__' } | { buildId: string; allowNoPollers: true }) =>
  connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: 'default',
    deploymentName: WORKER_DEPLOYMENTS.public,
    identity: 'test',
    ...build,
  });

test('a server that does not answer, and a store that does not', async () => {
  const nowhere = clientDeploymentSchema.parse({
    ...deployment,
    temporal: { address: '127.0.0.1:1' },
    releaseStore: {
      kind: 's3',
      bucket: 'none',
      region: 'local',
      endpoint: 'http://127.0.0.1:1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    },
  });
  const [store, server, ...others] = await findings(nowhere);
  expect(store).toMatch(/^The release store does not answer.* \| opaline ledger show$/);
  expect(server).toMatch(/^Temporal does not answer at 127\.0\.0\.1:1; .* \| opaline up$/);
  expect(others).toEqual([]);
});

test('a folder of an older build, whose trust file has another form too', async () => {
  const root = newFolder();
  const entry = signDocument({ format: 'opaline-ledger/2', population: 'riders' }, generateSigningKey().privateKey);
  const releaseStore = { kind: 'folder' as const, path: join(root, 'release') };
  await new FolderStore(releaseStore.path).putIfAbsent(RELEASE_KEYS.ledgerEntry('riders', 1), jsonBytes(entry));
  const trust = { ...deployment.trust, file: join(root, 'trust.json') };
  await writeFile(trust.file, '{}');
  const [older] = await findings({ ...deployment, releaseStore, trust, temporal: { address: '127.0.0.1:1' } as never });
  expect(older).toMatch(/does not read the ledger of riders in .*older build.* \| opaline up --reset$/);
  // Where the ledger is today's, the trust file is what has to be mended.
  const [broken] = await findings({ ...deployment, trust });
  expect(broken).toMatch(/opaline check trust\.json$/);
});

test('a retention that is too short, and search attributes that are not registered', async () => {
  await connection.workflowService.registerNamespace({
    namespace: 'bare',
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const bare = { ...deployment, temporal: { ...deployment.temporal, namespace: 'bare' } };
  const ask = () => findings(bare).catch(() => []); // a new namespace is known after a moment
  const found = await until(ask, (all) => all.length > 0, 60);
  const names = Object.values(SEARCH_ATTRIBUTES).join(', ');
  expect(found).toContain('The retention of bare is 1 days: set it to 90. | opaline temporal setup');
  expect(found).toContain(
    `Register the search attributes ${names} of bare, each of type Keyword. | opaline temporal setup`,
  );
});

test('a namespace that is not there', async () => {
  const gone = { ...deployment, temporal: { ...deployment.temporal, namespace: 'gone' } };
  expect(await findings(gone)).toContain(
    'There is no namespace gone: make it, with a retention of 90 days. | opaline temporal setup',
  );
});

test('workers that are not there, and nothing else on a server that is set up', async () => {
  expect(await findings()).toEqual([
    'No private worker is alive: nothing is ingested or drawn. | opaline worker private private.json',
    'No public worker is alive: no release goes on. | opaline worker public public.json',
  ]);
  expect(await opaline()).toMatchObject({ code: 3 });
});

test('the store of publications is left alone', async () => {
  const publication = new FolderStore(files.publication);
  await Promise.all([start('private'), start('public')]);
  const keys: string[] = [];
  for await (const { key } of publication.list('')) keys.push(key);
  expect(keys).toEqual([]);
});

test('an empty installation is healthy, and says what to do next; one in use does not', async () => {
  const empty = await opaline();
  expect(empty).toMatchObject({ code: 0, stderr: '' });
  expect(empty.stdout).toContain(
    // Without an approver's key there would be no trust file.
    `Nothing is wrong.\nNothing was released here yet. Next:\n    npm run opaline -- check SERIES.yaml\n    npm run opaline -- run`,
  );
  await openStore(deployment.releaseStore).putIfAbsent(RELEASE_KEYS.series('used', sha256('{}')), Buffer.from('{}'));
  expect(await opaline()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^Nothing is wrong\.\nBuilds on opaline-private: \w{16} \(1 worker, current\)\nBuilds on opaline-public: \w{16} \(1 worker, current\)\n$/,
    ),
  });
});

test('no build is current, or one that nobody runs: the command names the live build and mends it', async () => {
  const { current: alive } = await deploymentVersions(connection.workflowService, {
    namespace: 'default',
    side: 'public',
  });
  await setCurrent({ version: '__unversioned__' });
  expect(await findings()).toEqual([
    `No build is current on the public side: no task is taken up there. | opaline doctor --make-current ${alive}`,
  ]);
  await setCurrent({ buildId: GONE, allowNoPollers: true });
  expect(await findings()).toEqual([
    `Build ${GONE} is current on the public side, and no live worker is of it: start one, or make the live build current. | opaline doctor --make-current ${alive}`,
  ]);
  await makeCurrent(deployment, alive!);
  expect(await findings()).toEqual([]);
  await expect(makeCurrent(deployment, GONE)).rejects.toMatchObject({ code: 'SETUP_FAILED' });
});

test('a run that is bound to a build that nobody runs', async () => {
  const pinned = await client.workflow.start('sourceCheckWorkflow', {
    workflowId: 'bound',
    taskQueue: TASK_QUEUES.public,
    args: [{}],
    versioningOverride: { pinnedTo: { deploymentName: WORKER_DEPLOYMENTS.public, buildId: GONE } },
  });
  const command = `temporal workflow update-options ${at()} --workflow-id bound --versioning-override-behavior auto_upgrade`;
  expect(await until(findings, (all) => all.length > 0, 30)).toEqual([
    `bound is bound to build ${GONE}, and no live worker is of it. | ${command}`,
  ]);
  await pinned.terminate();
});

test('a run whose workflow task fails under every build so far', async () => {
  const unknown = await client.workflow.start('unknownWorkflow', { workflowId: 'odd', taskQueue: TASK_QUEUES.public });
  const [found] = await until(findings, (all) => all.some((one) => one.startsWith('odd')), 60);
  expect(found).toContain('odd cannot go on');
  expect(found).toContain(`No build has taken it up yet. | temporal workflow describe ${at()} --workflow-id odd`);
  await unknown.terminate();
  expect(await until(findings, (all) => all.length === 0, 60)).toEqual([]);
});
