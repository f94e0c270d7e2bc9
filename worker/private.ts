import { openStore } from '../activities/stores/open-store.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { TASK_QUEUES } from '../contracts/names.ts';
import type { PrivateActivities } from '../contracts/stages.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger, installRuntime } from './logger.ts';
import { runWorker } from './run-worker.ts';
import { PRIVATE_WEIGHTS } from './stages/stage-lanes.ts';

/**
 * Process entry of opaline-private, which reads the sources, meets the noise, and writes the private and the release
 * store. This process serves Temporal; private-stages.ts computes.
 */
const log = createLogger('private');
await endProcess(log, async () => {
  const deployment = await readDeployment(process.argv[2], privateDeploymentSchema);
  installRuntime(log, deployment.observe?.metrics);
  await runWorker<PrivateActivities>({
    deployment,
    log,
    stores: { private: openStore(deployment.privateStore), release: openStore(deployment.releaseStore) },
    stages: { entry: new URL('./private-stages.ts', import.meta.url), weights: PRIVATE_WEIGHTS },
    options: { taskQueue: TASK_QUEUES.private },
  });
});
