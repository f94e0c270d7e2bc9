import type { AuditReport } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseReference } from '../../contracts/names.ts';
import { type CountedDecision, countElsewhere, lastNeeded } from '../../contracts/passkey.ts';
import type { FAVOUR, GateKind } from '../../contracts/release-state.ts';
import { attentionPoints } from '../../core/verdict/verdict.ts';
import { type Approval, approvalOf, keyIdOfApproval } from '../publication/signed-file.ts';
import { ownerOf } from '../signing/credential.ts';
import { isOverManifest, readDecision } from '../signing/decision-statement.ts';
import { peopleAmong } from '../signing/subjects.ts';
import { elsewhereAt } from '../trust/trusted-approvers.ts';
import { readDecisionRecord } from './decision-record.ts';
import { type Gate, judgeSigner, requireArrival } from './gate-signers.ts';
import { gateTurns } from './gate-turns.ts';

/** Decisions that people made on one manifest, by the digests of their envelopes. */
type Decided = ReleaseReference & { manifestDigest: string; decisions: readonly string[] };

/** The decisions under which something may be done, how many of them it needs, and when that number was reached. */
export type CheckedDecisions = { approvals: Approval[]; required: number; enoughSince: string };

/**
 * The approvals under which a release may be published, checked from the stored envelopes once more: what the workflow
 * says of them is not believed. Throws VERIFICATION_FAILED when the audit failed, when an envelope is not a valid
 * approval of this manifest, or when there are fewer distinct approvers than are required.
 *
 * @contract C16
 */
export async function requireApprovals(
  gate: Gate,
  release: Decided,
  audit: AuditReport,
  quorum: number,
): Promise<CheckedDecisions> {
  if (audit.verdict === 'fail') throw refusal('its audit failed');
  return requireDecisions(gate, release, 'approve', quorum, attentionPoints(audit));
}

/**
 * The decisions of one kind on a manifest, checked in the same way, in the order of the subjects; each has to
 * acknowledge all of `points`. As many are required as the caller says, or as one of the people who signed asks for.
 * Throws VERIFICATION_FAILED.
 *
 * @contract C16
 */
export async function requireDecisions(
  gate: Gate,
  release: Decided,
  kind: (typeof FAVOUR)[GateKind],
  least: number,
  points: readonly string[] = [],
): Promise<CheckedDecisions> {
  const turns = await gateTurns(gate, { ...release, gate: kind === 'approve' ? 'publication' : 'retraction' });
  const approvals: Approval[] = [];
  const arrivals: (CountedDecision & { arrivedAt: string })[] = [];
  let required = least;
  let elsewhere = 0;
  for (const digest of [...new Set(release.decisions)]) {
    const record = await readDecisionRecord(gate.releaseStore, release, digest);
    if (!record)
      throw new OpalineError('COPY_DIFFERS', 'A decision that was kept is not there; put it back, and retry.');
    const { envelope } = record;
    const decision = readDecision(envelope);
    if (!isOverManifest(decision, release)) throw refusal('a decision is on another manifest');
    if (decision.predicate.decision !== kind) throw refusal(`a decision does not say ${kind}`);
    const signer = judgeSigner(gate, decision, envelope);
    if ('code' in signer) throw refusal(`a decision does not count (${signer.code}: ${signer.message})`);
    if (!points.every((point) => decision.predicate.acknowledged.includes(point)))
      throw refusal('an approval leaves out an attention point');
    const withdrawal = turns.withdrawals.find((one) => !decision.predicate.after.includes(one));
    if (withdrawal) throw refusal('a decision is of the time before somebody withdrew');
    approvals.push(approvalOf(signer, envelope));
    arrivals.push({ ...ownerOf(signer), arrivedAt: requireArrival(gate, decision, record) });
    required = Math.max(required, decision.predicate.required);
    elsewhere = Math.max(elsewhere, decision.predicate.elsewhere);
  }
  approvals.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  const keys = new Set(approvals.map(keyIdOfApproval));
  const people = Math.min(peopleAmong(approvals), keys.size);
  if (people < approvals.length) throw refusal('one approver is counted more than once');
  if (people < required) throw refusal(`it needs ${required} distinct approvers and has ${people}`);
  elsewhere = Math.max(elsewhere, elsewhereAt(gate, required));
  const last = lastNeeded(arrivals, { required, elsewhere });
  if (!last)
    throw refusal(
      `it needs ${elsewhere} approvals made elsewhere than at one host, and has ${countElsewhere(arrivals)}`,
    );
  return { approvals, required, enoughSince: last.arrivedAt };
}

const refusal = (reason: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `Nothing of the publication is changed: ${reason}.`);
