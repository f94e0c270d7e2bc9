import type { AuditReport } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { PublishInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { keyIdOfPem, signerOf } from '../signing/approver.ts';
import { readDecision } from '../signing/decision.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { Approval } from './attestation.ts';
import { readDecisionRecord } from './decision-record.ts';

/**
 * The approvals under which a release may be published, checked from the stored envelopes once more: what the workflow
 * says of them is not believed. Throws VERIFICATION_FAILED when the audit failed, when an envelope is not a valid
 * approval of this manifest, or when there are fewer than `required` distinct approvers.
 *
 * @contract C16
 */
export async function checkedApprovals(
  store: ObjectStore,
  input: PublishInput,
  audit: AuditReport,
  required: number,
): Promise<Approval[]> {
  if (audit.verdict === 'fail') throw refusal('its audit failed');
  const approvals: Approval[] = [];
  for (const digest of [...new Set(input.decisions)].sort())
    approvals.push(await checkedApproval(store, input, audit, digest));
  const subjects = new Set(approvals.map(({ subject }) => subject));
  const keys = new Set(approvals.map(({ publicKey }) => keyIdOfPem(publicKey)));
  if (Math.min(subjects.size, keys.size) < required)
    throw refusal(`it needs ${required} distinct approvers and has ${Math.min(subjects.size, keys.size)}`);
  return approvals;
}

async function checkedApproval(
  store: ObjectStore,
  input: PublishInput,
  audit: AuditReport,
  digest: string,
): Promise<Approval> {
  const record = await readDecisionRecord(store, input, digest);
  if (!record) throw refusal('a decision that it names was never kept');
  const { envelope, seriesDigest } = record;
  const statement = readDecision(envelope);
  const { release, decision, acknowledged, subject } = statement.predicate;
  if (release !== releasePath(input) || statement.subject[0]?.digest.sha256 !== input.manifestDigest)
    throw refusal('a decision is on another manifest');
  if (decision !== 'approve') throw refusal('a decision is no approval');
  if (!attentionPoints(audit).every((point) => acknowledged.includes(point)))
    throw refusal('an approval leaves out an attention point');
  const signer = signerOf(await readSeries(store, { series: input.series, seriesDigest }), statement, envelope);
  if ('code' in signer) throw refusal(`a decision is not one of an approver (${signer.code})`);
  return { subject, publicKey: signer.key, seriesDigest, envelope };
}

const refusal = (reason: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `The release is not published: ${reason}.`);
