import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Command } from 'commander';
import { OpalineError } from '../../contracts/errors.ts';
import { PROJECT_FILE } from '../../contracts/project.ts';
import { embeddedFiles } from '../../stack/embedded-files.ts';
import { runningStack } from '../../stack/stack-lock.ts';
import { define } from '../command.ts';
import { confirmed } from '../confirmation.ts';
import { EMBEDDED_ROOT } from '../deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function demoCommand(): Command {
  return new Command('demo').description('the demo of this folder').addCommand(resetCommand());
}

function resetCommand(): Command {
  const command = new Command('reset')
    .description('forget the demo of this folder, its releases and its keys; the next start begins anew')
    .option('--yes', 'do not ask');
  return define(command, 'opaline demo reset --yes', async (_, options: OutputOptions & { yes?: boolean }) => {
    if (existsSync(PROJECT_FILE))
      throw new OpalineError('USAGE', `This folder has a ${PROJECT_FILE}: its releases are no demo, and are kept.`);
    const files = embeddedFiles(EMBEDDED_ROOT);
    if (!existsSync(files.root)) return print(options, { done: false }, 'There is no demo in this folder.');
    const pid = await runningStack(files.lock);
    if (pid !== null)
      throw new OpalineError('USAGE', `The stack of this folder is running (process ${pid}); stop it first.`);
    if (!(await confirmed(`Everything below ${files.root}/ would be deleted.`, options))) return;
    await rm(files.root, { recursive: true });
    print(options, { done: true }, 'The demo is forgotten.');
  });
}
