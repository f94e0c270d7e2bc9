import { randomUUID } from 'node:crypto';
import { createPublicActivities } from '../activities/public/activities.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { publicDeploymentSchema } from '../contracts/deployment.ts';
import { PUBLIC_KINDS } from '../kinds/public-kinds.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger, logErrors } from './logger.ts';
import { runtimeDigest } from './runtime-digest.ts';
import { buildDigest } from './source-digest.ts';
import { serveStages } from './stages/serve-stages.ts';

/** Process entry of what computes for opaline-public. It cannot read any source. */
const log = createLogger('public');
await endProcess(log, async () => {
  const deployment = await readDeployment(process.argv[2], publicDeploymentSchema);
  const activities = createPublicActivities({
    releaseStore: openStore(deployment.releaseStore),
    publicationStore: openStore(deployment.publicationStore),
    scratch: deployment.scratch,
    kinds: PUBLIC_KINDS,
    build: { sources: await buildDigest(), runtime: await runtimeDigest() },
    newId: randomUUID,
  });
  serveStages(activities, logErrors(log));
});
