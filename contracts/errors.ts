/** Exit codes of the command line; every command uses this one table. */
export const EXIT = {
  done: 0,
  unexpected: 1,
  badInput: 2,
  waiting: 3,
  refused: 4,
  verificationFailed: 5,
  interrupted: 130,
} as const;

type ErrorRow = {
  /** May the same call succeed later, without a person changing anything? Decides Temporal's retry. */
  retryable: boolean;
  /** Who has to act. */
  actor: 'nobody' | 'operator' | 'custodian' | 'release manager' | 'platform team';
  exit: (typeof EXIT)[keyof typeof EXIT];
  http: number;
  /** What the code means, in one sentence that holds no data. */
  meaning: string;
};

/** The closed table of error codes: workflow, activities, command line and console share it. */
export const ERRORS = {
  // objects (C6: facts of the inventory only)
  OBJECT_MISSING: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 404,
    meaning: 'An object that the series expects is not in its store.',
  },
  OBJECT_UNREADABLE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'An object cannot be read: it is truncated, corrupt or not of the declared format.',
  },
  OBJECT_SCHEMA: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'An object lacks a column that the series names, or the column has an unusable type.',
  },
  OBJECT_CHANGED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 409,
    meaning: 'An object in the source is no longer the one that was pinned at ingest.',
  },
  OBJECT_UNEXPECTED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'An object lies under the series prefix, but its name does not fit the pattern.',
  },
  // people's input
  SERIES_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'The series file has mistakes.',
  },
  SELECT_REFUSED: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'The select of the series is not row-wise, or uses something outside the allow-list (C3).',
  },
  WINDOW_INVALID: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'The window does not start on the weekday that the series declares, or has not ended yet.',
  },
  USAGE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 400,
    meaning: 'The command was not used as its help says.',
  },
  CONFIGURATION_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    http: 500,
    meaning: 'The deployment configuration has mistakes.',
  },
  KEY_INVALID: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.badInput,
    http: 422,
    meaning: 'The key file is not an Ed25519 key in PKCS#8 PEM.',
  },
  RELEASE_UNKNOWN: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 404,
    meaning: 'There is no such release.',
  },
  RELEASE_EXISTS: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    http: 409,
    meaning: 'This release was started before; a release id runs once.',
  },
  // policy
  CERTIFICATE_IMPOSSIBLE: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    http: 422,
    meaning: 'No certificate exists for these privacy parameters.',
  },
  BUDGET_EXCEEDED: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT.refused,
    http: 403,
    meaning: 'The charge would exceed a cap of the population.',
  },
  NEEDS_CORRECTION: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.refused,
    http: 409,
    meaning: 'The change concerns a partition that has been drawn: it needs a new version, with a new charge.',
  },
  ACTION_NOT_OFFERED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.refused,
    http: 409,
    meaning: 'The release does not offer this action in its state.',
  },
  VERDICT_FAIL: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 403,
    meaning: 'The audit failed; nobody can approve this release.',
  },
  ATTENTION_NOT_ACKNOWLEDGED: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 403,
    meaning: 'The approval does not name every attention point of the audit.',
  },
  DIGEST_STALE: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 409,
    meaning: 'The decision names another manifest than the one at the gate.',
  },
  SUBJECT_UNKNOWN: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 403,
    meaning: 'The subject is not an approver of the series.',
  },
  SUBJECT_IS_CUSTODIAN: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 403,
    meaning: 'A custodian of the raw data cannot decide at the gate (C16).',
  },
  SIGNATURE_INVALID: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 403,
    meaning: 'The signature does not fit the statement and the approver.',
  },
  ALREADY_DECIDED: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 409,
    meaning: 'The subject has decided on this manifest before.',
  },
  TOO_MANY_REFUSALS: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    http: 429,
    meaning: 'The gate has recorded fifty refusals and takes no more.',
  },
  RANDOMNESS_REFUSED: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    http: 500,
    meaning: 'A production worker takes its randomness from the operating system only.',
  },
  STORE_UNSAFE: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    http: 500,
    meaning: 'The store lets two writers win the same key; Opaline does not run on it.',
  },
  // verification
  VERIFICATION_FAILED: {
    retryable: false,
    actor: 'nobody',
    exit: EXIT.verificationFailed,
    http: 422,
    meaning: 'The publication does not verify.',
  },
  LEDGER_BROKEN: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.verificationFailed,
    http: 500,
    meaning: 'The hash chain of the ledger is broken.',
  },
  // machines
  STORE_UNAVAILABLE: {
    retryable: true,
    actor: 'nobody',
    exit: EXIT.unexpected,
    http: 503,
    meaning: 'A store does not answer.',
  },
  SERVER_UNAVAILABLE: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    http: 503,
    meaning: 'Temporal does not answer.',
  },
  SETUP_FAILED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.unexpected,
    http: 500,
    meaning: 'Something that Opaline needs could not be installed or started.',
  },
  OUT_OF_SCRATCH: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    http: 507,
    meaning: 'The scratch disk or the memory limit of the private worker is exhausted.',
  },
  UNEXPECTED: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    http: 500,
    meaning: 'Something unexpected happened; the private worker keeps the details under the id in the message.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * An error with a code of the table and a message for people. The message is public: it never holds a data value,
 * a row, a count, or a path below the source. Activities turn it into a failure of the same code.
 */
export class OpalineError extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'OpalineError';
    this.code = code;
  }
}
