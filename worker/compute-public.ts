import { createPublicActivities } from '../activities/public/public-activities.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import { openChannels } from '../services/notices/channels.ts';
import type { PublicKind } from '../services/release/public-context.ts';
import { openStore } from '../services/stores/open-store.ts';
import { requireNewestTrust } from '../services/trust/newer-trust.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { workerKey } from './key-file.ts';
import { logErrors } from './logger.ts';
import { runProcess } from './run-process.ts';
import { buildDigest, runtimeDigest } from './source-digest.ts';
import { runByNewest, serveStages } from './stages/serve-stages.ts';
import type { StageActivity } from './stages/stage-lanes.ts';

/** What computes for opaline-public, for releases of these kinds. It cannot read any source. */
export const computePublic = (kinds: Readonly<Record<string, PublicKind>>): Promise<void> =>
  runProcess('public', process.argv[2], publicDeploymentSchema, async (deployment, log) => {
    const releaseStore = openStore(deployment.releaseStore);
    const trust = trustReader(deployment.trust, deployment.allowDemoKeys);
    const publisherKey = workerKey(deployment);
    const context = {
      releaseStore,
      publicationStore: openStore(deployment.publicationStore),
      trust,
      publisherKey: await publisherKey(),
      scratch: deployment.scratch,
      kinds,
      channels: await openChannels(deployment.notices),
      build: { sources: buildDigest(), runtime: runtimeDigest },
      now: () => new Date(),
    };
    const requireNewest = async () => requireNewestTrust(releaseStore, await trust());
    serveStages(async (activity, input) => {
      const activities = createPublicActivities({ ...context, publisherKey: await publisherKey() });
      const { [activity]: run } = activities as unknown as Record<string, StageActivity>;
      return runByNewest(() => run!(input), requireNewest);
    }, logErrors(log));
  });
