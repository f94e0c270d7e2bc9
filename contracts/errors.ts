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

/** What the table of error codes says of one. */
type ErrorRow = {
  /** May the same call succeed later, without a person changing anything? Decides Temporal's retry. */
  retryable: boolean;
  /** Who has to act. */
  actor: 'nobody' | 'operator' | 'custodian' | 'release manager' | 'platform team';
  exit: (typeof EXIT)[keyof typeof EXIT];
  /** What the code means, in one sentence that holds no data. */
  meaning: string;
  /** The likely cause, and what mends it, in plain words: what `opaline explain` says. */
  cause: string;
  mend: string;
};

/** What the rows of one exit code have in common. */
const rows =
  (exit: ErrorRow['exit'], retryable = false) =>
  (actor: ErrorRow['actor'], texts: Pick<ErrorRow, 'meaning' | 'cause' | 'mend'>): ErrorRow => ({
    retryable,
    actor,
    exit,
    ...texts,
  });

const badInput = rows(EXIT.badInput);
const refusal = rows(EXIT.refused);
const mismatch = rows(EXIT.verificationFailed);
/** Gets better by itself, or when a worker is started again. */
const transient = rows(EXIT.unexpected, true);

/** The closed table of error codes: workflow, activities and command line share it. */
export const ERRORS = {
  // objects (C6: facts of the inventory only)
  OBJECT_MISSING: badInput('operator', {
    meaning: 'An object that the series expects is not in its store.',
    cause: 'The supplier has not delivered it, or under another name.',
    mend: 'Ask the supplier to deliver it under the name shown, then retry; or abandon its partitions.',
  }),
  OBJECT_UNREADABLE: badInput('operator', {
    meaning:
      'An object cannot be read: it is truncated, corrupt, not of the declared format, or not what the delivery note says.',
    cause: 'A transfer broke off, or the supplier changed the format or forgot the note.',
    mend: 'Ask the supplier to deliver it again, then retry; or abandon its partitions.',
  }),
  OBJECT_SCHEMA: badInput('operator', {
    meaning: 'An object lacks a column that the series names, or the column has an unusable type.',
    cause: 'The supplier changed its columns.',
    mend: 'Ask the supplier to deliver it with the declared columns and retry, or change the series file for the next version.',
  }),
  OBJECT_TOO_LARGE: badInput('operator', {
    meaning: 'An object cannot be read within the memory limit of the private worker.',
    cause: 'The object holds more rows than memoryMiB is enough for.',
    mend: 'Ask the supplier to deliver it again, or raise memoryMiB, then retry; or abandon its partitions.',
  }),
  OBJECT_CHANGED: badInput('operator', {
    meaning: 'An object in the source is no longer the one that was cleared, or pinned at ingest.',
    cause: 'The supplier replaced it while the release was at work.',
    mend: 'Retry; if the answer is NEEDS_CORRECTION, put the old object back or correct the release.',
  }),
  OBJECT_UNEXPECTED: badInput('operator', {
    meaning:
      'An object has a name that not every store can hold, that does not fit the pattern, or that no delivery note has.',
    cause: 'The supplier delivered it under a wrong name, or forgot it in the note.',
    mend: 'Ask the supplier to rename it or move it away, then retry; one that does not fit the pattern is not read and stops nothing.',
  }),
  OBJECT_TWICE: badInput('operator', {
    meaning: 'Two objects have names of which the pattern of the series allows one.',
    cause: 'The supplier delivered the same once more, or a corrected file beside the old one.',
    mend: 'Move away the one that does not count, then retry; or abandon its partitions.',
  }),
  // people's input
  SERIES_INVALID: badInput('platform team', {
    meaning: 'The series file has mistakes.',
    cause: 'The file was changed without a check.',
    mend: 'Mend the fields that the message names.',
  }),
  SELECT_REFUSED: badInput('platform team', {
    meaning: 'The select of the series is not row-wise, or uses something outside the allow-list (C3).',
    cause: 'The select aggregates, joins or calls a function that is not allowed.',
    mend: 'Write it row by row.',
  }),
  PROFILE_INVALID: badInput('platform team', {
    meaning: 'An occupancy profile, or the configuration of one, has mistakes.',
    cause: 'The file was changed by hand, or is of another kind.',
    mend: 'Mend the line or the field that the message names.',
  }),
  WINDOW_INVALID: badInput('operator', {
    meaning: 'The window does not start on the weekday that the series declares, or has not ended yet.',
    cause: 'The day is not the first one of a window, or the lag days are not over.',
    mend: 'Take the first day of a window that is complete.',
  }),
  USAGE: badInput('operator', {
    meaning: 'The command was not used as its help says.',
    cause: 'An argument is missing or misspelt.',
    mend: 'Look at the help of the command.',
  }),
  CONFIGURATION_INVALID: badInput('platform team', {
    meaning: 'The deployment configuration has mistakes.',
    cause: 'A deployment file lacks a field, or the source store that the series names.',
    mend: 'Mend the file, start the worker again, then retry.',
  }),
  KEY_INVALID: badInput('release manager', {
    meaning: 'The key file is not an Ed25519 key in PKCS#8 PEM.',
    cause: 'The file holds another kind of key.',
    mend: 'Make one with opaline keygen.',
  }),
  TRUST_INVALID: badInput('platform team', {
    meaning: 'The trust file is not the one that was pinned, or a version of it is not signed as it has to be.',
    cause: 'The file was changed, is older than the pin, or lacks signatures of root keys.',
    mend: 'Look at it with opaline check trust.json, and take the file that the roots signed.',
  }),
  RELEASE_UNKNOWN: badInput('operator', {
    meaning: 'There is no such release.',
    cause: 'The name is misspelt, or nothing was ever charged for it and Temporal has forgotten it.',
    mend: 'Look at opaline status.',
  }),
  RELEASE_EXISTS: badInput('operator', {
    meaning: 'This release was started before; a release id runs once.',
    cause: 'The release ran before, by hand or by its schedule.',
    mend: 'Look at it with opaline show; opaline resume goes on with one that Temporal has lost. Or take the next version.',
  }),
  RELEASE_ENDED_OUTSIDE: refusal('operator', {
    meaning: 'The release has not ended, and no workflow of it is open in Temporal.',
    cause: 'Somebody terminated its workflow, or the database of Temporal was lost.',
    mend: 'Go on with opaline resume, at 0 ε; where nothing was charged yet, run it again.',
  }),
  // policy
  CERTIFICATE_IMPOSSIBLE: refusal('platform team', {
    meaning: 'No certificate exists for these privacy parameters.',
    cause: 'The ε and δ asked for cannot be had together.',
    mend: 'Try opaline certify, and change the series file.',
  }),
  BUDGET_EXCEEDED: refusal('custodian', {
    meaning: 'The charge would exceed a cap of the population.',
    cause: 'The blocks or the year have been charged up to the cap.',
    mend: 'Do not release, or have the cap raised in a reviewed change: opaline ledger show.',
  }),
  NEEDS_CORRECTION: refusal('operator', {
    meaning: 'The change concerns a partition that has been drawn: it needs a new version, with a new charge.',
    cause: 'An object changed under a partition that has been drawn.',
    mend: 'Put the old object back and retry, or let the release end and correct it.',
  }),
  ACTION_NOT_OFFERED: refusal('operator', {
    meaning: 'The release does not offer this action in its state.',
    cause: 'The release has moved on, or somebody else was faster.',
    mend: 'Look at it with opaline show.',
  }),
  VERDICT_FAIL: refusal('release manager', {
    meaning: 'The audit failed; nobody can approve this release.',
    cause: 'An attack of the audit succeeded.',
    mend: 'Read the audit. If the series declares a service wrongly, opaline reaudit; else reject the release.',
  }),
  ATTENTION_NOT_ACKNOWLEDGED: refusal('release manager', {
    meaning: 'The approval does not name every attention point of the audit.',
    cause: 'The approval was signed without reading the attention points.',
    mend: 'Approve with --acknowledge for each of them.',
  }),
  DIGEST_STALE: refusal('release manager', {
    meaning: 'The decision names another manifest than the one at the gate.',
    cause: 'The approval was signed over another version.',
    mend: 'Look at the release and decide again.',
  }),
  SUBJECT_UNKNOWN: refusal('release manager', {
    meaning: 'The subject is not an approver of the series.',
    cause: 'The key was changed, or the person left the series file.',
    mend: 'Add the public key to the series file and apply it.',
  }),
  SUBJECT_IS_CUSTODIAN: refusal('release manager', {
    meaning: 'A custodian of the raw data cannot decide at the gate (C16).',
    cause: 'The person is named on both sides.',
    mend: 'Let another approver decide.',
  }),
  OWN_RELEASE: refusal('release manager', {
    meaning: 'Who started a release cannot approve it, as the trust file says (C16).',
    cause: 'The person is recorded as having started it.',
    mend: 'Let another approver decide.',
  }),
  SIGNATURE_INVALID: refusal('release manager', {
    meaning: 'The signature does not fit the statement and the approver.',
    cause: 'Another key signed, or the statement was changed.',
    mend: 'Sign again with the key of the approver.',
  }),
  ALREADY_DECIDED: refusal('release manager', {
    meaning: 'The subject has decided on this manifest before.',
    cause: 'The same person decided twice.',
    mend: 'Let another approver decide, if more are required.',
  }),
  TOO_MANY_REFUSALS: refusal('release manager', {
    meaning: 'The gate has recorded fifty refusals and takes no more.',
    cause: 'Somebody keeps handing in bad decisions.',
    mend: 'Find out who; withdraw the release and take a new version.',
  }),
  RANDOMNESS_REFUSED: refusal('platform team', {
    meaning: 'A production worker takes its randomness from the operating system only.',
    cause: 'A seeded source was configured.',
    mend: 'Take it out and start the worker again.',
  }),
  STORE_UNSAFE: refusal('platform team', {
    meaning: 'The store lets two writers win the same key; Opaline does not run on it.',
    cause: 'The server ignores conditional writes, or loses races.',
    mend: 'Use one that honours them; see the runbook.',
  }),
  // what the custodian side refuses, whoever asks (C11a, C12)
  POLICY_INVALID: badInput('custodian', {
    meaning: 'The policy file of the custodian has mistakes.',
    cause: 'The file was changed without a check.',
    mend: 'Mend the fields that the message names: opaline check policy.yaml.',
  }),
  POLICY_REFUSED: refusal('custodian', {
    meaning: 'The policy of the custodian does not allow this release.',
    cause: 'The series asks for another source, unit, mechanism or more budget than the policy names.',
    mend: 'Change the series file, or have the policy changed by the custodian.',
  }),
  SERIES_UNSIGNED: refusal('custodian', {
    meaning: 'No key of the policy has signed this series file, or its signature was revoked.',
    cause: 'The series file was changed and not signed again.',
    mend: 'Have it signed: opaline series sign.',
  }),
  ORDER_MISSING: refusal('custodian', {
    meaning: 'The policy allows the first version of each recent window; this release needs an order.',
    cause:
      'It is a further version, a correction or an old window, or its deliveries are not cleared, and no key of the policy has ordered it.',
    mend: 'Have it ordered: opaline order; then take the release up again.',
  }),
  NOT_CHARGED: refusal('operator', {
    meaning: 'The private worker answers for what stands in the ledger only, and this release does not.',
    cause: 'A stage was asked for before its charge, or for what the charge does not cover.',
    mend: 'Retry; if that does not help, find out who started it.',
  }),
  LEDGER_BEHIND: refusal('custodian', {
    meaning:
      'The ledger of the private store is behind its copies, its mark, or the policy that it names; or an entry has a form that this build does not read.',
    cause: 'A store or a file was restored from an older backup, or the ledger is of an older build.',
    mend: 'Follow the runbook ledger-behind: opaline ledger takeover.',
  }),
  TRUST_BEHIND: transient('operator', {
    meaning:
      'The trust file, the policy or the key of a process is older than the one that counts now, so that it signs nothing.',
    cause: 'Keys were changed, and this process, or its host, does not have the new file yet.',
    mend: 'Put the newest trust file, policy and key beside its deployment; a worker reads them without a new start.',
  }),
  COPY_DIFFERS: mismatch('platform team', {
    meaning: 'An object of a store is not the one that a worker puts there.',
    cause: 'Somebody wrote into the store.',
    mend: 'Find out who, take the object away or put the right one back, then retry; it costs nothing.',
  }),
  // verification
  VERIFICATION_FAILED: mismatch('nobody', {
    meaning: 'The publication does not verify.',
    cause: 'Files were damaged or changed by somebody else.',
    mend: 'Copy them again; if that does not help, find out who writes there.',
  }),
  LEDGER_BROKEN: mismatch('platform team', {
    meaning: 'The hash chain of the ledger is broken.',
    cause: 'An entry was changed or lost.',
    mend: 'Restore it byte for byte, then opaline ledger verify.',
  }),
  // machines
  STORE_UNAVAILABLE: transient('nobody', {
    meaning: 'A store does not answer.',
    cause: 'The store was restarted, or the network is down.',
    mend: 'It is tried again by itself; when the store answers, retry.',
  }),
  SERVER_UNAVAILABLE: transient('operator', {
    meaning: 'Temporal does not answer.',
    cause: 'Temporal or the public worker is down.',
    mend: 'Start it; nothing is lost meanwhile.',
  }),
  STAGE_TIMED_OUT: transient('platform team', {
    meaning: 'A stage used up the time that it has.',
    cause: 'The machine of a worker is too slow or too busy for a release of this size, or the stage hangs.',
    mend: 'Look at the load of that machine, make room on it, then retry.',
  }),
  WORKER_LOST: transient('operator', {
    meaning: 'A worker stopped answering while it was at a stage.',
    cause: 'Its process was ended, often for want of memory, or it lost its connection.',
    mend: 'Look at the end of its log and at the memory of its machine, then retry.',
  }),
  SETUP_FAILED: {
    ...transient('operator', {
      meaning: 'Something that Opaline needs could not be installed or started.',
      cause: 'A download or an installation did not work.',
      mend: 'Read the message and install it by hand.',
    }),
    retryable: false,
  },
  OUT_OF_SCRATCH: transient('operator', {
    meaning: 'The scratch disk of a worker, or the memory limit of the private one, is exhausted.',
    cause: 'The scratch disk is full, or all objects together need more memory than is allowed.',
    mend: 'Free some space or raise memoryMiB, then retry.',
  }),
  NOTICE_FAILED: transient('operator', {
    meaning: 'A notice could not be delivered; it holds nothing up.',
    cause: 'The mail server or the receiver of a webhook is away, or refuses what it is sent.',
    mend: 'Look at notices, or warnings, in the deployment file and at the receiver; it is sent again for a while.',
  }),
  PROCESS_ENDED: transient('operator', {
    meaning: 'The process that computed a stage ended before the stage was done.',
    cause:
      'It took more memory or more time than its worker allows, or it was killed; the log of the worker says which.',
    mend: 'Give the worker more (process.memoryMiB, process.minutes), or mend what kills its processes, then retry.',
  }),
  UNEXPECTED: transient('operator', {
    meaning: 'Something unexpected happened; the private worker keeps the details under the id in the message.',
    cause: 'A mistake in the software or in its surroundings.',
    mend: 'Read the diagnostics on the custodian side, then retry.',
  }),
} satisfies Record<string, ErrorRow>;

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
