import { statfs } from 'node:fs/promises';
import { PRIVATE_WORK } from '../contracts/activity-work.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { BUILD_ID_LENGTH } from '../contracts/names.ts';
import { requireSettledLedgers, settleLedgers } from '../custodian/custody/population-ledger.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { countCopies, dropStaleCopies } from '../custodian/source/scratch-copy.ts';
import { openWebhook } from '../services/notices/webhook.ts';
import { openStore } from '../services/stores/open-store.ts';
import { lookAtWarnings } from './observe/input-monitor.ts';
import { scratchSteps } from './observe/observe.ts';
import { every } from './observe/repeat.ts';
import { privateContexts } from './open-private-context.ts';
import { runProcess } from './run-process.ts';
import { runWorker } from './run-worker.ts';
import { installRuntime } from './temporal-runtime.ts';

/** Pause between two looks at warnings of the source. */
const WARNINGS_PAUSE_MS = 15_000;

/** Pause between two looks for copies of the source that nobody waits for any more. */
const COPIES_PAUSE_MS = 10_000;

/** Pause between two looks for copies of the ledgers that are gone, as when the release store is set back to a backup. */
const LEDGERS_PAUSE_MS = 30_000;

/**
 * The worker of opaline-private: this process serves Temporal, and processes of the program `stages` compute. The path of
 * the deployment file is its first argument, unless whoever starts it knows better.
 */
export const servePrivate = (stages: URL, file = process.argv[2]): Promise<void> =>
  runProcess('private', file, privateDeploymentSchema, async (deployment, log) => {
    const start = Date.now();
    installRuntime(log, deployment.observe?.metrics);
    const contexts = privateContexts(deployment, { random: operatingSystemRandom(), kinds: {} });
    const context = await contexts();
    const { scratch, warnings } = deployment;
    const webhook = warnings && (await openWebhook(warnings.webhook, 'warnings.webhook'));
    const settle = async () => {
      for (const problem of await settleLedgers(await contexts())) log.error(problem);
    };
    await settle();
    await runWorker({
      deployment,
      log,
      stores: {
        private: { store: openStore(deployment.privateStore), canary: true },
        release: { store: openStore(deployment.releaseStore), canary: true },
      },
      stages: { entry: stages, file: file!, work: PRIVATE_WORK },
      side: 'private',
      buildId: context.build.slice(0, BUILD_ID_LENGTH),
      requireSettled: async () => requireSettledLedgers(await contexts()),
      watch: (_, measure) => {
        const look = lookAtWarnings(context.privateStore, log, webhook ?? null, measure);
        every(WARNINGS_PAUSE_MS, log, 'the look at warnings of the source', look);
        every(LEDGERS_PAUSE_MS, log, 'the look at copies of the ledgers', settle);
        every(COPIES_PAUSE_MS, log, 'stale copies', async () => {
          await dropStaleCopies(scratch, context.privateStore, start);
          const { copies, bytes, oldestSeconds } = await countCopies(scratch);
          const { blocks, bsize } = await statfs(scratch);
          measure('opaline_raw_copies', copies);
          measure('opaline_raw_copies_scratch_ratio', scratchSteps(bytes / (blocks * bsize), Math.ceil));
          measure('opaline_raw_copies_oldest_seconds', oldestSeconds);
        });
      },
    });
  });
