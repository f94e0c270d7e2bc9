import { Command } from 'commander';
import { reauditRelease } from '../../client/release/reaudit-release.ts';
import { releasePath } from '../../contracts/names.ts';
import { withClient } from '../client.ts';
import { define, readRelease } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { releasePage } from '../release-page.ts';
import { type OutputOptions, print, printAnswer } from '../terminal.ts';

type Options = OutputOptions & { series: string; yes?: boolean };

export function reauditCommand(): Command {
  const command = new Command('reaudit')
    .description('run the audit of a release again, at no cost, under a corrected declaration; both verdicts are kept')
    .argument('<release>')
    .requiredOption('--series <file>', 'the series file with its `audit` corrected, and nothing else')
    .option('--yes', 'do not ask');
  const example = 'opaline reaudit demo-taps/2026-03-02/v1 --series demo.yaml';
  return define(command, example, async ([name], options: Options) => {
    const release = readRelease(name);
    const question = `${releasePath(release)} would be audited once more, and no further time. The first audit is published beside the second, with what was corrected.`;
    if (!(await confirmed(question, options))) return;
    await withClient(async (client) => {
      const answer = await reauditRelease(client, release, options.series, 'command line');
      if (!answer.accepted) return printAnswer(options, answer, '');
      const status = await client.status(release);
      const { text } = await releasePage(client, status);
      print(options, status, text);
    });
  });
}
