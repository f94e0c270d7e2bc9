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
  /** The likely cause, and what mends it, in plain words that hold no data: what notices and `opaline explain` say. */
  cause: string;
  mend: string;
};

/** What the rows of one exit code have in common. */
const rows =
  (exit: ErrorRow['exit'], retryable = false) =>
  (actor: ErrorRow['actor'], texts: Pick<ErrorRow, 'cause' | 'mend'>): ErrorRow => ({
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
    cause: 'The supplier has not delivered an object that the series expects, or under another name.',
    mend: 'Ask the supplier to deliver it under the name shown, then retry; or abandon its partitions.',
  }),
  OBJECT_UNREADABLE: badInput('operator', {
    cause: 'A transfer broke off, or the supplier changed the format, or forgot the delivery note or what is in it.',
    mend: 'Ask the supplier to deliver it again, then retry; or abandon its partitions.',
  }),
  OBJECT_SCHEMA: badInput('operator', {
    cause: 'The supplier changed its columns: one that the series names is not there, or has an unusable type.',
    mend: 'Ask the supplier to deliver it with the declared columns and retry, or change the series file for the next version.',
  }),
  OBJECT_TOO_LARGE: badInput('operator', {
    cause: 'The object holds more rows than memoryMiB of the private worker is enough for.',
    mend: 'Ask the supplier to deliver it again, or raise memoryMiB, then retry; or abandon its partitions.',
  }),
  OBJECT_CHANGED: badInput('operator', {
    cause: 'The supplier replaced an object that was cleared, or pinned at ingest, while the release was at work.',
    mend: 'Retry; if it then asks for a correction, put the old object back or correct the release.',
  }),
  OBJECT_UNEXPECTED: badInput('operator', {
    cause:
      'The supplier delivered it under a name that not every store or not the pattern takes, or forgot it in the note.',
    mend: 'Ask the supplier to rename it or move it away, then retry; one that does not fit the pattern is not read and stops nothing.',
  }),
  OBJECT_TWICE: badInput('operator', {
    cause: 'The supplier delivered the same once more, or a corrected file beside the old one; the pattern allows one.',
    mend: 'Move away the one that does not count, then retry; or abandon its partitions.',
  }),
  // people's input
  SERIES_INVALID: badInput('platform team', {
    cause: 'The series file was changed without a check.',
    mend: 'Mend the fields that the message names.',
  }),
  SELECT_REFUSED: badInput('platform team', {
    cause: 'The select is not row-wise: it aggregates, joins or calls a function that is not allowed.',
    mend: 'Write it row by row.',
  }),
  PROFILE_INVALID: badInput('platform team', {
    cause: 'An occupancy profile, or the configuration of one, was changed by hand, or is of another kind.',
    mend: 'Mend the line or the field that the message names.',
  }),
  WINDOW_INVALID: badInput('operator', {
    cause: 'The day is not the first one of a window, or the lag days are not over.',
    mend: 'Take the first day of a window that is complete.',
  }),
  USAGE: badInput('operator', {
    cause: 'An argument is missing or misspelt.',
    mend: 'Look at the help of the command.',
  }),
  CONFIGURATION_INVALID: badInput('platform team', {
    cause: 'A deployment file lacks a field, or the source store that the series names.',
    mend: 'Mend the file, start the worker again, then retry.',
  }),
  KEY_INVALID: badInput('release manager', {
    cause: 'The file holds another kind of key than Ed25519 in PKCS#8 PEM.',
    mend: 'Make one with opaline keygen.',
  }),
  TRUST_INVALID: badInput('platform team', {
    cause: 'The trust file was changed, is older than the pin, or lacks signatures of root keys.',
    mend: 'Look at it with opaline check trust.json, and take the file that the roots signed.',
  }),
  RELEASE_UNKNOWN: badInput('operator', {
    cause: 'The name is misspelt, or nothing was ever charged for it and Temporal has forgotten it.',
    mend: 'Look at opaline status.',
  }),
  RELEASE_EXISTS: badInput('operator', {
    cause: 'The release ran before, by hand or by its schedule; a release id runs once.',
    mend: 'Look at it with opaline show; opaline resume goes on with one that Temporal has lost. Or take the next version.',
  }),
  RELEASE_ENDED_OUTSIDE: refusal('operator', {
    cause: 'Somebody terminated its workflow, or the database of Temporal was lost.',
    mend: 'Go on with opaline resume, at 0 ε; where nothing was charged yet, run it again.',
  }),
  // policy
  CERTIFICATE_IMPOSSIBLE: refusal('platform team', {
    cause: 'The ε and δ asked for cannot be had together.',
    mend: 'Try opaline certify, and change the series file.',
  }),
  BUDGET_EXCEEDED: refusal('custodian', {
    cause: 'The blocks or the year of the population have been charged up to the cap.',
    mend: 'Do not release, or have the cap raised in a reviewed change: opaline ledger show.',
  }),
  NEEDS_CORRECTION: refusal('operator', {
    cause: 'An object changed under a partition that has been drawn, which takes a new version with a new charge.',
    mend: 'Put the old object back and retry, or let the release end and correct it.',
  }),
  ACTION_NOT_OFFERED: refusal('operator', {
    cause: 'The release has moved on, or somebody else was faster.',
    mend: 'Look at it with opaline show.',
  }),
  VERDICT_FAIL: refusal('release manager', {
    cause: 'An attack of the audit succeeded; nobody can approve the release.',
    mend: 'Read the audit. If the series declares a service wrongly, opaline reaudit; else reject the release.',
  }),
  ATTENTION_NOT_ACKNOWLEDGED: refusal('release manager', {
    cause: 'The approval was signed without reading the attention points.',
    mend: 'Approve with --acknowledge for each of them.',
  }),
  DIGEST_STALE: refusal('release manager', {
    cause: 'The decision was signed over another manifest than the one at the gate.',
    mend: 'Look at the release and decide again.',
  }),
  SUBJECT_UNKNOWN: refusal('release manager', {
    cause: 'The key was changed, or the person is no longer an approver in the series file.',
    mend: 'Add the public key to the series file and apply it.',
  }),
  SUBJECT_IS_CUSTODIAN: refusal('release manager', {
    cause: 'The person is named on both sides, and a custodian of the raw data cannot decide at the gate.',
    mend: 'Let another approver decide.',
  }),
  OWN_RELEASE: refusal('release manager', {
    cause: 'The person is recorded as having started it; the trust file says that they cannot approve it, then.',
    mend: 'Let another approver decide.',
  }),
  SIGNATURE_INVALID: refusal('release manager', {
    cause: 'Another key signed, or the statement was changed.',
    mend: 'Sign again with the key of the approver.',
  }),
  ALREADY_DECIDED: refusal('release manager', {
    cause: 'The same person decided on this manifest twice.',
    mend: 'Let another approver decide, if more are required.',
  }),
  TOO_MANY_REFUSALS: refusal('release manager', {
    cause: 'Somebody keeps handing in bad decisions: the gate has recorded fifty refusals and takes no more.',
    mend: 'Find out who; withdraw the release and take a new version.',
  }),
  RANDOMNESS_REFUSED: refusal('platform team', {
    cause: 'A seeded source was configured; a production worker takes its randomness from the operating system only.',
    mend: 'Take it out and start the worker again.',
  }),
  STORE_UNSAFE: refusal('platform team', {
    cause: 'The server ignores conditional writes, or loses races, so that two writers can win the same key.',
    mend: 'Use one that honours them; see the runbook.',
  }),
  // what the custodian side refuses, whoever asks (C11a, C12)
  POLICY_INVALID: badInput('custodian', {
    cause: 'The policy file was changed without a check.',
    mend: 'Mend the fields that the message names: opaline check policy.yaml.',
  }),
  POLICY_REFUSED: refusal('custodian', {
    cause: 'The series asks for another source, unit, mechanism or more budget than the policy names.',
    mend: 'Change the series file, or have the policy changed by the custodian.',
  }),
  SERIES_UNSIGNED: refusal('custodian', {
    cause: 'The series file was changed and not signed again by a key of the policy, or its signature was revoked.',
    mend: 'Have it signed: opaline series sign.',
  }),
  ORDER_MISSING: refusal('custodian', {
    cause:
      'It is a further version, a correction or an old window, or its deliveries are not cleared, and no key of the policy has ordered it.',
    mend: 'Have it ordered: opaline order; then take the release up again.',
  }),
  NOT_CHARGED: refusal('operator', {
    cause: 'A stage was asked for before its charge, or for what the charge does not cover.',
    mend: 'Retry; if that does not help, find out who started it.',
  }),
  LEDGER_BEHIND: refusal('custodian', {
    cause: 'A store or a file was restored from an older backup, or the ledger is of an older build.',
    mend: 'Follow the runbook ledger-behind: opaline ledger takeover.',
  }),
  TRUST_BEHIND: transient('operator', {
    cause: 'Keys were changed, and this process, or its host, does not have the new file yet.',
    mend: 'Put the newest trust file, policy and key beside its deployment; a worker reads them without a new start.',
  }),
  COPY_DIFFERS: mismatch('platform team', {
    cause: 'Somebody wrote into the store: an object is not the one that a worker puts there.',
    mend: 'Find out who, take the object away or put the right one back, then retry; it costs nothing.',
  }),
  // verification
  VERIFICATION_FAILED: mismatch('nobody', {
    cause: 'Files of the publication were damaged or changed by somebody else.',
    mend: 'Copy them again; if that does not help, find out who writes there.',
  }),
  LEDGER_BROKEN: mismatch('platform team', {
    cause: 'An entry of the hash chain was changed or lost.',
    mend: 'Restore it byte for byte, then opaline ledger verify.',
  }),
  // machines
  STORE_UNAVAILABLE: transient('nobody', {
    cause: 'The store was restarted, or the network is down.',
    mend: 'It is tried again by itself; when the store answers, retry.',
  }),
  SERVER_UNAVAILABLE: transient('operator', {
    cause: 'Temporal or the public worker is down.',
    mend: 'Start it; nothing is lost meanwhile.',
  }),
  STAGE_TIMED_OUT: transient('platform team', {
    cause: 'The machine of a worker is too slow or too busy for a release of this size, or the stage hangs.',
    mend: 'Look at the load of that machine, make room on it, then retry.',
  }),
  WORKER_LOST: transient('operator', {
    cause: 'The process of a worker was ended during a stage, often for want of memory, or it lost its connection.',
    mend: 'Look at the end of its log and at the memory of its machine, then retry.',
  }),
  SETUP_FAILED: rows(EXIT.unexpected)('operator', {
    cause: 'A download or an installation did not work.',
    mend: 'Read the message and install it by hand.',
  }),
  OUT_OF_SCRATCH: transient('operator', {
    cause: 'The scratch disk of a worker is full, or all objects together need more memory than is allowed.',
    mend: 'Free some space or raise memoryMiB, then retry.',
  }),
  NOTICE_FAILED: transient('operator', {
    cause: 'The mail server or the receiver of a webhook is away, or refuses what it is sent; it holds nothing up.',
    mend: 'Look at notices, or warnings, in the deployment file and at the receiver; it is sent again for a while.',
  }),
  PROCESS_ENDED: transient('operator', {
    cause:
      'The process of a stage took more memory or time than its worker allows, or was killed; the log of the worker says which.',
    mend: 'Give the worker more (process.memoryMiB, process.minutes), or mend what kills its processes, then retry.',
  }),
  UNEXPECTED: transient('operator', {
    cause: 'A mistake in the software or in its surroundings; the details are kept under the id in the message.',
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

/** For a `catch`: null instead of an error of this code; every other one is rethrown. */
export const nullOn =
  (code: ErrorCode) =>
  (error: unknown): null => {
    if (error instanceof OpalineError && error.code === code) return null;
    throw error;
  };

/** What is computed; null instead of an error of this code. */
export function nullAt<Value>(code: ErrorCode, compute: () => Value): Value | null {
  try {
    return compute();
  } catch (error) {
    return nullOn(code)(error);
  }
}
