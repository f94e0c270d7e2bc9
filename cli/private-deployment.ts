import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PrivateContext } from '../activities/private/context.ts';
import { operatingSystemRandom } from '../activities/private/randomness.ts';
import { privateDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { PRIVATE_KINDS } from '../kinds/private-kinds.ts';
import { readDeployment } from '../worker/deployment-file.ts';
import { privateContext } from '../worker/private-context.ts';
import { EMBEDDED_ROOT } from './deployment.ts';

/**
 * The custodian side that OPALINE_PRIVATE_DEPLOYMENT names, or that of the embedded stack. Whoever has no such file has
 * no business with raw data. Throws CONFIGURATION_INVALID.
 */
export async function custodianSide(): Promise<PrivateContext> {
  const named = process.env.OPALINE_PRIVATE_DEPLOYMENT;
  const path = named ?? join(EMBEDDED_ROOT, 'deployment', 'private.json');
  if (named === undefined && !existsSync(path))
    throw new OpalineError(
      'CONFIGURATION_INVALID',
      'This runs on the custodian side only; name its private deployment file in OPALINE_PRIVATE_DEPLOYMENT.',
    );
  const deployment = await readDeployment(path, privateDeploymentSchema);
  return privateContext(deployment, { random: operatingSystemRandom(), kinds: PRIVATE_KINDS });
}
