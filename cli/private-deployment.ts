import { existsSync } from 'node:fs';
import { type PrivateDeployment, privateDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { PROJECT_FILE } from '../contracts/project.ts';
import type { PrivateContext } from '../custodian/private-context.ts';
import { operatingSystemRandom } from '../custodian/randomness.ts';
import { PRIVATE_KINDS } from '../kinds/private-kinds.ts';
import { locateFiles } from '../stack/embedded-files.ts';
import { projectDeployments, readProject } from '../stack/project-stack.ts';
import { readDeployment } from '../worker/deployment-file.ts';
import { privateContexts } from '../worker/open-private-context.ts';
import { deploymentPath, EMBEDDED_ROOT } from './client-deployment.ts';

/**
 * The private deployment that OPALINE_PRIVATE_DEPLOYMENT names, that of the embedded stack, or what the project in this
 * folder would start; null where there is none. Throws CONFIGURATION_INVALID.
 */
export async function privateDeployment(): Promise<PrivateDeployment | null> {
  const path = deploymentPath('OPALINE_PRIVATE_DEPLOYMENT', 'private');
  if (path !== null) return readDeployment(path, privateDeploymentSchema);
  if (!existsSync(PROJECT_FILE)) return null;
  const own = projectDeployments(locateFiles(EMBEDDED_ROOT), await readProject(PROJECT_FILE), {});
  return privateDeploymentSchema.parse({ temporal: NOT_STARTED, ...own.private });
}

/** No server runs for a project that was not started. */
const NOT_STARTED = { address: '127.0.0.1:1' };

/** The same; whoever has no private deployment file has no business with raw data. Throws CONFIGURATION_INVALID. */
export async function custodianDeployment(): Promise<PrivateDeployment> {
  const deployment = await privateDeployment();
  if (deployment) return deployment;
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    'This runs on the custodian side only; name its private deployment file in OPALINE_PRIVATE_DEPLOYMENT.',
  );
}

/** What work on raw data needs, on the custodian side of a deployment: asked for again for each piece of work. */
export const contextsOf = (deployment: PrivateDeployment): (() => Promise<PrivateContext>) =>
  privateContexts(deployment, { random: operatingSystemRandom(), kinds: PRIVATE_KINDS });

export const contextOf = (deployment: PrivateDeployment): Promise<PrivateContext> => contextsOf(deployment)();

/** The custodian side of this computer. Throws CONFIGURATION_INVALID. */
export const custodianSide = async (): Promise<PrivateContext> => contextOf(await custodianDeployment());
