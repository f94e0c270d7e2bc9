export const EXIT_CODES = {
  done: 0,
  unexpected: 1,
  badInput: 2,
  waiting: 3,
  refused: 4,
  verificationFailed: 5,
  interrupted: 130,
} as const;

/** What the table of error codes says of one. */
export type ErrorRow = {
  /** May the same call succeed later, without a person changing anything? Decides Temporal's retry. */
  retryable: boolean;
  /** Who has to act. */
  actor: 'nobody' | 'operator' | 'custodian' | 'release manager' | 'platform team';
  exit: (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
  /** What the code means, in one sentence that holds no data. */
  meaning: string;
  /** The likely cause, and what mends it, in plain words: what `opaline explain` says. */
  cause: string;
  mend: string;
};
