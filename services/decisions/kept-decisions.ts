import type { Decision, Envelope } from '../../contracts/decision.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { AuditResult, KeptDecision } from '../../contracts/stages.ts';
import { countedCredential } from '../signing/credential.ts';
import { envelopeDigest, isOverManifest, readDecision } from '../signing/decision-statement.ts';
import type { Refusal } from '../trust/trusted-approvers.ts';
import { keptEnvelopes } from './decision-record.ts';
import { type Gate, judgedSigner } from './gate-signers.ts';
import { gateTurns } from './gate-turns.ts';

/** A release with the audit that people decide on. */
type Audited = ReleaseReference & Omit<AuditResult, 'firstVerdict'>;

/** What people have decided at the gate of a release, as the kept statements say. */
export type KeptGate = { decisions: KeptDecision[]; isWithdrawn: boolean; isReopened: boolean };

/**
 * The decisions on an audited manifest that are kept and count now, one for each person, and of two the rejection; one of
 * the time before a withdrawal does not. What somebody else has put there keeps nobody from deciding.
 *
 * @contract C16
 */
export async function keptDecisions(store: ObjectStore, gate: Gate, audited: Audited): Promise<KeptGate> {
  const about = { release: audited, manifestDigest: audited.manifestDigest, gate: 'publication' as const };
  const { withdrawals, reopenings } = await gateTurns(store, gate, about);
  const kept = new Map<string, KeptDecision>();
  for (const envelope of await keptEnvelopes(store, audited)) {
    const decision = keptDecision(gate, audited, envelope, withdrawals);
    if (decision && (decision.decision === 'reject' || !kept.has(decision.subject)))
      kept.set(decision.subject, decision);
  }
  return { decisions: [...kept.values()], isWithdrawn: withdrawals.length > 0, isReopened: reopenings.length > 0 };
}

/** A decision as it counts; null when it does not. */
function keptDecision(
  gate: Gate,
  audited: Audited,
  envelope: Envelope,
  withdrawals: readonly string[],
): KeptDecision | null {
  const read = readDecision(envelope);
  const { decision, reason, after } = read.predicate;
  if (!isOverManifest(read, audited, audited.manifestDigest) || read.predicate.gate !== 'publication') return null;
  if (decision !== 'reject' && (decision !== 'approve' || whyNoApproval(audited, read))) return null;
  const signer = judgedSigner(gate, read, envelope);
  if ('code' in signer || !withdrawals.every((turn) => after.includes(turn))) return null;
  return { ...countedCredential(signer), decision, reason, digest: envelopeDigest(envelope) };
}

/** Why an approval does not count that an approver signed; null when it does. */
export function whyNoApproval(
  { verdict, attention }: Pick<AuditResult, 'verdict' | 'attention'>,
  { predicate }: Decision,
): Refusal | null {
  if (verdict === 'fail')
    return { code: 'VERDICT_FAIL', message: 'The audit failed; nobody can approve this release.' };
  const missing = attention.filter((point) => !predicate.acknowledged.includes(point));
  if (missing.length === 0) return null;
  return {
    code: 'ATTENTION_NOT_ACKNOWLEDGED',
    message: `The approval does not acknowledge ${missing.join(', ')}; read these points and name them.`,
  };
}
