import type { Decision } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { REFUSALS_MAX } from '../../contracts/stage-limits.ts';
import type { DecideInput, DecideResult } from '../../contracts/stages.ts';
import { newestDeciders } from '../decisions/deciders.ts';
import { putDecisionRecord, putRefusalRecord, readDecisionRecord } from '../decisions/decision-record.ts';
import {
  type Deciders,
  isSignedByApprover,
  type KeyedApprover,
  keyIdOfPem,
  keysOf,
  type Refusal,
  signerOf,
} from '../signing/approver.ts';
import { envelopeDigest, isOverManifest, readDecision } from '../signing/decision.ts';
import type { PublicContext } from './context.ts';

const TOO_MANY: DecideResult = {
  accepted: false,
  recorded: false,
  code: 'TOO_MANY_REFUSALS',
  message: 'The gate has recorded fifty refusals and takes no more decisions; talk to the operators.',
};

/**
 * Checks a signed decision and keeps it, or answers why it is refused. A refusal is recorded, and counts, when an approver
 * has signed the decision, over this manifest and for this action: anybody can send the rest, and it leaves no trace. It
 * throws only when a store fails.
 *
 * Safe to run twice: a decision that was kept is answered from its record, whatever has changed since, so that a retry
 * after a crash gives the first answer and not ALREADY_DECIDED. The same envelope sent again later gets that answer
 * too: whoever counts decisions counts distinct subjects.
 *
 * @contract C16
 * @contract safe-to-retry
 */
export async function decide(context: PublicContext, input: DecideInput): Promise<DecideResult> {
  const read = readStatement(input);
  if ('refusal' in read) return unrecorded(read.refusal);
  const { decision } = read;
  const misplaced = staleness(input, decision) ?? wrongAction(input, decision);
  if (misplaced) return unrecorded(misplaced);
  if (await readDecisionRecord(context.releaseStore, input, envelopeDigest(input.envelope)))
    return accepted(input, decision);

  const { deciders, seriesDigest } = await newestDeciders(context.releaseStore, input);
  const signer = signerOf(deciders, decision, input.envelope);
  if ('code' in signer && !isSignedByApprover(deciders, decision, input.envelope)) return unrecorded(signer);
  if (input.refusals >= REFUSALS_MAX) return TOO_MANY;
  const refusal = 'code' in signer ? signer : judge(deciders, input, decision, signer);
  if (refusal) return refuse(context, input, decision, refusal);
  const { envelope, note } = input;
  await putDecisionRecord(context.releaseStore, input, { envelope, note, seriesDigest });
  return accepted(input, decision);
}

const unrecorded = (refusal: Refusal): DecideResult => ({ accepted: false, recorded: false, ...refusal });

function accepted({ envelope }: DecideInput, { predicate }: Decision): DecideResult {
  const { subject, decision, reason } = predicate;
  return { accepted: true, subject, decision, reason, digest: envelopeDigest(envelope) };
}

async function refuse(
  { releaseStore }: PublicContext,
  input: DecideInput,
  { predicate: { subject } }: Decision,
  refusal: Refusal,
): Promise<DecideResult> {
  const record = { code: refusal.code, subject, envelope: input.envelope };
  await putRefusalRecord(releaseStore, input, input.refusals + 1, record);
  return { accepted: false, recorded: true, ...refusal };
}

function readStatement({ envelope }: DecideInput): { decision: Decision } | { refusal: Refusal } {
  try {
    return { decision: readDecision(envelope) };
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    return { refusal: { code: error.code, message: error.message } };
  }
}

/** A decision on another manifest, or another release, says nothing about this one. */
function staleness(input: DecideInput, decision: Decision): Refusal | null {
  if (isOverManifest(decision, input, input.manifestDigest)) return null;
  return { code: 'DIGEST_STALE', message: 'The decision names another manifest than the one at the gate; look again.' };
}

function wrongAction({ action }: DecideInput, { predicate }: Decision): Refusal | null {
  if (predicate.decision === action) return null;
  const message = `The signed statement says ${predicate.decision}, but it was sent to ${action} the release.`;
  return { code: 'SIGNATURE_INVALID', message };
}

/** Why a decision that an approver has signed, on the right manifest, does not count; null when it does. */
function judge(deciders: Deciders, input: DecideInput, decision: Decision, signer: KeyedApprover): Refusal | null {
  if (hasDecided(deciders, input.decided, signer))
    return { code: 'ALREADY_DECIDED', message: 'The subject has decided on this manifest before.' };
  return input.action === 'approve' ? whyNoApproval(input, decision) : null;
}

/** One person, one decision: neither the subject nor anyone with the same key has decided before. */
function hasDecided(deciders: Deciders, decided: readonly string[], signer: KeyedApprover): boolean {
  const keyid = keyIdOfPem(signer.key);
  return decided.some(
    (subject) =>
      subject === signer.subject || keysOf(deciders, subject).some((other) => keyIdOfPem(other.key) === keyid),
  );
}

function whyNoApproval({ verdict, attention }: DecideInput, { predicate }: Decision): Refusal | null {
  if (verdict === 'fail')
    return { code: 'VERDICT_FAIL', message: 'The audit failed; nobody can approve this release.' };
  const missing = attention.filter((point) => !predicate.acknowledged.includes(point));
  if (missing.length === 0) return null;
  return {
    code: 'ATTENTION_NOT_ACKNOWLEDGED',
    message: `The approval does not acknowledge ${missing.join(', ')}; read these points and name them.`,
  };
}
