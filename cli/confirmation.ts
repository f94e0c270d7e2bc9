import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { EXIT, wrongUse } from '../contracts/errors.ts';
import { isTerminal } from './questions.ts';
import { type OutputOptions, print, say } from './terminal.ts';

/** Who is asked, and who is not. */
export type ConfirmOptions = OutputOptions & { yes?: boolean };

/**
 * Asks before something is done that cannot be undone, on a terminal only: a script that leaves out --yes is taken at
 * its word. Ctrl-C and Ctrl-D mean no; after a no, this says that nothing was done and sets the exit code.
 */
export async function confirm(question: string, options: ConfirmOptions): Promise<boolean> {
  return !isTerminal() || askReader(question, options);
}

/** The same where somebody has to have read the question: a script has to say --yes. Throws USAGE. */
export async function askReader(question: string, options: ConfirmOptions): Promise<boolean> {
  if (options.yes) return true;
  if (!isTerminal()) throw wrongUse('Somebody has to read what changes: run this at a terminal, or add --yes.');
  say(`${question}\n`);
  if (/^y(es)?$/i.test((await ask('Go on? [y/N] ')) ?? '')) return true;
  process.exitCode = EXIT.interrupted;
  print(options, { done: false }, 'Nothing was done.');
  return false;
}

/** Asks for what nobody is to see: it is not shown while it is typed. Null where there is no terminal, or no answer. */
export async function askSecretly(question: string): Promise<string | null> {
  if (!isTerminal()) return null;
  say(question);
  const sink = new Writable({ write: (_bytes, _encoding, next) => next() });
  try {
    return await ask('', sink);
  } finally {
    say('\n');
  }
}

/** A line that a person types at the terminal; null after Ctrl-C and Ctrl-D. */
async function ask(question: string, output: NodeJS.WritableStream = process.stderr): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const end = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  return Promise.race([terminal.question(question), end]).finally(() => terminal.close());
}
