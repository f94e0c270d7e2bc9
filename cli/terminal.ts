import { fileURLToPath } from 'node:url';
import { ERRORS, type ErrorCode, EXIT, OpalineError } from '../contracts/errors.ts';
import type { Answer } from '../contracts/stages.ts';
import { plainLine, plainText } from '../core/text/plain-text.ts';
import { COMMAND_LIST } from './command-list.ts';

export type OutputOptions = { json?: boolean };

/**
 * Writes lines for people. Whatever a terminal would obey is escaped: texts hold names that others chose, of files,
 * objects and people. Names within a line are escaped, together with their line ends, where the line is made. Commands
 * are named so that they can be pasted.
 */
export function say(text: string, stream: NodeJS.WriteStream = process.stderr): void {
  stream.write(plainText(pasteable(text)));
}

/** Prints the result of a command: JSON for programs, sentences for people. */
export function print(options: OutputOptions, value: unknown, text: string): void {
  if (options.json) process.stdout.write(jsonLine(value, 2));
  else say(`${text}\n`, process.stdout);
}

/** JSON that no terminal obeys, either: what it would is written as JSON escapes, which read the same. */
const jsonLine = (value: unknown, space?: number): string =>
  `${JSON.stringify(value, null, space).replace(/[\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, unicodeEscape)}\n`;

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Progress on long work, on standard error: one line that renews itself on a terminal, a line for each step
 * elsewhere, nothing with --json.
 */
export function progressOf({ json }: OutputOptions) {
  let last = '';
  let since = 0;
  return {
    /** On a terminal the line, with the time that the step takes; elsewhere the step, once. */
    show(step: string, line: string): void {
      if (json) return;
      if (step !== last) since = Date.now();
      if (process.stderr.isTTY) {
        const seconds = Math.floor((Date.now() - since) / 1000);
        // A line that wraps could not be renewed.
        const text = `${line}${seconds > 0 ? `  ${seconds} s` : ''}`.slice(0, (process.stderr.columns ?? 80) - 1);
        process.stderr.write(`\r\u001b[K${plainLine(text)}`);
      } else if (step !== last) say(`${step}\n`);
      last = step;
    },
    end(): void {
      if (last && process.stderr.isTTY) process.stderr.write('\n');
    },
  };
}

/** Says what went wrong, on standard error, and sets the exit code. A mistake of people gets no stack. */
export function fail(error: unknown, options: OutputOptions): void {
  const code: ErrorCode = error instanceof OpalineError ? error.code : 'UNEXPECTED';
  const message = error instanceof Error ? error.message : String(error);
  process.exitCode = error instanceof OpalineError ? ERRORS[code].exit : EXIT.unexpected;
  printError(code, message, options.json === true);
}

/** Says that a command was used wrongly; its options are not known then, so that `--json` is looked for by itself. */
export function printMistake(message: string): void {
  printError('USAGE', message, process.argv.includes('--json'));
}

function printError(code: ErrorCode, message: string, json: boolean): void {
  if (json) process.stderr.write(jsonLine({ code, message }));
  else say(`${code}: ${message}\n`);
}

const BAR_WIDTH = 20;

/**
 * A bar for a share from 0 to 1: empty for nothing only, full for all only. The text beside it says the same: a bar is
 * never the only carrier.
 */
export function bar(share: number): string {
  const cells = share > 0 ? Math.min(Math.max(Math.floor(share * BAR_WIDTH), 1), BAR_WIDTH) : 0;
  return '█'.repeat(cells) + '░'.repeat(BAR_WIDTH - cells);
}

/** Prints what a release answered; a refusal sets the exit code of its error, and its sentence is on standard error. */
export function printAnswer(options: OutputOptions, answer: Answer, text: string): undefined {
  if (!answer.accepted) process.exitCode = ERRORS[answer.code].exit;
  if (answer.accepted || options.json) print(options, answer, text);
  else say(`${answer.code}: ${answer.message}\n`);
}

/**
 * How this command line was started, as people type it. In a checkout, which runs the sources: through npm, or from
 * another folder by its file. Where it is installed: through npx, if that was asked, or by its name.
 */
function invocation(): string {
  const { npm_lifecycle_event: script, npm_command: command } = process.env;
  if (!import.meta.url.endsWith('.ts')) return command === 'exec' ? 'npx opaline' : 'opaline';
  const root = fileURLToPath(new URL('..', import.meta.url));
  return script !== undefined || `${process.cwd()}/` === root ? 'npm run opaline --' : `node ${root}cli/main.ts`;
}

const NAMES = COMMAND_LIST.map(([use]) => use.split(' ')[0]).join('|');

/** A command within a text: the name, a space, and one of our commands: a namespace may be called opaline, too. */
const COMMAND = new RegExp(`(?<![\\w./@-])opaline (?=(?:${NAMES})\\b)`, 'g');

/**
 * A text in which every command can be pasted as it is. Texts name a command as `opaline show …` wherever they are
 * made; only here it is known how this one was started.
 */
export const pasteable = (text: string, prefix = invocation()): string => text.replaceAll(COMMAND, `${prefix} `);
