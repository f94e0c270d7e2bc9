import type { Command } from 'commander';
import { retryRelease } from '../../client/release/retry-release.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { withClient } from '../client.ts';
import { command, readPartitions } from '../command.ts';
import { followRelease } from '../follow-release.ts';
import { interruption } from '../interruption.ts';
import { printAnswer, say } from '../terminal.ts';

export const retryCommand = (): Command =>
  command('retry <release>', 'begin again what failed or stalled of a release; it costs no privacy')
    .option('--partition <part/day...>', 'only these partitions; finished ones keep their bytes')
    .example('opaline retry demo-taps/2026-03-02/v1 --partition bus/2026-03-04')
    .run(async ({ release }, options) => {
      const partitions = readPartitions(options.partition);
      await withClient(async (client) => {
        const { what, answer, cost } = await retryRelease(client, release, partitions, 'command line');
        if (!answer.accepted) return printAnswer(options, answer, '');
        if (!options.json) say(`${cost.join('\n')}\n`);
        if (what === 'retraction') return printAnswer(options, answer, 'The retraction goes on.');
        await followRelease(client, release, options, interruption(), failureText);
      });
    });

/** What a retry did not mend; null when the release goes on. */
function failureText({ state, partitions }: ReleaseStatus): string | null {
  if (state === 'stalled' || state === 'ending-stalled') return 'The retry has failed again: the cause is not mended.';
  const count = partitions.filter((one) => one.state === 'failed').length;
  return state === 'partitions-failed'
    ? `The retry has failed again for ${count} of ${partitions.length} partitions.`
    : null;
}
