import { Command, CommanderError } from 'commander';
import { EXIT } from '../contracts/errors.ts';
import { approveCommand, rejectCommand } from './commands/decide.ts';
import { keygenCommand } from './commands/keygen.ts';
import { retryCommand } from './commands/retry.ts';
import { runCommand } from './commands/run.ts';
import { showCommand } from './commands/show.ts';
import { statusCommand } from './commands/status.ts';
import { upCommand } from './commands/up.ts';
import { verifyCommand } from './commands/verify.ts';
import { EXIT_CODES_HELP } from './exit-codes.ts';

const COMMANDS = [
  upCommand,
  runCommand,
  statusCommand,
  showCommand,
  approveCommand,
  rejectCommand,
  retryCommand,
  verifyCommand,
  keygenCommand,
];

/** The whole command line. */
export function opaline(): Command {
  const program = new Command('opaline')
    .description('Turns confidential trip records into differentially private open data, audited and signed.')
    .addHelpText('after', `\n${EXIT_CODES_HELP}\n`)
    .exitOverride();
  for (const command of COMMANDS) program.addCommand(command().exitOverride());
  return program;
}

if (import.meta.main) {
  try {
    await opaline().parseAsync();
  } catch (error) {
    // Commander has said what is wrong; asking for help is no mistake.
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 || error.code === 'commander.help' ? EXIT.done : EXIT.badInput;
  }
}
