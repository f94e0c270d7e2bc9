import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSigningKey } from '../client/opaline-client.ts';
import type { ForecastReader } from '../client/release/forecast.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import type { PolicyPlace } from '../services/orders/orders.ts';
import { openStore } from '../services/stores/open-store.ts';
import { trustReader } from '../services/trust/trust-file.ts';
import { readDeployment } from '../worker/deployment-file.ts';

/** Folder of the embedded stack, relative to where Opaline is started. */
export const EMBEDDED_ROOT = '.opaline';

/** The path of a deployment file: the one that a variable names, or that of the embedded stack; null: none is here. */
export function deploymentPath(variable: string, side: 'client' | 'private'): string | null {
  const override = process.env[variable];
  const path = override ?? join(EMBEDDED_ROOT, 'deployment', `${side}.json`);
  return override !== undefined || existsSync(path) ? path : null;
}

const clientPath = (): string | null => deploymentPath('OPALINE_DEPLOYMENT', 'client');

/** Is there a client deployment here? */
export const hasClientDeployment = (): boolean => clientPath() !== null;

/** The deployment that OPALINE_DEPLOYMENT names, or that of the embedded stack. Throws CONFIGURATION_INVALID. */
export async function clientDeployment(): Promise<ClientDeployment> {
  const path = clientPath();
  if (path !== null) return readDeployment(path, clientDeploymentSchema);
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    'No stack was started from this folder; start one with `opaline up` in another terminal, or name a client deployment file in OPALINE_DEPLOYMENT.',
  );
}

/** The release store alone: it needs no server. */
export const releaseStore = async (): Promise<ObjectStore> => openStore((await clientDeployment()).releaseStore);

/** Where series files and orders are put, and the key that signs them by itself, or null; it needs no server. */
export async function seriesTarget(): Promise<PolicyPlace> {
  const deployment = await clientDeployment();
  return { releaseStore: openStore(deployment.releaseStore), signingKey: await readSigningKey(deployment) };
}

/** What reads publications, and the copies of ledgers, under the trust file of the deployment, and needs no server. */
export async function ledgerReader(): Promise<ForecastReader> {
  const { releaseStore: store, trust, publications = null } = await clientDeployment();
  return { releaseStore: openStore(store), trust: trustReader(trust, true), publications };
}
