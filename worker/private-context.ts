import { randomUUID } from 'node:crypto';
import type { PrivateContext } from '../activities/private/context.ts';
import { openStore } from '../activities/stores/open-store.ts';
import type { PrivateDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';

/** What work on the custodian side needs from outside, as a deployment file says. Nothing is opened yet. */
export const privateContext = (
  deployment: PrivateDeployment,
  { random, kinds }: Pick<PrivateContext, 'random' | 'kinds'>,
): PrivateContext => ({
  sourceStore: (name) => {
    const configuration = deployment.sources[name];
    if (!configuration)
      throw new OpalineError(
        'CONFIGURATION_INVALID',
        `The source store ${name} is not in the private deployment file.`,
      );
    return openStore(configuration);
  },
  privateStore: openStore(deployment.privateStore),
  releaseStore: openStore(deployment.releaseStore),
  scratch: deployment.scratch,
  memoryMiB: deployment.memoryMiB,
  random,
  kinds,
  newId: randomUUID,
});
