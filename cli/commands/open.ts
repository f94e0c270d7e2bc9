import { Command, Option } from 'commander';
import { auditedCopy } from '../../client/release/audited-copy.ts';
import { RELEASE_PAGES, type ReleasePage } from '../../client/release/release-briefing.ts';
import { define, readRelease } from '../command.ts';
import { ledgerReader } from '../deployment.ts';
import { opened } from '../open-file.ts';
import { type OutputOptions, print } from '../terminal.ts';

type Options = OutputOptions & { page: ReleasePage };

export function openCommand(): Command {
  const command = new Command('open')
    .description(
      'open the audit of a release, or its statement, in the browser: from a checked copy of everything that would be published; without a screen it prints where that is',
    )
    .argument('<release>')
    .addOption(new Option('--page <name>', 'what to open').choices(Object.keys(RELEASE_PAGES)).default('audit'));
  return define(command, 'opaline open demo-taps/2026-03-02/v1', async ([name], options: Options) => {
    const path = await auditedCopy(await ledgerReader(), readRelease(name), RELEASE_PAGES[options.page]);
    const isOpened = !options.json && (await opened(path));
    print(options, { path, opened: isOpened }, isOpened ? `Opened ${path}` : path);
  });
}
