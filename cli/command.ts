import type { Command } from 'commander';
import { OpalineError } from '../contracts/errors.ts';
import { type Partition, parsePartitionPath, parseReleasePath, type ReleaseReference } from '../contracts/names.ts';
import { fail, type OutputOptions } from './terminal.ts';

/** Every command takes `--json`, shows an example in its help, and ends with a code of the one table. */
export function define<Options extends OutputOptions>(
  command: Command,
  example: string,
  run: (names: string[], options: Options) => Promise<void>,
): Command {
  return command
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
    if (!partition)
      throw new OpalineError(
        'USAGE',
        `${text} names no partition; write it as PART/YYYY-MM-DD (such as bus/2026-03-02).`,
      );
    return partition;
  });
}
