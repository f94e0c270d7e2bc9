import { createPublicActivities } from '../activities/public/public-activities.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import { openChannels } from '../services/notices/channels.ts';
import type { PublicKind } from '../services/release/public-context.ts';
import { openStore } from '../services/stores/open-store.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { readWorkerKey } from './key-file.ts';
import { logErrors } from './logger.ts';
import { runProcess } from './run-process.ts';
import { buildDigest, runtimeDigest } from './source-digest.ts';
import { serveStages } from './stages/serve-stages.ts';

/** What computes for opaline-public, for releases of these kinds. It cannot read any source. */
export const computePublic = (kinds: Readonly<Record<string, PublicKind>>): Promise<void> =>
  runProcess('public', process.argv[2], publicDeploymentSchema, async (deployment, log) => {
    const activities = createPublicActivities({
      releaseStore: openStore(deployment.releaseStore),
      publicationStore: openStore(deployment.publicationStore),
      trust: trustReader(deployment.trust, deployment.allowDemoKeys),
      publisherKey: await readWorkerKey(deployment.keyFile),
      scratch: deployment.scratch,
      kinds,
      channels: await openChannels(deployment.notices),
      build: { sources: await buildDigest(), runtime: runtimeDigest },
      now: () => new Date(),
    });
    serveStages(activities, logErrors(log));
  });
