import type { Publication } from '../../activities/publication/publication.ts';
import { retractionSchema } from '../../activities/publication/retraction.ts';
import {
  ensure,
  Mismatch,
  sameNames,
  type VerificationCheck,
} from '../../activities/publication/verification-check.ts';
import { keyIdOfPem } from '../../activities/signing/approver.ts';
import { isOverManifest, readDecision } from '../../activities/signing/decision.ts';
import { isSignedBy } from '../../activities/signing/envelope.ts';
import { sha256 } from '../../activities/stores/json-objects.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import { attentionPoints, foldVerdicts } from '../../core/audit/verdict.ts';

/** A tombstone is put beside the files later; it is signed by itself. */
const published = (files: Publication['files']): string[] =>
  [...files.keys()].filter((name) => name !== FILES.retraction);

function checkRetraction({ files, manifestDigest }: Publication): string {
  const bytes = files.get(FILES.retraction);
  if (!bytes) return 'It has not been retracted, as far as this folder tells.';
  const tombstone = retractionSchema.parse(JSON.parse(bytes.toString('utf8')));
  ensure(tombstone.manifestDigest === manifestDigest, 'It holds the tombstone of another publication.');
  const who = tombstone.approvals.map(({ subject }) => subject).join(', ');
  throw new Mismatch(`It was retracted at ${tombstone.retractedAt} by ${who} (${tombstone.reasons.join(', ')}).`);
}

function checkChecksums({ files, others }: Publication): string {
  const text = files.get(FILES.checksums)?.toString('utf8') ?? '';
  const lines = text.split('\n').slice(0, -1);
  const listed = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  ensure(others.length === 0, `The folder holds what no publication has: ${others.join(', ')}.`);
  ensure(
    listed.size === lines.length && sameNames([...listed.keys(), FILES.checksums], published(files)),
    'SHA256SUMS does not list exactly the files of the folder.',
  );
  const wrong = [...listed].filter(([name, digest]) => sha256(files.get(name) ?? '') !== digest).map(([name]) => name);
  ensure(wrong.length === 0, `The checksum of ${wrong.join(', ')} is not the listed one.`);
  return `All ${listed.size} files have the listed checksums, and there is no other file.`;
}

/** Written after the manifest, so not in it. */
const OUTSIDE_MANIFEST: readonly string[] = [FILES.manifest, FILES.attestation, FILES.checksums];

function checkManifest({ files, manifest }: Publication): string {
  const staged = published(files).filter((name) => !OUTSIDE_MANIFEST.includes(name));
  const names = manifest.files.map(({ name }) => name);
  ensure(
    sameNames(names, staged) && new Set(names).size === names.length,
    'The manifest does not list exactly the files that were approved.',
  );
  const wrong = manifest.files.filter(({ name, sha256: digest, bytes }) => {
    const file = files.get(name);
    return file?.length !== bytes || sha256(file) !== digest;
  });
  ensure(wrong.length === 0, `Not as the manifest has it: ${wrong.map(({ name }) => name).join(', ')}.`);
  return `All ${names.length} approved files are as the manifest has them.`;
}

function checkAttestation({ manifest, manifestDigest, attestation }: Publication): string {
  const { subject, predicate } = attestation;
  const release = releasePath(manifest);
  ensure(
    subject[0]?.digest.sha256 === manifestDigest && subject[0].name === `${release}/${FILES.manifest}`,
    'The attestation is about another manifest.',
  );
  ensure(
    predicate.release === release && predicate.seriesDigest === manifest.seriesDigest,
    'The attestation is about another release or series file.',
  );
  return `The attestation is about this manifest, published at ${predicate.publishedAt}.`;
}

function checkSignatures({ manifest, manifestDigest, attestation }: Publication): string {
  const { approvals } = attestation.predicate;
  for (const { subject, publicKey, envelope } of approvals) {
    ensure(isSignedBy(envelope, publicKey), `The signature of ${subject} is not of the key that is named for it.`);
    const decision = readDecision(envelope);
    const { predicate } = decision;
    ensure(predicate.subject === subject, `The decision of ${subject} was signed in another name.`);
    ensure(predicate.decision === 'approve', `${subject} did not approve.`);
    ensure(isOverManifest(decision, manifest, manifestDigest), `${subject} decided on another manifest.`);
  }
  return `All ${approvals.length} signatures are valid approvals of this manifest.`;
}

function checkApprovers({ attestation }: Publication): string {
  const { approvals, required } = attestation.predicate;
  const keys = new Set(approvals.map(({ publicKey }) => keyIdOfPem(publicKey)));
  const subjects = new Set(approvals.map(({ subject }) => subject));
  ensure(
    keys.size === approvals.length && subjects.size === approvals.length,
    'One approver, or one key, is counted more than once.',
  );
  ensure(approvals.length >= required, `There are ${approvals.length} approvals, but ${required} are required.`);
  const who = approvals.map(({ subject, publicKey }) => `${subject} (key ${keyIdOfPem(publicKey).slice(0, 16)})`);
  return `Approved by ${who.join(', ')}; ${required} required. Compare the keys with those that you know.`;
}

/** Counts the approvals of keys that the reader knows: the files alone cannot say whose keys they name. */
export function trusting(keyIds: readonly string[]): VerificationCheck {
  const check = ({ attestation }: Publication): string => {
    const { approvals, required } = attestation.predicate;
    const known = approvals.filter(({ publicKey }) => keyIds.includes(keyIdOfPem(publicKey)));
    ensure(
      new Set(known.map(({ publicKey }) => keyIdOfPem(publicKey))).size >= required,
      `${known.length} of ${approvals.length} approvals are of keys that you trust, but ${required} are required.`,
    );
    return `Approved with keys that you trust by ${known.map(({ subject }) => subject).join(', ')}.`;
  };
  return { id: 'trust', check };
}

function checkAudit({ audit, attestation }: Publication): string {
  ensure(foldVerdicts(audit.checks) === audit.verdict, 'The verdict of the audit is not that of its checks.');
  ensure(audit.verdict !== 'fail', 'The audit of this release failed.');
  const points = attentionPoints(audit);
  for (const { subject, envelope } of attestation.predicate.approvals) {
    const { acknowledged } = readDecision(envelope).predicate;
    const missing = points.filter((point) => !acknowledged.includes(point));
    ensure(missing.length === 0, `${subject} did not acknowledge ${missing.join(', ')}.`);
  }
  return `The verdict of the audit is ${audit.verdict}${points.length > 0 ? `; acknowledged: ${points.join(', ')}` : ''}.`;
}

/** What is checked of every publication, in the order of the report: a closed list shows what is not checked. */
export const VERIFICATION_CHECKS: readonly VerificationCheck[] = [
  { id: 'checksums', check: checkChecksums },
  { id: 'retraction', check: checkRetraction },
  { id: 'manifest', check: checkManifest },
  { id: 'attestation', check: checkAttestation },
  { id: 'signatures', check: checkSignatures },
  { id: 'approvers', check: checkApprovers },
  { id: 'audit', check: checkAudit },
];
