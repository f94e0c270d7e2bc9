import type { Decision, Envelope } from '../../contracts/decision.ts';
import type { ErrorCode } from '../../contracts/errors.ts';
import type { Series } from '../../contracts/series.ts';
import { isSignedBy } from './envelope.ts';
import { keyIdOf, readPublicKey } from './keys.ts';

/** Who may decide: the part of a series file that says so. */
export type Deciders = Pick<Series, 'custodians'> & { gate: Pick<Series['gate'], 'approvers'> };

export type Refusal = { code: ErrorCode; message: string };

/** An approver whose key is in the series file, and so can be checked here. */
export type KeyedApprover = { subject: string; key: string };

/** The keys of a subject in the series file; none of an approver of an earlier build's file who has no key. */
export const keysOf = ({ gate }: Deciders, subject: string): KeyedApprover[] =>
  gate.approvers.flatMap((approver) =>
    approver.subject === subject && 'key' in approver ? [{ subject, key: approver.key }] : [],
  );

/** How many people can sign an approval: approvers with a key who are no custodians. */
export const signerCount = ({ custodians, gate }: Deciders): number =>
  new Set(
    gate.approvers
      .filter((approver) => 'key' in approver && !custodians.includes(approver.subject))
      .map(({ subject }) => subject),
  ).size;

/**
 * The approver who signed a decision, or why it does not count. The subject must be an approver and no custodian
 * (C16), and the one signature must be of a key that the series file names for that subject.
 */
export function signerOf(deciders: Deciders, decision: Decision, envelope: Envelope): KeyedApprover | Refusal {
  const { subject } = decision.predicate;
  if (deciders.custodians.includes(subject))
    return { code: 'SUBJECT_IS_CUSTODIAN', message: 'A custodian of the raw data cannot decide at the gate.' };
  if (!deciders.gate.approvers.some((approver) => approver.subject === subject))
    return { code: 'SUBJECT_UNKNOWN', message: 'The subject is not an approver of the series; ask who is.' };
  const signer = keysOf(deciders, subject).find(({ key }) => isSignedBy(envelope, key));
  return (
    signer ?? {
      code: 'SIGNATURE_INVALID',
      message: 'The signature is not of a key that the series names for the subject.',
    }
  );
}

/** Is the envelope signed with a key that the file names for the subject, whether or not the subject may decide? */
export const isSignedByApprover = (deciders: Deciders, { predicate }: Decision, envelope: Envelope): boolean =>
  keysOf(deciders, predicate.subject).some(({ key }) => isSignedBy(envelope, key));

export const keyIdOfPem = (pem: string): string => keyIdOf(readPublicKey(pem));
