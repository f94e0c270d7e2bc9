import type { AuditReport } from '../../contracts/audit.ts';
import type { DecisionKind } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Run } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import type { Approval } from '../publication/attestation.ts';
import { keyIdOfPem, signerOf } from '../signing/approver.ts';
import { isOverManifest, readDecision } from '../signing/decision.ts';
import { readSeries } from '../stores/series-objects.ts';
import { readDecisionRecord } from './decision-record.ts';

/** Decisions that people made on one manifest, by the digests of their envelopes. */
type Decided = Run & { manifestDigest: string; decisions: string[] };

/**
 * The approvals under which a release may be published, checked from the stored envelopes once more: what the workflow
 * says of them is not believed. Throws VERIFICATION_FAILED when the audit failed, when an envelope is not a valid
 * approval of this manifest, or when there are fewer than `required` distinct approvers.
 *
 * @contract C16
 */
export async function checkedApprovals(
  store: ObjectStore,
  input: Decided,
  audit: AuditReport,
  required: number,
): Promise<Approval[]> {
  if (audit.verdict === 'fail') throw refusal('its audit failed');
  const approvals = await checkedDecisions(store, input, 'approve', required);
  const points = attentionPoints(audit);
  for (const { envelope } of approvals)
    if (!points.every((point) => readDecision(envelope).predicate.acknowledged.includes(point)))
      throw refusal('an approval leaves out an attention point');
  return approvals;
}

/**
 * The decisions of one kind on a manifest, checked in the same way. Throws VERIFICATION_FAILED when one of them is of
 * another kind, or when there are fewer than `required` distinct approvers.
 *
 * @contract C16
 */
export async function checkedDecisions(
  store: ObjectStore,
  input: Decided,
  kind: Exclude<DecisionKind, 'reject'>,
  required: number,
): Promise<Approval[]> {
  const approvals: Approval[] = [];
  for (const digest of [...new Set(input.decisions)].sort())
    approvals.push(await checkedDecision(store, input, kind, digest));
  const subjects = new Set(approvals.map(({ subject }) => subject));
  const keys = new Set(approvals.map(({ publicKey }) => keyIdOfPem(publicKey)));
  if (Math.min(subjects.size, keys.size) < required)
    throw refusal(`it needs ${required} distinct approvers and has ${Math.min(subjects.size, keys.size)}`);
  return approvals;
}

async function checkedDecision(
  store: ObjectStore,
  input: Decided,
  kind: DecisionKind,
  digest: string,
): Promise<Approval> {
  const record = await readDecisionRecord(store, input, digest);
  if (!record) throw refusal('a decision that it names was never kept');
  const { envelope, seriesDigest } = record;
  const statement = readDecision(envelope);
  const { decision, subject } = statement.predicate;
  if (!isOverManifest(statement, input, input.manifestDigest)) throw refusal('a decision is on another manifest');
  if (decision !== kind) throw refusal(`a decision does not say ${kind}`);
  const signer = signerOf(await readSeries(store, { series: input.series, seriesDigest }), statement, envelope);
  if ('code' in signer) throw refusal(`a decision is not one of an approver (${signer.code})`);
  return { subject, publicKey: signer.key, seriesDigest, envelope };
}

const refusal = (reason: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `Nothing of the publication is changed: ${reason}.`);
