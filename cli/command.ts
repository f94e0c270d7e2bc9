import { join } from 'node:path';
import type { Command } from 'commander';
import { OpalineClient } from '../client/opaline-client.ts';
import { clientDeploymentSchema } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { type Partition, parsePartitionPath, parseReleasePath, type ReleaseReference } from '../contracts/names.ts';
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
  const path = process.env.OPALINE_DEPLOYMENT ?? join(EMBEDDED_ROOT, 'deployment', 'client.json');
  const client = await OpalineClient.open(await readDeployment(path, clientDeploymentSchema));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

export function readRelease(text: string | undefined): ReleaseReference {
  const release = parseReleasePath(text ?? '');
  if (!release)
    throw new OpalineError(
      'USAGE',
      `${text} names no release; write it as SERIES/YYYY-MM-DD/vN, as \`opaline status\` does.`,
    );
  return release;
}

export function readPartitions(texts: readonly string[] = []): Partition[] {
  return texts.map((text) => {
    const partition = parsePartitionPath(text);
    if (!partition) throw new OpalineError('USAGE', `${text} names no partition; write it as MODE/YYYY-MM-DD.`);
    return partition;
  });
}
