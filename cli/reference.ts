import { writeFile } from 'node:fs/promises';
import { helpText, leafCommands, opaline } from './program.ts';
import { commandName } from './settled-command.ts';

/** The document of the command line: every help text as it is, so that it cannot say anything else. */
export async function commandReference(): Promise<string> {
  const program = await opaline();
  const sections = leafCommands(program).map((command) => `## ${commandName(command)}\n\n${block(helpText(command))}`);
  return [
    '# The command line',
    'Made from the help texts by `cli/reference.ts`; a test fails when it is out of date. From a checkout, write `npm run opaline -- COMMAND` for `opaline COMMAND`. Every command takes `--json`: its result is one JSON value on standard output, a mistake is one JSON object with `code` and `message` on standard error. When a release refuses what it is asked, that is a result: `accepted` is false, with `code` and `message`, and the exit code is that of the error. Commands that ask a running Opaline read `.opaline/deployment/client.json`, or the file that `OPALINE_DEPLOYMENT` names.',
    block(helpText(program)),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

const block = (text: string): string => `\`\`\`text\n${text.trim()}\n\`\`\``;

/**
 * The file that says what the help of the whole program says of each command: how it is called, and what it does. The
 * help loads no command, and so cannot ask them.
 */
export async function commandList(): Promise<string> {
  const program = await opaline();
  const help = program.createHelp();
  const rows = program.commands.map((command) => [help.subcommandTerm(command), help.subcommandDescription(command)]);
  return [
    '/** What the help of the program says of each command, as `npm run cli-reference` writes it. */',
    '// biome-ignore format: written by a program',
    'export const COMMAND_LIST: readonly (readonly [called: string, does: string])[] = [',
    ...rows.map((row) => `  ${JSON.stringify(row)},`),
    '];',
    '',
  ].join('\n');
}

// `npm run cli-reference` writes docs/cli.md, and the list of commands that `--help` shows, again.
if (import.meta.main) {
  await writeFile(new URL('../docs/cli.md', import.meta.url), await commandReference());
  await writeFile(new URL('command-list.ts', import.meta.url), await commandList());
}
