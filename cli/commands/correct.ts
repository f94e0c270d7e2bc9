import { Command, Option } from 'commander';
import { correctRelease } from '../../client/correct-release.ts';
import type { Correction } from '../../contracts/stages.ts';
import { CORRECTION_REASONS } from '../../contracts/stages.ts';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import type { OutputOptions } from '../terminal.ts';

type Options = OutputOptions & { partition: string[]; reason: Correction['reason'] };

export function correctCommand(): Command {
  const command = new Command('correct')
    .description('make a new version that draws and charges the named partitions anew and carries the others over')
    .argument('<release>')
    .requiredOption(
      '--partition <mode/day...>',
      'partitions to draw anew: people choose them, never a comparison of data',
    )
    .addOption(
      new Option('--reason <code>', 'why, in public words').choices([...CORRECTION_REASONS]).makeOptionMandatory(),
    );
  const example = 'opaline correct demo-taps/2026-03-02/v1 --partition bus/2026-03-04 --reason object-corrected';
  define(command, example, async ([name], { partition, reason, ...options }: Options) => {
    await withClient(async (client) => {
      const release = await correctRelease(client, readRelease(name), readPartitions(partition), reason);
      await followRelease(client, release, options, interruption());
    });
  });
  return command;
}
