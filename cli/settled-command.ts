import { type Command, CommanderError } from 'commander';
import { EXIT } from '../contracts/errors.ts';
import { printMistake } from './terminal.ts';

/** The names that call a command: `opaline ledger show`. */
export function commandName(command: Command): string {
  return command.parent ? `${commandName(command.parent)} ${command.name()}` : command.name();
}

/** A wrong use throws instead of ending the process, and is reported in one sentence, as every other mistake is. */
export function settle(command: Command): void {
  command.exitOverride().configureOutput({ outputError: (text) => printMistake(mistake(command, text)) });
  for (const child of command.commands) settle(child);
}

function mistake(command: Command, text: string): string {
  const sentence = text
    .replace(/^error: /, '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '');
  return `${sentence}; \`${commandName(command)} --help\` shows an example.`;
}

/** Runs what was asked of a settled command, and sets the exit code. */
export async function runSettled(load: () => Command | Promise<Command>): Promise<void> {
  // The reader has had enough, as `head` does: there is nobody left to report to.
  process.stdout.on('error', () => process.exit());
  try {
    await (await load()).parseAsync();
  } catch (error) {
    // What is wrong has been reported; asking for help is no mistake.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 || error.code === 'commander.help' ? EXIT.done : EXIT.badInput;
  }
}
