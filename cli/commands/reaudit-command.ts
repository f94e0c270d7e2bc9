import type { Command } from 'commander';
import { reauditRelease } from '../../client/release/reaudit-release.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { command, YES } from '../command.ts';
import { confirm } from '../confirmation.ts';
import { releasePage } from '../release-overview.ts';
import { printAnswer } from '../terminal.ts';

export const reauditCommand = (): Command =>
  command('reaudit <release>', 'audit a release again, at no cost, under a corrected declaration; both verdicts stay')
    .required('--series <file>', 'the series file with its `audit` corrected, and nothing else')
    .option(...YES)
    .example('opaline reaudit demo-taps/2026-03-02/v1 --series demo.yaml')
    .run(async ({ release }, options) => {
      const question = `${releasePath(release)} would be audited once more, and no further time. The first audit is published beside the second, with what was corrected.`;
      if (!(await confirm(question, options))) return;
      return withClient(async (client) => {
        const answer = await reauditRelease(client, release, options.series, 'command line');
        if (!answer.accepted) return printAnswer(options, answer, '');
        const status = await client.status(release);
        return { value: status, text: (await releasePage(client, status)).text };
      });
    });
