import { createInterface } from 'node:readline/promises';
import { OpalineError, wrongUse } from '../contracts/errors.ts';
import { say } from './terminal.ts';

/** Asks a person for one line; null when they are gone (Ctrl-C, Ctrl-D). */
export type Ask = (question: string) => Promise<string | null>;

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on a terminal; null where there is none: a script gives everything by options. */
export function terminalAsk(output: NodeJS.WritableStream = process.stderr): { ask: Ask; close(): void } | null {
  if (!isTerminal()) return null;
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const closed = new Promise<null>((resolve) => terminal.once('close', () => resolve(null)));
  return { ask: (question) => Promise.race([terminal.question(question), closed]), close: () => terminal.close() };
}

/** One question, as the option that answers it in a script, and what is taken when nothing is answered. */
export type Question<T> = {
  asked: readonly [option: string, words: string];
  /** Null: it has to be answered. */
  usual: string | null;
  /** Reads the answer. Throws OpalineError with a sentence. */
  read(text: string): T | Promise<T>;
};

/**
 * The answer to a question: what the option gives, else what a person types, else what is usual. On a terminal an answer
 * that cannot be read is asked for again. Throws USAGE that names the option, and what `read` throws of an option.
 */
export async function answer<T>(question: Question<T>, given: string | undefined, ask: Ask | null): Promise<T> {
  const { asked, usual, read } = question;
  const [option, words] = asked;
  if (given !== undefined) return read(given);
  if (ask === null) {
    if (usual !== null) return read(usual);
    throw wrongUse(`${option.replace(/ .*/, '')} is needed, as nobody can be asked: ${words}`);
  }
  for (;;) {
    const line = await ask(`${words[0]!.toUpperCase()}${words.slice(1)}${usual === null ? '' : ` [${usual}]`}\n> `);
    if (line === null) throw wrongUse('Nothing was made: not every question was answered.');
    const text = line.trim() === '' ? usual : line.trim();
    if (text === null) continue;
    try {
      return await read(text);
    } catch (error) {
      if (!(error instanceof OpalineError)) throw error;
      say(`${error.message}\n`);
    }
  }
}
