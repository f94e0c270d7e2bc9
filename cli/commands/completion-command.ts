import type { Command } from 'commander';
import { command } from '../command.ts';
import { type CommandWords, completionScript } from '../completion-script.ts';

/** `words`: the commands of the whole program, which is built only when it is asked for. */
export const completionCommand = (words: () => Promise<CommandWords>): Command =>
  command('completion', 'print what a shell needs to complete commands and options; load it from its start-up file')
    .argument('<shell>', '', ['bash', 'zsh'] as const)
    .example('opaline completion bash')
    .run(async ({ shell }) => {
      const script = completionScript(shell, await words());
      return { value: { shell, script }, text: script };
    });
