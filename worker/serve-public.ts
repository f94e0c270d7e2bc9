import { PUBLIC_WORK } from '../contracts/activity-work.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import type { ReleaseReference } from '../contracts/names.ts';
import { openStore } from '../services/stores/open-store.ts';
import { openExecution } from '../services/temporal/open-execution.ts';
import { requireNewestTrust } from '../services/trust/newer-trust.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { startMonitor } from './observe/monitor.ts';
import { runProcess } from './run-process.ts';
import { runWorker } from './run-worker.ts';
import { installRuntime } from './temporal-runtime.ts';
import { workflowBuildId, workflowBundle } from './workflow-bundle.ts';

/**
 * The worker of opaline-public: this process serves Temporal, and processes of the program `stages` compute. The path of
 * the deployment file is its first argument, unless whoever starts it knows better.
 */
export const servePublic = (stages: URL, file = process.argv[2]): Promise<void> =>
  runProcess('public', file, publicDeploymentSchema, async (deployment, log) => {
    installRuntime(log, deployment.observe?.metrics);
    const releaseStore = openStore(deployment.releaseStore);
    const trust = trustReader(deployment.trust, deployment.allowDemoKeys);
    const codePath = await workflowBundle();
    await runWorker({
      deployment,
      log,
      stores: {
        release: { store: releaseStore, canary: true },
        publication: { store: openStore(deployment.publicationStore), canary: false },
      },
      stages: { entry: stages, file: file!, work: PUBLIC_WORK },
      side: 'public',
      buildId: await workflowBuildId(codePath),
      workflowBundle: { codePath },
      requireSettled: async () => requireNewestTrust(releaseStore, await trust()),
      asked: ({ workflowService }) => ({
        plan: async (release: ReleaseReference) => ({
          open: await openExecution({ workflowService, namespace: deployment.temporal.namespace }, release),
        }),
      }),
      watch: ({ client }, measure) => {
        if (deployment.observe && client) startMonitor(client, { releaseStore, trust }, log, measure);
      },
    });
  });
