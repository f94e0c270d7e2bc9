import { Command } from 'commander';
import { retryCost } from '../../client/explain-release.ts';
import { partitionPath } from '../../contracts/names.ts';
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
        const named = new Set(request.partitions.map(partitionPath));
        const { partitions } = await client.status(release);
        const failed = partitions.filter((one) => one.state === 'failed');
        const again = failed.filter((one) => named.size === 0 || named.has(partitionPath(one)));
        const answer = await client.ask(release, 'retryPartitions', request);
        if (!answer.accepted) return printAnswer(options, answer, '');
        if (!options.json) process.stderr.write(`${retryCost(again).join('\n')}\n`);
        await followRelease(client, release, options, interruption());
      });
    },
  );
  return command;
}
