import { EXIT } from '../contracts/errors.ts';

const MEANINGS: Record<keyof typeof EXIT, string> = {
  done: 'done',
  unexpected: 'something unexpected happened',
  badInput: 'wrong use or bad input',
  waiting: 'waits for a person, or finished in part',
  refused: 'refused by policy',
  verificationFailed: 'verification failed',
  interrupted: 'interrupted',
};

const ROWS = Object.entries(EXIT).map(([name, code]) => ({ code, meaning: MEANINGS[name as keyof typeof EXIT] }));

/** The table of exit codes, as help and documents show it. */
export const EXIT_CODES_HELP = [
  'Exit codes:',
  ...ROWS.map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`),
].join('\n');
