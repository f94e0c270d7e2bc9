import { randomUUID } from 'node:crypto';
import { createPrivateActivities } from '../activities/private/activities.ts';
import type { PrivateContext, PrivateKind } from '../activities/private/context.ts';
import { keepDiagnostics } from '../activities/private/diagnostics.ts';
import { operatingSystemRandom, requireProductionRandom } from '../activities/private/randomness.ts';
import { openStore } from '../activities/stores/open-store.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger } from './logger.ts';
import { serveStages } from './stages/serve-stages.ts';

/**
 * What computes for opaline-private, for releases of these kinds. Its source of randomness is chosen and checked here, at
 * its start: nothing of it comes from the worker.
 */
export function computePrivate(kinds: Readonly<Record<string, PrivateKind>>): Promise<void> {
  return endProcess(createLogger('private'), async () => {
    const deployment = await readDeployment(process.argv[2], privateDeploymentSchema);
    const { scratch, memoryMiB, sources } = deployment;
    const context: PrivateContext = {
      sourceStore: (name) => {
        const configuration = sources[name];
        if (!configuration)
          throw new OpalineError(
            'CONFIGURATION_INVALID',
            `The source store ${name} is not in the private deployment file.`,
          );
        return openStore(configuration);
      },
      privateStore: openStore(deployment.privateStore),
      releaseStore: openStore(deployment.releaseStore),
      scratch,
      memoryMiB,
      random: requireProductionRandom(operatingSystemRandom()),
      kinds,
      newId: randomUUID,
    };
    serveStages(createPrivateActivities(context), keepDiagnostics(context));
  });
}
