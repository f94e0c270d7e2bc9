import { CUSTODY_ERRORS } from './custody-errors.ts';
import { type ErrorRow, EXIT_CODES } from './error-row.ts';

/** Exit codes of the command line; every command uses this one table. */
export const EXIT = EXIT_CODES;

/** The closed table of error codes: workflow, activities, command line and console share it. */
export const ERRORS = {
  // objects (C6: facts of the inventory only)
  OBJECT_MISSING: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object that the series expects is not in its store.',
    cause: 'The supplier has not delivered it, or under another name.',
    mend: 'Have it delivered under the name shown, then retry; or abandon its partitions.',
  },
  OBJECT_UNREADABLE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object cannot be read: it is truncated, corrupt or not of the declared format.',
    cause: 'A transfer broke off, or the supplier changed the format.',
    mend: 'Have it delivered again, then retry; or abandon its partitions.',
  },
  OBJECT_SCHEMA: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object lacks a column that the series names, or the column has an unusable type.',
    cause: 'The supplier changed its columns.',
    mend: 'Have it delivered with the declared columns and retry, or change the series file for the next version.',
  },
  OBJECT_TOO_LARGE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object cannot be read within the memory limit of the private worker.',
    cause: 'The object holds more rows than memoryMiB is enough for.',
    mend: 'Have it delivered again, or raise memoryMiB, then retry; or abandon its partitions.',
  },
  OBJECT_CHANGED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object in the source is no longer the one that was pinned at ingest.',
    cause: 'The supplier replaced it while the release was at work.',
    mend: 'Retry; if the answer is NEEDS_CORRECTION, put the old object back or correct the release.',
  },
  OBJECT_UNEXPECTED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'An object has a name that not every store can hold, or one that does not fit the pattern of the series.',
    cause: 'The supplier delivered it under a wrong name.',
    mend: 'Have it renamed or moved away, then retry; one that does not fit the pattern is not read and stops nothing.',
  },
  // people's input
  SERIES_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    meaning: 'The series file has mistakes.',
    cause: 'The file was changed without a check.',
    mend: 'Mend the fields that the message names.',
  },
  SELECT_REFUSED: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    meaning: 'The select of the series is not row-wise, or uses something outside the allow-list (C3).',
    cause: 'The select aggregates, joins or calls a function that is not allowed.',
    mend: 'Write it row by row.',
  },
  PROFILE_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    meaning: 'An occupancy profile, or the configuration of one, has mistakes.',
    cause: 'The file was changed by hand, or is of another kind.',
    mend: 'Mend the line or the field that the message names.',
  },
  WINDOW_INVALID: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'The window does not start on the weekday that the series declares, or has not ended yet.',
    cause: 'The day is not the first one of a window, or the lag days are not over.',
    mend: 'Take the first day of a window that is complete.',
  },
  USAGE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'The command was not used as its help says.',
    cause: 'An argument is missing or misspelt.',
    mend: 'Look at the help of the command.',
  },
  CONFIGURATION_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    meaning: 'The deployment configuration has mistakes.',
    cause: 'A deployment file lacks a field, or the source store that the series names.',
    mend: 'Mend the file, start the worker again, then retry.',
  },
  KEY_INVALID: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.badInput,
    meaning: 'The key file is not an Ed25519 key in PKCS#8 PEM.',
    cause: 'The file holds another kind of key.',
    mend: 'Make one with opaline keygen.',
  },
  TRUST_INVALID: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.badInput,
    meaning: 'The trust file is not the one that was pinned, or a version of it is not signed as it has to be.',
    cause: 'The file was changed, is older than the pin, or lacks signatures of root keys.',
    mend: 'Look at it with opaline check trust.json, and take the file that the roots signed.',
  },
  RELEASE_UNKNOWN: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'There is no such release.',
    cause: 'The name is misspelt, or Temporal has forgotten the release after its retention.',
    mend: 'Look at opaline status.',
  },
  RELEASE_EXISTS: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.badInput,
    meaning: 'This release was started before; a release id runs once.',
    cause: 'The release ran before, by hand or by its schedule.',
    mend: 'Look at it with opaline show, or take the next version.',
  },
  RELEASE_ENDED_OUTSIDE: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.refused,
    meaning: 'The release was ended in Temporal, and not by Opaline.',
    cause: 'Somebody terminated its workflow. What was reserved for it stays spent.',
    mend: 'Take the next version, which is charged.',
  },
  // policy
  CERTIFICATE_IMPOSSIBLE: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    meaning: 'No certificate exists for these privacy parameters.',
    cause: 'The ε and δ asked for cannot be had together.',
    mend: 'Try opaline certify, and change the series file.',
  },
  BUDGET_EXCEEDED: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT.refused,
    meaning: 'The charge would exceed a cap of the population.',
    cause: 'The blocks or the year have been charged up to the cap.',
    mend: 'Do not release, or have the cap raised in a reviewed change: opaline ledger show.',
  },
  NEEDS_CORRECTION: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.refused,
    meaning: 'The change concerns a partition that has been drawn: it needs a new version, with a new charge.',
    cause: 'An object changed under a partition that has been drawn.',
    mend: 'Put the old object back and retry, or let the release end and correct it.',
  },
  ACTION_NOT_OFFERED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.refused,
    meaning: 'The release does not offer this action in its state.',
    cause: 'The release has moved on, or somebody else was faster.',
    mend: 'Look at it with opaline show.',
  },
  VERDICT_FAIL: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The audit failed; nobody can approve this release.',
    cause: 'An attack of the audit succeeded.',
    mend: 'Read the audit. If the series declares a service wrongly, opaline reaudit; else reject the release.',
  },
  ATTENTION_NOT_ACKNOWLEDGED: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The approval does not name every attention point of the audit.',
    cause: 'The approval was signed without reading the attention points.',
    mend: 'Approve with --acknowledge for each of them.',
  },
  DIGEST_STALE: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The decision names another manifest than the one at the gate.',
    cause: 'The approval was signed over another version.',
    mend: 'Look at the release and decide again.',
  },
  SUBJECT_UNKNOWN: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The subject is not an approver of the series.',
    cause: 'The key was changed, or the person left the series file.',
    mend: 'Add the public key to the series file and apply it.',
  },
  SUBJECT_IS_CUSTODIAN: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'A custodian of the raw data cannot decide at the gate (C16).',
    cause: 'The person is named on both sides.',
    mend: 'Let another approver decide.',
  },
  SIGNATURE_INVALID: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The signature does not fit the statement and the approver.',
    cause: 'Another key signed, or the statement was changed.',
    mend: 'Sign again with the key of the approver.',
  },
  ALREADY_DECIDED: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The subject has decided on this manifest before.',
    cause: 'The same person decided twice.',
    mend: 'Let another approver decide, if more are required.',
  },
  TOO_MANY_REFUSALS: {
    retryable: false,
    actor: 'release manager',
    exit: EXIT.refused,
    meaning: 'The gate has recorded fifty refusals and takes no more.',
    cause: 'Somebody keeps handing in bad decisions.',
    mend: 'Find out who; withdraw the release and take a new version.',
  },
  RANDOMNESS_REFUSED: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    meaning: 'A production worker takes its randomness from the operating system only.',
    cause: 'A seeded source was configured.',
    mend: 'Take it out and start the worker again.',
  },
  STORE_UNSAFE: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.refused,
    meaning: 'The store lets two writers win the same key; Opaline does not run on it.',
    cause: 'The server ignores conditional writes, or loses races.',
    mend: 'Use one that honours them; see the runbook.',
  },
  ...CUSTODY_ERRORS,
  // verification
  VERIFICATION_FAILED: {
    retryable: false,
    actor: 'nobody',
    exit: EXIT.verificationFailed,
    meaning: 'The publication does not verify.',
    cause: 'Files were damaged or changed by somebody else.',
    mend: 'Copy them again; if that does not help, find out who writes there.',
  },
  LEDGER_BROKEN: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT.verificationFailed,
    meaning: 'The hash chain of the ledger is broken.',
    cause: 'An entry was changed or lost.',
    mend: 'Restore it byte for byte, then opaline ledger verify.',
  },
  // machines
  STORE_UNAVAILABLE: {
    retryable: true,
    actor: 'nobody',
    exit: EXIT.unexpected,
    meaning: 'A store does not answer.',
    cause: 'The store was restarted, or the network is down.',
    mend: 'It is tried again by itself; when the store answers, retry.',
  },
  SERVER_UNAVAILABLE: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'Temporal does not answer.',
    cause: 'Temporal or the public worker is down.',
    mend: 'Start it; nothing is lost meanwhile.',
  },
  STAGE_TIMED_OUT: {
    retryable: true,
    actor: 'platform team',
    exit: EXIT.unexpected,
    meaning: 'A stage used up the time that it has.',
    cause: 'The machine of a worker is too slow or too busy for a release of this size, or the stage hangs.',
    mend: 'Look at the load of that machine, make room on it, then retry.',
  },
  WORKER_LOST: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'A worker stopped answering while it was at a stage.',
    cause: 'Its process was ended, often for want of memory, or it lost its connection.',
    mend: 'Look at the end of its log and at the memory of its machine, then retry.',
  },
  SETUP_FAILED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'Something that Opaline needs could not be installed or started.',
    cause: 'A download or an installation did not work.',
    mend: 'Read the message and install it by hand.',
  },
  OUT_OF_SCRATCH: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'The scratch disk of a worker, or the memory limit of the private one, is exhausted.',
    cause: 'The scratch disk is full, or all objects together need more memory than is allowed.',
    mend: 'Free some space or raise memoryMiB, then retry.',
  },
  NOTICE_FAILED: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'A notice could not be delivered; it holds nothing up.',
    cause: 'The mail server or the receiver of a webhook is away, or refuses what it is sent.',
    mend: 'Look at notices, or warnings, in the deployment file and at the receiver; it is sent again for a while.',
  },
  PROCESS_ENDED: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'The process that computed a stage ended before the stage was done.',
    cause:
      'It took more memory or more time than its worker allows, or it was killed; the log of the worker says which.',
    mend: 'Give the worker more (process.memoryMiB, process.minutes), or mend what kills its processes, then retry.',
  },
  UNEXPECTED: {
    retryable: true,
    actor: 'operator',
    exit: EXIT.unexpected,
    meaning: 'Something unexpected happened; the private worker keeps the details under the id in the message.',
    cause: 'A mistake in the software or in its surroundings.',
    mend: 'Read the diagnostics on the custodian side, then retry.',
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

/** What a person has asked for in a wrong way. */
export const wrongUse = (sentence: string): OpalineError => new OpalineError('USAGE', sentence);

/** For a `catch`: null in the place of an error of this code; every other one is thrown on. */
export const nullOn =
  (code: ErrorCode) =>
  (error: unknown): null => {
    if (error instanceof OpalineError && error.code === code) return null;
    throw error;
  };
