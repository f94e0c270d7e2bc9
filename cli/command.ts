import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isGrpcServiceError } from '@temporalio/client';
import type { Command } from 'commander';
import { openStore } from '../activities/stores/open-store.ts';
import { OpalineClient } from '../client/opaline-client.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { type Partition, parsePartitionPath, parseReleasePath, type ReleaseReference } from '../contracts/names.ts';
import type { ObjectStore } from '../contracts/object-store.ts';
import { readDeployment } from '../worker/deployment-file.ts';
import { fail, type OutputOptions } from './terminal.ts';

/** Folder of the embedded stack, relative to where Opaline is started. */
export const EMBEDDED_ROOT = '.opaline';

/** Every command takes `--json`, shows an example in its help, and ends with a code of the one table. */
export function define<Options extends OutputOptions>(
  command: Command,
  example: string,
  run: (names: string[], options: Options) => Promise<void>,
): void {
  command
    .option('--json', 'print JSON for programs')
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action(async () => {
      const options = command.opts<Options>();
      try {
        await run(command.args, options);
      } catch (error) {
        fail(error, options);
      }
    });
}

/** Opens the client that OPALINE_DEPLOYMENT names, or that of the embedded stack; closes it in the end. */
export async function withClient<T>(use: (client: OpalineClient) => Promise<T>): Promise<T> {
  const client = await OpalineClient.open(await clientDeployment());
  try {
    return await use(client);
  } catch (error) {
    // Temporal's own text says nothing to a person who asked about a release.
    if (!isGrpcServiceError(error)) throw error;
    throw new OpalineError('SERVER_UNAVAILABLE', 'Temporal or the public worker does not answer; is the stack up?');
  } finally {
    await client.close();
  }
}

/** The release store alone: what reads the ledger needs no server. */
export async function releaseStore(): Promise<ObjectStore> {
  return openStore((await clientDeployment()).releaseStore);
}

async function clientDeployment(): Promise<ClientDeployment> {
  const named = process.env.OPALINE_DEPLOYMENT;
  const path = named ?? join(EMBEDDED_ROOT, 'deployment', 'client.json');
  const present = named !== undefined || existsSync(path);
  if (present) return readDeployment(path, clientDeploymentSchema);
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    'No stack was started from this folder; start one with `npm start`, or name a client deployment file in OPALINE_DEPLOYMENT.',
  );
}

/** Reads a release that a person named. Throws USAGE. */
export function readRelease(text: string | undefined): ReleaseReference {
  const release = parseReleasePath(text ?? '');
  if (!release)
    throw new OpalineError(
      'USAGE',
      `${text} names no release; write it as SERIES/YYYY-MM-DD/vN, as \`opaline status\` does.`,
    );
  return release;
}

/** Reads partitions that a person named. Throws USAGE. */
export function readPartitions(texts: readonly string[] = []): Partition[] {
  return texts.map((text) => {
    const partition = parsePartitionPath(text);
    if (!partition) throw new OpalineError('USAGE', `${text} names no partition; write it as MODE/YYYY-MM-DD.`);
    return partition;
  });
}

/** Reads a whole number, `8` or `1e8`. Throws USAGE that names the option. */
export function readWholeNumber(option: string, text: string, largest = Number.MAX_SAFE_INTEGER): number {
  const number = /^\d+(e\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number) && number >= 1 && number <= largest) return number;
  throw new OpalineError('USAGE', `${option} takes a whole number from 1 to ${largest}, not ${text}.`);
}
