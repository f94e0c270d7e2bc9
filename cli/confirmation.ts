import { createInterface } from 'node:readline/promises';
import { EXIT } from '../contracts/errors.ts';
import { type OutputOptions, print } from './terminal.ts';

/**
 * Asks before something is done that cannot be undone, on a terminal only: a script that leaves out --yes is taken at
 * its word. Ctrl-C and Ctrl-D mean no; after a no, this says that nothing was done and sets the exit code.
 */
export async function confirmed(question: string, options: OutputOptions & { yes?: boolean }): Promise<boolean> {
  if (options.yes || !process.stdin.isTTY || !process.stderr.isTTY || (await ask(question))) return true;
  process.exitCode = EXIT.interrupted;
  print(options, { done: false }, 'Nothing was done.');
  return false;
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return /^y(es)?$/i.test(await Promise.race([terminal.question(`${question}\nGo on? [y/N] `), closed]));
  } finally {
    terminal.close();
  }
}
