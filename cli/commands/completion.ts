import { Argument, Command } from 'commander';
import { define } from '../command.ts';
import { type CommandWords, completionScript, type Shell } from '../completion-script.ts';
import { type OutputOptions, print } from '../terminal.ts';

const SHELLS: readonly Shell[] = ['bash', 'zsh'];

/** `words`: the commands of the whole program, which is built only when it is asked for. */
export function completionCommand(words: () => Promise<CommandWords>): Command {
  const command = new Command('completion')
    .description('print what a shell needs to complete commands and options; load it from its start-up file')
    .addArgument(new Argument('<shell>').choices([...SHELLS]));
  return define(command, 'opaline completion bash', async ([shell], options: OutputOptions) => {
    const script = completionScript(shell as Shell, await words());
    print(options, { shell, script }, script);
  });
}
