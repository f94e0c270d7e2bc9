import { ERRORS } from '../contracts/errors.ts';
import type { Answer } from '../contracts/stages.ts';
import { type OutputOptions, print } from './terminal.ts';

/** Prints what a release answered; a refusal sets the exit code of its error, and its sentence is on standard error. */
export function printAnswer(options: OutputOptions, answer: Answer, accepted: string): void {
  if (!answer.accepted) process.exitCode = ERRORS[answer.code].exit;
  if (answer.accepted || options.json) print(options, answer, accepted);
  else process.stderr.write(`${answer.code}: ${answer.message}\n`);
}
