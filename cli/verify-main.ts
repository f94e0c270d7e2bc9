import { verifyCommand } from './commands/verify-command.ts';
import { EXIT_CODES_HELP } from './exit-codes.ts';
import { runSettled, settle } from './settled-command.ts';
import { packageVersion } from './version.ts';

/** The command of the package `opaline-verify`: `opaline verify` alone, in as little code as it takes. */
await runSettled(() => {
  const command = verifyCommand(
    'opaline-verify',
    'opaline-verify https://example.org/my-taps/2026-03-02/v1 --trust trust.json',
  )
    .version(packageVersion(), '--version', 'print the version')
    .addHelpText('after', `\n${EXIT_CODES_HELP}\n`);
  settle(command);
  return command;
});
