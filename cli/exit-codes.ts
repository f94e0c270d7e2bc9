import { EXIT } from '../contracts/errors.ts';
import { lines } from '../core/text/paragraphs.ts';

const MEANINGS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  unexpected: 'something unexpected happened',
  badInput: 'wrong use or bad input',
  waiting: 'waits for a person, or finished in part',
  refused: 'refused by policy',
  verificationFailed: 'verification failed',
  interrupted: 'interrupted',
};

/** The table of exit codes, as help and documents show it. */
export const EXIT_CODES_HELP = lines(
  'Exit codes:',
  Object.entries(MEANINGS).map(
    ([name, meaning]) => `  ${String(EXIT[name as keyof typeof EXIT]).padStart(3)}  ${meaning}`,
  ),
);
