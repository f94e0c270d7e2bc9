import { Client, Connection } from '@temporalio/client';
import { openStore } from '../activities/stores/open-store.ts';
import type { ClientDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, WORKER_DEPLOYMENT } from '../contracts/names.ts';
import { deploymentVersions } from '../worker/current-version.ts';

/** What is wrong with an installation, in one sentence, and the command that mends it. */
export type Finding = { sentence: string; command: string };

/** A worker asks for work at least once a minute. */
const ALIVE_MS = 90_000;

const WORKFLOW_QUEUE = 1;
const ACTIVITY_QUEUE = 2;
const PINNED = 1;
const NOT_FOUND = 5;

const START = { private: 'node worker/private.ts private.json', public: 'node worker/public.ts public.json' };

/** Looks at an installation and changes nothing. No finding: it is healthy. */
export async function diagnose({ temporal, releaseStore }: ClientDeployment): Promise<Finding[]> {
  const findings = await storeFindings(releaseStore);
  const { address, namespace } = temporal;
  const connection = await connect(address);
  if (!connection)
    return [
      ...findings,
      {
        sentence: `Temporal does not answer at ${address}.`,
        command: 'npm start',
      },
    ];
  try {
    findings.push(...(await attributeFindings(connection, namespace)));
    const builds = await polledBuilds(connection, namespace);
    findings.push(...(await workerFindings(connection, namespace, builds)));
    findings.push(...(await runFindings(new Client({ connection, namespace }), builds)));
    return findings;
  } finally {
    await connection.close();
  }
}

/** Makes a build current by a person's decision, such as a rollback. Throws SETUP_FAILED when no worker polls under it. */
export async function makeCurrent({ temporal }: ClientDeployment, buildId: string): Promise<void> {
  const connection = await connect(temporal.address);
  if (!connection) throw new OpalineError('SERVER_UNAVAILABLE', `Temporal does not answer at ${temporal.address}.`);
  try {
    const { namespace } = temporal;
    const polled = await polledBuilds(connection, namespace);
    if (!polled.has(buildId))
      throw new OpalineError('SETUP_FAILED', `No live public worker is of build ${buildId}; start one of it first.`);
    await connection.workflowService.setWorkerDeploymentCurrentVersion({
      namespace,
      deploymentName: WORKER_DEPLOYMENT,
      buildId,
      identity: 'opaline',
    });
  } finally {
    await connection.close();
  }
}

const connect = (address: string): Promise<Connection | null> =>
  Connection.connect({ address, connectTimeout: 5_000 }).catch(() => null);

async function storeFindings(configuration: ClientDeployment['releaseStore']): Promise<Finding[]> {
  try {
    for await (const _ of openStore(configuration).list('series/')) break;
    return [];
  } catch {
    const sentence = 'The release store does not answer, or the client has no rights to list it.';
    return [{ sentence, command: 'opaline ledger show' }];
  }
}

async function attributeFindings({ operatorService }: Connection, namespace: string): Promise<Finding[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return Object.values(SEARCH_ATTRIBUTES)
    .filter((name) => !Object.hasOwn(customAttributes ?? {}, name))
    .map((name) => ({
      sentence: `The search attribute ${name} is not registered, so no release can start.`,
      command: `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type Keyword`,
    }));
}

async function livePollers({ workflowService }: Connection, namespace: string, name: string, taskQueueType: number) {
  const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType });
  return (pollers ?? []).filter(
    ({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < ALIVE_MS,
  );
}

/** Builds of the live public workers. */
async function polledBuilds(connection: Connection, namespace: string): Promise<Set<string>> {
  const pollers = await livePollers(connection, namespace, TASK_QUEUES.public, WORKFLOW_QUEUE);
  return new Set(pollers.map(({ deploymentOptions }) => deploymentOptions?.buildId ?? ''));
}

async function workerFindings(connection: Connection, namespace: string, builds: Set<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  if ((await livePollers(connection, namespace, TASK_QUEUES.private, ACTIVITY_QUEUE)).length === 0)
    findings.push({ sentence: 'No private worker is alive: nothing is ingested or drawn.', command: START.private });
  if (builds.size === 0)
    findings.push({ sentence: 'No public worker is alive: no release goes on.', command: START.public });
  const current = await currentBuild(connection, namespace);
  const [alive] = builds;
  if (!alive) return findings;
  if (!current)
    findings.push({
      sentence: 'No build is current: new releases are not taken up.',
      command: `opaline doctor --make-current ${alive}`,
    });
  else if (!builds.has(current))
    findings.push({
      sentence: `Build ${current} is current, and no live worker is of it: start one, or make the live build current.`,
      command: `opaline doctor --make-current ${alive}`,
    });
  return findings;
}

async function currentBuild({ workflowService }: Connection, namespace: string): Promise<string | null> {
  try {
    return (await deploymentVersions(workflowService, namespace)).current;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === NOT_FOUND) return null;
    throw error;
  }
}

/** Open runs that cannot go on: under a build that nobody runs, or whose last task the code could not do. */
async function runFindings(client: Client, builds: Set<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
    const buildId = deploymentVersion?.buildId;
    if (behavior === PINNED && buildId && !builds.has(buildId))
      findings.push({
        sentence: `${workflowId} is bound to build ${buildId}, and no live worker is of it.`,
        command: `temporal workflow update-options --workflow-id ${workflowId} --versioning-override-behavior auto_upgrade`,
      });
    else if ((raw.pendingWorkflowTask?.attempt ?? 1) > 1)
      findings.push({
        sentence: `${workflowId} cannot go on: its workflow task fails again and again under the current build; nothing is lost.`,
        command: 'opaline doctor --make-current BUILD',
      });
  }
  return findings;
}
