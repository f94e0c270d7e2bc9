import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { guard } from '../activities/guard.ts';
import { createPublicActivities } from '../activities/public/activities.ts';
import type { PublicContext } from '../activities/public/context.ts';
import { refuseUnsafeStore } from '../activities/stores/canary.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import { TASK_QUEUES, WORKER_DEPLOYMENT } from '../contracts/names.ts';
import { becomeCurrent } from './current-version.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger, installRuntime } from './logger.ts';
import { startMonitor } from './observe/monitor.ts';
import { observeWorker } from './observe/observe.ts';
import { runWorker } from './run-worker.ts';
import { buildDigest } from './source-digest.ts';
import { sweep } from './sweep.ts';
import { workflowBuildId, workflowBundle } from './workflow-bundle.ts';

/** Process entry of opaline-public: workflow tasks, and the stages after the draw. It cannot read any source. */
const log = createLogger('public');
await endProcess(log, async () => {
  const deployment = await readDeployment(process.argv[2], publicDeploymentSchema);
  installRuntime(log, deployment.observe?.metrics);
  const { scratch } = deployment;
  const context: PublicContext = {
    releaseStore: openStore(deployment.releaseStore),
    publicationStore: openStore(deployment.publicationStore),
    scratch,
    build: await buildDigest(),
    newId: randomUUID,
    heartbeat: () => Context.current().heartbeat(),
  };
  await sweep(scratch, [context.releaseStore, context.publicationStore]);
  const stores = { release: context.releaseStore, publication: context.publicationStore };
  const { report, watch } = await observeWorker({ log, observe: deployment.observe, stores });
  for (const store of Object.values(stores)) await refuseUnsafeStore(store);
  const logError = async (activity: string, error: unknown) => {
    const id = randomUUID();
    log.error({ activity, diagnostics: id, error: String(error) }, 'an activity failed unexpectedly');
    return id;
  };
  const codePath = await workflowBundle();
  const buildId = await workflowBuildId(codePath);
  const options = {
    taskQueue: TASK_QUEUES.public,
    activities: guard(createPublicActivities(context), logError, report),
    workflowBundle: { codePath },
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: WORKER_DEPLOYMENT, buildId },
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    } as const,
    maxConcurrentActivityTaskExecutions: deployment.concurrency,
  };
  const watchAll: typeof watch = (worker, connection) => {
    watch(worker, connection);
    if (deployment.observe && worker.client) startMonitor(worker.client, context.releaseStore, log);
  };
  await runWorker(deployment.temporal, options, log, watchAll, async ({ workflowService }) => {
    const { namespace } = deployment.temporal;
    const current = await becomeCurrent(workflowService, { namespace, buildId, when: deployment.becomeCurrent });
    if (current === buildId) log.info({ buildId }, 'this build is current');
    else log.warn({ buildId, current }, 'this build was current before and stays back; a deliberate rollback sets it');
  });
});
