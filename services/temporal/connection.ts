import { readFile } from 'node:fs/promises';
import type { TLSConfig } from '@temporalio/worker';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { readSecret } from '../secrets.ts';

/** What the connections of workers and of clients to Temporal both take. */
export type ConnectionOptions = { address: string; tls?: TLSConfig; apiKey?: string };

/**
 * How to connect to Temporal: reads the certificates and the key that the configuration names. Throws
 * CONFIGURATION_INVALID with the field and the path of a file that cannot be used, never with what it holds.
 */
export async function connectionOptions(temporal: TemporalConfiguration): Promise<ConnectionOptions> {
  const { address, tls } = temporal;
  if (!tls) return { address };
  const [authority, crt, key] = await Promise.all(
    (['caFile', 'certFile', 'keyFile'] as const).map((field) => pem(`temporal.tls.${field}`, tls[field])),
  );
  return {
    address,
    tls: {
      serverNameOverride: tls.serverName,
      serverRootCACertificate: authority,
      clientCertPair: crt && key && { crt, key },
    },
    apiKey: (await temporalKey(temporal)) ?? undefined,
  };
}

/** What the command `temporal` takes to connect in the same way; an API key it asks for in TEMPORAL_API_KEY. */
export function serverOptions({ address, namespace, tls }: TemporalConfiguration): string {
  const options = {
    address,
    namespace,
    'tls-ca-path': tls?.caFile,
    'tls-cert-path': tls?.certFile,
    'tls-key-path': tls?.keyFile,
    'tls-server-name': tls?.serverName,
  };
  const flags = Object.entries(options).filter(([, value]) => value !== undefined);
  return [...flags.map(([name, value]) => `--${name} ${value}`), ...(tls ? ['--tls'] : [])].join(' ');
}

async function pem(field: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readFile(path).catch(() => {
    throw new OpalineError('CONFIGURATION_INVALID', `${path} (${field}) cannot be read.`);
  });
  if (bytes.includes('-----BEGIN ')) return bytes;
  throw new OpalineError('CONFIGURATION_INVALID', `${path} (${field}) is no PEM file.`);
}

/** The API key as it is now; null where the configuration names none. Throws CONFIGURATION_INVALID. */
export async function temporalKey({ apiKey }: Pick<TemporalConfiguration, 'apiKey'>): Promise<string | null> {
  const key = apiKey ? await readSecret(apiKey, 'temporal.apiKey') : null;
  if (key === null || /^[\x21-\x7e]+$/.test(key)) return key;
  throw new OpalineError('CONFIGURATION_INVALID', 'The secret of temporal.apiKey has to be one key and nothing else.');
}

/** What gRPC says there is not: a namespace, a workflow, a worker deployment. */
export const NOT_FOUND = 5;

/** The code of an error of gRPC, or null. */
export const grpcCode = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

/** For a `catch`: null instead of gRPC's error for what is not there; every other error is thrown on. */
export const nullWhenNotFound = (error: unknown): null => {
  if (grpcCode(error) === NOT_FOUND) return null;
  throw error;
};
