import { type ErrorRow, EXIT_CODES } from './error-row.ts';

/** What the custodian side refuses, whoever asks (C11a, C12). */
export const CUSTODY_ERRORS = {
  POLICY_INVALID: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT_CODES.badInput,
    meaning: 'The policy file of the custodian has mistakes.',
    cause: 'The file was changed without a check.',
    mend: 'Mend the fields that the message names: opaline check policy.yaml.',
  },
  POLICY_REFUSED: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT_CODES.refused,
    meaning: 'The policy of the custodian does not allow this release.',
    cause: 'The series asks for another source, unit, mechanism or more budget than the policy names.',
    mend: 'Change the series file, or have the policy changed by the custodian.',
  },
  SERIES_UNSIGNED: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT_CODES.refused,
    meaning: 'No key of the policy has signed this series file, or its signature was revoked.',
    cause: 'The series file was changed and not signed again.',
    mend: 'Have it signed: opaline series sign.',
  },
  ORDER_MISSING: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT_CODES.refused,
    meaning: 'The policy allows the first version of each recent window; this release needs an order.',
    cause: 'It is a further version, a correction or an old window, and no key of the policy has ordered it.',
    mend: 'Have it ordered: opaline order; then take the release up again.',
  },
  NOT_CHARGED: {
    retryable: false,
    actor: 'operator',
    exit: EXIT_CODES.refused,
    meaning: 'The private worker answers for what stands in the ledger only, and this release does not.',
    cause: 'A stage was asked for before its charge, or for what the charge does not cover.',
    mend: 'Retry; if that does not help, find out who started it.',
  },
  LEDGER_BEHIND: {
    retryable: false,
    actor: 'custodian',
    exit: EXIT_CODES.refused,
    meaning:
      'The ledger of the private store is behind its copies, its mark, or the policy that it names; or an entry has a form that this build does not read.',
    cause: 'A store or a file was restored from an older backup, or the ledger is of an older build.',
    mend: 'Follow the runbook ledger-behind: opaline ledger takeover.',
  },
  COPY_DIFFERS: {
    retryable: false,
    actor: 'platform team',
    exit: EXIT_CODES.verificationFailed,
    meaning: 'An object of a store is not the one that a worker puts there.',
    cause: 'Somebody wrote into the store.',
    mend: 'Find out who, take the object away or put the right one back, then retry; it costs nothing.',
  },
} as const satisfies Record<string, ErrorRow>;
