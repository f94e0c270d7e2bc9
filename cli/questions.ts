import { isCancel, select, text } from '@clack/prompts';
import { OpalineError, wrongUse } from '../contracts/errors.ts';
import { say } from './terminal.ts';

/** A word that answers a question, with what it means where that needs explaining. */
export type Choice = { value: string; hint?: string };

/** Asks a person for one line, or for one of some choices; null when they are gone (Ctrl-C, Ctrl-D). */
export type Ask = (message: string, usual: string | null, choices?: readonly Choice[] | null) => Promise<string | null>;

export const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on a terminal; null where there is none: a script gives everything by options. */
export function terminalAsk(): Ask | null {
  if (!isTerminal()) return null;
  const output = process.stderr;
  return async (message, usual, choices) => {
    const reply = choices
      ? await select({ message, output, options: [...choices], ...(usual !== null && { initialValue: usual }) })
      : await text({ message, output, ...(usual !== null && { placeholder: usual, defaultValue: usual }) });
    return isCancel(reply) ? null : reply;
  };
}

/** One question, as the option that answers it in a script, and what is taken when nothing is answered. */
export type Question<T> = {
  asked: readonly [option: string, words: string];
  /** Null: it has to be answered. */
  usual: string | null;
  choices?: readonly Choice[] | null;
  /** Reads the answer. Throws OpalineError with a sentence. */
  read(text: string): T | Promise<T>;
};

/**
 * The answer to a question: what the option gives, else what a person types, else what is usual. On a terminal an answer
 * that cannot be read is asked for again. Throws USAGE that names the option, and what `read` throws of an option.
 */
export async function answer<T>(question: Question<T>, preset: string | undefined, ask: Ask | null): Promise<T> {
  const { asked, usual, choices, read } = question;
  const [option, words] = asked;
  if (preset !== undefined) return read(preset);
  if (ask === null) {
    if (usual !== null) return read(usual);
    throw wrongUse(`${option.replace(/ .*/, '')} is needed, as nobody can be asked: ${words}`);
  }
  for (;;) {
    const line = await ask(
      words.replace(/^[a-z]/, (first) => first.toUpperCase()),
      usual,
      choices,
    );
    if (line === null) throw wrongUse('Nothing was made: not every question was answered.');
    const reply = line.trim() === '' ? usual : line.trim();
    try {
      if (reply === null) throw wrongUse('An answer is needed.');
      return await read(reply);
    } catch (error) {
      if (!(error instanceof OpalineError)) throw error;
      say(`${error.message}\n`);
    }
  }
}
