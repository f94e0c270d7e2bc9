import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { TASK_QUEUES } from '../contracts/names.ts';
import type { PrivateActivities } from '../contracts/stages.ts';
import { settleLedgers } from '../custodian/custody/settle-ledgers.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { dropStaleCopies } from '../custodian/source/scratch-copy.ts';
import { readSecret } from '../services/secrets.ts';
import { openStore } from '../services/stores/open-store.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger } from './logger.ts';
import { startInputMonitor } from './observe/input-monitor.ts';
import { every } from './observe/repeat.ts';
import { privateContext } from './private-context.ts';
import { runWorker } from './run-worker.ts';
import { PRIVATE_WEIGHTS } from './stages/stage-lanes.ts';
import { installRuntime } from './temporal-runtime.ts';

/** Pause between two looks for copies of the source that nobody waits for any more. */
const COPIES_PAUSE_MS = 10_000;

/**
 * The worker of opaline-private: this process serves Temporal, and processes of the program `stages` compute. The path of
 * the deployment file is its first argument.
 */
export function servePrivate(stages: URL): Promise<void> {
  const log = createLogger('private');
  return endProcess(log, async () => {
    const started = Date.now();
    const deployment = await readDeployment(process.argv[2], privateDeploymentSchema);
    installRuntime(log, deployment.observe?.metrics);
    const context = await privateContext(deployment, { random: operatingSystemRandom(), kinds: {} });
    const { warnings } = deployment;
    const webhook = warnings && {
      url: warnings.webhook.url,
      secret: await readSecret(warnings.webhook.secret, 'warnings.webhook.secret'),
    };
    for (const problem of await settleLedgers(context)) log.error(problem);
    await runWorker<PrivateActivities>({
      deployment,
      log,
      stores: {
        private: { store: openStore(deployment.privateStore), canary: true },
        release: { store: openStore(deployment.releaseStore), canary: true },
      },
      stages: { entry: stages, weights: PRIVATE_WEIGHTS },
      options: { taskQueue: TASK_QUEUES.private },
      watch: () => {
        startInputMonitor(context.privateStore, log, webhook ?? null);
        every(COPIES_PAUSE_MS, log, 'stale copies', () =>
          dropStaleCopies(deployment.scratch, context.privateStore, started),
        );
      },
    });
  });
}
