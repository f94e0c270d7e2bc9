import { Command } from 'commander';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { printAnswer } from '../print-answer.ts';
import type { OutputOptions } from '../terminal.ts';

export function retryCommand(): Command {
  const command = new Command('retry')
    .description('make the failed partitions again; it costs no privacy, finished partitions keep their bytes')
    .argument('<release>')
    .option('--partition <mode/day...>', 'only these partitions');
  define(
    command,
    'opaline retry demo-taps/2026-03-02/v1 --partition bus/2026-03-04',
    async ([name], options: OutputOptions & { partition?: string[] }) => {
      const release = readRelease(name);
      const request = { partitions: readPartitions(options.partition), subject: 'command line' };
      await withClient(async (client) => {
        const answer = await client.ask(release, 'retryPartitions', request);
        if (!answer.accepted) return printAnswer(options, answer, '');
        await followRelease(client, release, options, interruption());
      });
    },
  );
  return command;
}
