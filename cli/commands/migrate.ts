import { Command } from 'commander';
import { type Drafts, draftsOf } from '../../client/drafts.ts';
import { EXIT } from '../../contracts/errors.ts';
import { define } from '../command.ts';
import { clientDeployment } from '../deployment.ts';
import { type OutputOptions, print } from '../terminal.ts';

export function migrateCommand(): Command {
  const command = new Command('migrate').description(
    'say what a release store holds of drafts of its formats, and whether this build reads them; it changes nothing',
  );
  define(command, 'opaline migrate', async (_, options: OutputOptions) => {
    const drafts = await draftsOf(await clientDeployment());
    if (drafts.findings.length > 0) process.exitCode = EXIT.waiting;
    print(options, drafts, textOf(drafts));
  });
  return command;
}

function textOf({ objects, findings }: Drafts): string {
  const names = Object.entries(objects).map(([name, count]) => `    ${name}: ${count}`);
  const lines =
    names.length === 0
      ? ['No object is a draft.']
      : ['Objects that are drafts. They stay as they are, and are read as generation 2:', ...names];
  if (findings.length === 0) lines.push('Nothing has to be migrated.');
  else
    lines.push(
      'This build does not take these objects; if they are older drafts, go on with the build that made them:',
    );
  return [...lines, ...findings.map(({ sentence, command }) => `${sentence}\n    ${command}`)].join('\n');
}
