import { readFile } from 'node:fs/promises';
import type { TLSConfig } from '@temporalio/worker';
import type { TemporalConfiguration } from '../../contracts/deployment.ts';
import { OpalineError } from '../../contracts/errors.ts';

/** What the connections of workers and of clients to Temporal both take. */
export type ConnectionOptions = { address: string; tls?: TLSConfig; apiKey?: string };

/**
 * How to connect to Temporal: reads the certificates and the key that the configuration names. Throws
 * CONFIGURATION_INVALID with the field and the path of a file that cannot be used, never with what it holds.
 */
export async function connectionOptions({
  address,
  tls,
  apiKeyFile,
}: TemporalConfiguration): Promise<ConnectionOptions> {
  if (!tls) return { address };
  return {
    address,
    tls: {
      ...(tls.serverName !== undefined && { serverNameOverride: tls.serverName }),
      ...(tls.caFile !== undefined && { serverRootCACertificate: await pem('temporal.tls.caFile', tls.caFile) }),
      ...(tls.certFile !== undefined &&
        tls.keyFile !== undefined && {
          clientCertPair: {
            crt: await pem('temporal.tls.certFile', tls.certFile),
            key: await pem('temporal.tls.keyFile', tls.keyFile),
          },
        }),
    },
    ...(apiKeyFile !== undefined && { apiKey: await apiKey(apiKeyFile) }),
  };
}

async function pem(field: string, path: string): Promise<Buffer> {
  const bytes = await read(field, path);
  if (bytes.includes('-----BEGIN ')) return bytes;
  throw new OpalineError('CONFIGURATION_INVALID', `${path} (${field}) is no PEM file.`);
}

async function apiKey(path: string): Promise<string> {
  const key = (await read('temporal.apiKeyFile', path)).toString('utf8').trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    `${path} (temporal.apiKeyFile) has to hold one key and nothing else.`,
  );
}

async function read(field: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch {
    throw new OpalineError('CONFIGURATION_INVALID', `${path} (${field}) cannot be read.`);
  }
}
