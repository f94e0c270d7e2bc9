import { helpText, leafCommands, opaline } from './program.ts';
import { commandName } from './settled-command.ts';

/** The document of the command line: every help text as it is, so that it cannot say anything else. */
export async function commandReference(): Promise<string> {
  const program = await opaline();
  const sections = leafCommands(program).map((command) => `## ${commandName(command)}\n\n${block(helpText(command))}`);
  return [
    '# The command line',
    'Made from the help texts by `cli/write-reference.ts`; a test fails when it is out of date. From a checkout, write `npm run opaline -- COMMAND` for `opaline COMMAND`. Every command takes `--json`: its result is one JSON value on standard output, a mistake is one JSON object with `code` and `message` on standard error. When a release refuses what it is asked, that is a result: `accepted` is false, with `code` and `message`, and the exit code is that of the error. Commands that ask a running Opaline read `.opaline/deployment/client.json`, or the file that `OPALINE_DEPLOYMENT` names.',
    block(helpText(program)),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

const block = (text: string): string => `\`\`\`text\n${text.trim()}\n\`\`\``;
