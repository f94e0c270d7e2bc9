import { randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import { guard } from '../activities/guard.ts';
import { createPublicActivities } from '../activities/public/activities.ts';
import type { PublicContext } from '../activities/public/context.ts';
import { refuseUnsafeStore } from '../activities/stores/canary.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import { TASK_QUEUES } from '../contracts/names.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { installLogger } from './logger.ts';
import { runWorker } from './run-worker.ts';
import { buildDigest } from './source-digest.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Process entry of opaline-public: workflow tasks, and the stages after the draw. It cannot read any source. */
const log = installLogger('public');
await endProcess(log, async () => {
  const deployment = await readDeployment(process.argv[2], publicDeploymentSchema);
  const { scratch } = deployment;
  const context: PublicContext = {
    releaseStore: openStore(deployment.releaseStore),
    publicationStore: openStore(deployment.publicationStore),
    scratch,
    build: await buildDigest(),
    newId: randomUUID,
    heartbeat: () => Context.current().heartbeat(),
  };
  for (const store of [context.releaseStore, context.publicationStore]) await refuseUnsafeStore(store);
  const logError = async (activity: string, error: unknown) => {
    const id = randomUUID();
    log.error({ activity, diagnostics: id, error: String(error) }, 'an activity failed unexpectedly');
    return id;
  };
  const options = {
    taskQueue: TASK_QUEUES.public,
    activities: guard(createPublicActivities(context), logError),
    workflowBundle: { codePath: await workflowBundle() },
    maxConcurrentActivityTaskExecutions: deployment.concurrency,
  };
  await runWorker(deployment.temporal, options, log);
});
