import type { Decision } from '../../contracts/decision.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import type { AuditResult, Failure, KeptDecision } from '../../contracts/stages.ts';
import { ownerOf } from '../signing/credential.ts';
import { envelopeDigest, isOverManifest, readDecision } from '../signing/decision-statement.ts';
import { coolingAt } from '../trust/trusted-approvers.ts';
import { type DecisionRecord, readRecords } from './decision-record.ts';
import { arrivalAt, type Gate, judgeSigner } from './gate-signers.ts';
import { turnsOf } from './gate-turns.ts';

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
export async function listDecisions(gate: Gate, release: Audited): Promise<KeptGate> {
  const records = await readRecords(gate.releaseStore, release);
  const { withdrawals, reopenings } = turnsOf(records, gate, { ...release, gate: 'publication' });
  const decisions = new Map<string, KeptDecision>();
  for (const record of records) {
    const decision = judgeDecision(gate, release, record, withdrawals);
    if (decision && (decision.decision === 'reject' || !decisions.has(decision.subject)))
      decisions.set(decision.subject, decision);
  }
  return { decisions: [...decisions.values()], isWithdrawn: withdrawals.length > 0, isReopened: reopenings.length > 0 };
}

/** A decision as it counts; null when it does not. */
function judgeDecision(
  gate: Gate,
  release: Audited,
  record: DecisionRecord,
  withdrawals: readonly string[],
): KeptDecision | null {
  const { envelope } = record;
  const statement = readDecision(envelope);
  const { decision, reason, after } = statement.predicate;
  if (!isOverManifest(statement, release) || statement.predicate.gate !== 'publication') return null;
  if (decision !== 'reject' && (decision !== 'approve' || whyNoApproval(release, statement))) return null;
  const signer = judgeSigner(gate, statement, envelope);
  if ('code' in signer || !withdrawals.every((turn) => after.includes(turn))) return null;
  const arrivedAt = arrivalAt(gate, statement, record);
  if (arrivedAt === null) return null;
  return {
    ...ownerOf(signer),
    decision,
    reason,
    digest: envelopeDigest(envelope),
    arrivedAt,
    coolingHours: coolingAt(gate),
  };
}

/** Why an approval does not count that an approver signed; null when it does. */
export function whyNoApproval(
  { verdict, attention }: Pick<AuditResult, 'verdict' | 'attention'>,
  { predicate }: Decision,
): Failure | null {
  if (verdict === 'fail')
    return { code: 'VERDICT_FAIL', message: 'The audit failed; nobody can approve this release.' };
  const points = attention.filter((point) => !predicate.acknowledged.includes(point));
  if (points.length === 0) return null;
  return {
    code: 'ATTENTION_NOT_ACKNOWLEDGED',
    message: `The approval does not acknowledge ${points.join(', ')}; read these points and name them.`,
  };
}
