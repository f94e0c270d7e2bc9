import { ERRORS } from '../contracts/errors.ts';
import type { Answer } from '../contracts/stages.ts';
import { type OutputOptions, print } from './terminal.ts';

/** Prints what a release answered; a refusal sets the exit code of its error. */
export function printAnswer(options: OutputOptions, answer: Answer, accepted: string): void {
  if (!answer.accepted) process.exitCode = ERRORS[answer.code].exit;
  print(options, answer, answer.accepted ? accepted : `${answer.code}: ${answer.message}`);
}
