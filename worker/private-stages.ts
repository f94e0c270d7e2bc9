import { createPrivateActivities } from '../activities/private/activities.ts';
import { keepDiagnostics } from '../activities/private/diagnostics.ts';
import { operatingSystemRandom, requireProductionRandom } from '../activities/private/randomness.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { readDeployment } from './deployment-file.ts';
import { endProcess } from './end-process.ts';
import { createLogger } from './logger.ts';
import { privateContext } from './private-context.ts';
import { serveStages } from './stages/serve-stages.ts';

/**
 * Process entry of what computes for opaline-private. Its source of randomness is chosen and checked here, at its start:
 * nothing of it comes from the worker.
 */
await endProcess(createLogger('private'), async () => {
  const deployment = await readDeployment(process.argv[2], privateDeploymentSchema);
  const context = privateContext(deployment, requireProductionRandom(operatingSystemRandom()));
  serveStages(createPrivateActivities(context), keepDiagnostics(context));
});
