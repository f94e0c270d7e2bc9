import { Command } from 'commander';
import { retryRelease } from '../../client/release/retry-release.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { withClient } from '../client.ts';
import { define, readPartitions, readRelease } from '../command.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { type OutputOptions, printAnswer, say } from '../terminal.ts';

export function retryCommand(): Command {
  const command = new Command('retry')
    .description('begin again what holds a release up, its failed partitions or a stalled stage; it costs no privacy')
    .argument('<release>')
    .option('--partition <part/day...>', 'only these partitions; finished ones keep their bytes');
  const example = 'opaline retry demo-taps/2026-03-02/v1 --partition bus/2026-03-04';
  return define(command, example, async ([name], options: OutputOptions & { partition?: string[] }) => {
    const release = readRelease(name);
    const partitions = readPartitions(options.partition);
    await withClient(async (client) => {
      const { what, answer, cost } = await retryRelease(client, release, partitions, 'command line');
      if (!answer.accepted) return printAnswer(options, answer, '');
      if (!options.json) say(`${cost.join('\n')}\n`);
      if (what === 'retraction') return printAnswer(options, answer, 'The retraction goes on.');
      await followRelease(client, release, options, interruption(), failedAgain);
    });
  });
}

/** What a retry did not mend; null when the release goes on. */
function failedAgain({ state, partitions }: ReleaseStatus): string | null {
  if (state === 'stalled' || state === 'ending-stalled') return 'The retry has failed again: the cause is not mended.';
  const failed = partitions.filter((one) => one.state === 'failed').length;
  return state === 'partitions-failed'
    ? `The retry has failed again for ${failed} of ${partitions.length} partitions.`
    : null;
}
