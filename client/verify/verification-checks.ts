import { TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { FILES, releasePath } from '../../contracts/names.ts';
import { countElsewhere } from '../../contracts/passkey.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { capsInWords } from '../../core/ledger/window-versions.ts';
import { attentionPoints, foldVerdicts } from '../../core/verdict/verdict.ts';
import { readAttestation } from '../../services/publication/attestation-file.ts';
import { checksumLines } from '../../services/publication/checksums.ts';
import type { Publication } from '../../services/publication/publication.ts';
import {
  chargePlace,
  ensureDecisions,
  ensureDistinct,
  ensureTombstone,
} from '../../services/publication/publication-rules.ts';
import { type Retraction, readRetraction } from '../../services/publication/retraction.ts';
import { keyIdOfApproval } from '../../services/publication/signed-file.ts';
import { ensure, Mismatch, type VerificationCheck } from '../../services/publication/verification-check.ts';
import { authenticatorWords } from '../../services/signing/credential.ts';
import { readDecision } from '../../services/signing/decision-statement.ts';
import { isSignedBy } from '../../services/signing/envelope.ts';
import { keyIdOfPem } from '../../services/signing/keys.ts';
import { jsonBytes, sha256 } from '../../services/stores/json-objects.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { checkDescription } from './check-description.ts';

/** A tombstone is put beside the files later; it is signed by itself. */
const listFiles = (files: Publication['files']): string[] =>
  [...files.keys()].filter((name) => name !== FILES.retraction);

/** Anybody can put a file there: who is named in it is named to people when the signatures are theirs alone. */
function checkRetraction(publication: Publication, trust: TrustChain | null): string {
  const { manifestDigest } = publication;
  if (!publication.files.has(FILES.retraction))
    return `The manifest ${manifestDigest.slice(0, 16)}… has not been retracted, as far as this folder tells.`;
  let tombstone: Retraction;
  try {
    tombstone = readRetraction(publication.json(FILES.retraction));
    ensureTombstone(publication, tombstone, trust);
  } catch {
    throw new Mismatch(
      'The tombstone in the folder is nobody’s: its publisher and approvers have not signed it. It retracts nothing; take it away.',
    );
  }
  const { retractedAt, reasons } = tombstone.publisher.statement;
  const who = trust ? tombstone.approvals.map(({ subject }) => subject).join(', ') : 'keys that belong to nobody';
  throw new Mismatch(`It was retracted at ${retractedAt} by ${who} (${reasons.join(', ')}).`);
}

/** Names that are in only one of two lists, or twice in the first. */
function notInBoth(list: readonly string[], there: readonly string[]): string[] {
  const [names, files] = [new Set(list), new Set(there)];
  const wrong = list.filter((name, at) => !files.has(name) || list.indexOf(name) < at);
  return [...wrong, ...there.filter((name) => !names.has(name))];
}

/** Every byte counts: the list is the one that these files give, in the one form in which it is written. */
function checkChecksums({ files, others }: Publication): string {
  const text = files.get(FILES.checksums)?.toString('utf8') ?? '';
  const lines = text.split('\n').slice(0, -1);
  const names = lines.map((line) => line.slice(66));
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  ensure(others.length === 0, `The folder holds what no publication has: ${others.join(', ')}.`);
  const stray = notInBoth([...names, FILES.checksums], listFiles(files));
  ensure(stray.length === 0, `SHA256SUMS does not list exactly the files of the folder: ${stray.join(', ')}.`);
  const wrong = [...sums].filter(([name, digest]) => sha256(files.get(name) ?? '') !== digest).map(([name]) => name);
  ensure(wrong.length === 0, `The checksum of ${wrong.join(', ')} is not the listed one.`);
  ensure(text === checksumLines(sums), 'SHA256SUMS is not written as it is published: a line has other separators.');
  return `All ${sums.size} files have the listed checksums, and there is no other file.`;
}

/** Written after the manifest, so not in it. */
const OUTSIDE_MANIFEST: readonly string[] = [FILES.manifest, FILES.attestation, FILES.checksums];

function checkManifest(publication: Publication): string {
  const { files, manifest } = publication;
  const rest = listFiles(files).filter((name) => !OUTSIDE_MANIFEST.includes(name));
  const names = manifest.files.map(({ name }) => name);
  const stray = notInBoth(names, rest);
  ensure(stray.length === 0, `The manifest does not list exactly the files that were approved: ${stray.join(', ')}.`);
  const wrong = manifest.files.filter(({ name, sha256: digest, bytes }) => {
    const file = files.get(name);
    return file?.length !== bytes || sha256(file) !== digest;
  });
  ensure(wrong.length === 0, `Not as the manifest has it: ${wrong.map(({ name }) => name).join(', ')}.`);
  // Two keys of one name, or blanks, would say more than whoever parses the file sees.
  const variants = names.filter((name) => /\.json(ld)?$/.test(name) && !isCanonical(publication, name));
  ensure(variants.length === 0, `Not in its one form, which is canonical JSON: ${variants.join(', ')}.`);
  return `All ${names.length} approved files are as the manifest has them, and JSON is canonical.`;
}

const isCanonical = (publication: Publication, name: string): boolean =>
  publication.files.get(name)!.equals(jsonBytes(publication.json(name)));

function checkAttestation(publication: Publication): string {
  const { files, manifest, manifestDigest } = publication;
  const value = publication.json(FILES.attestation);
  ensure(files.get(FILES.attestation)!.equals(jsonBytes(value)), 'attestation.json is not in its one form.');
  const { release, seriesDigest, publishedAt, publisher, ...about } = readAttestation(value);
  ensure(about.manifestDigest === manifestDigest, 'The attestation is about another manifest.');
  ensure(
    release === releasePath(manifest) && seriesDigest === manifest.seriesDigest,
    'The attestation is about another release or series file.',
  );
  const { policyDigest, ledger, trust } = publisher.statement;
  ensure(
    canonicalJson([policyDigest, ledger, trust]) ===
      canonicalJson([manifest.policyDigest, manifest.ledger, manifest.trust]),
    'The attestation and the manifest name another policy, ledger or trust file.',
  );
  ensure(
    isSignedBy(publisher.envelope, publisher.publicKey),
    'The signature of the publisher is not of the key that is named for it.',
  );
  const reserve = chargePlace(publication, null);
  ensure(
    ledger.sequence >= reserve.sequence,
    'The ledger ended before the charge of the release when its manifest was made.',
  );
  ensure(
    manifest.texts.form !== TEXTS_FORM || manifest.texts.versions.at(-1) === capsInWords(reserve),
    'The manifest names other caps than the charge was held against.',
  );
  return `The publisher signed that this manifest was published at ${publishedAt} (key ${shortId(publisher.publicKey)}).`;
}

/** The first characters of a key's id, as people compare them. */
const shortId = (publicKey: string): string => keyIdOfPem(publicKey).slice(0, 16);

function checkSignatures(publication: Publication): string {
  const { approvals, publisher } = publication.attestation;
  ensureDecisions(publication, approvals, 'approve');
  for (const [index, approval] of approvals.entries()) {
    const { subject, envelope } = approval;
    ensure(
      publisher?.statement.approvers[index]?.keyid === keyIdOfApproval(approval),
      `The publisher signed another key of ${subject}.`,
    );
    ensure(
      readDecision(envelope).predicate.ledger.sequence >= publisher.statement.ledger.sequence,
      `${subject} decided before the release was at its gate.`,
    );
  }
  return `All ${approvals.length} signatures are valid approvals of this manifest.`;
}

function checkApprovers({ attestation }: Publication): string {
  const { approvals, required } = attestation;
  ensureDistinct(approvals);
  const quorum = Math.max(required, ...approvals.map(({ envelope }) => readDecision(envelope).predicate.required));
  ensure(approvals.length >= quorum, `There are ${approvals.length} approvals, but ${quorum} are required.`);
  ensure(required >= quorum, `The attestation asks for ${required} approvals, and those who approved for ${quorum}.`);
  const who = approvals.map((approval) => {
    const { subject, passkey, envelope } = approval;
    const how = passkey && `, ${authenticatorWords(envelope, passkey)}`;
    return `${subject} (key ${keyIdOfApproval(approval).slice(0, 16)}${how ?? ''})`;
  });
  const parties = approvals.map(({ subject, passkey }) => ({ subject, relyingParty: passkey?.relyingParty ?? null }));
  const host =
    countElsewhere(parties) === 0
      ? ' All rest on the host of one page, which may have shown another statement than was signed.'
      : '';
  return `Approved by ${who.join(', ')}; ${required} required. Whose keys these are, a trust file says.${host}`;
}

function checkAudit(publication: Publication): string {
  const { audit, attestation } = publication;
  ensure(foldVerdicts(audit.checks) === audit.verdict, 'The verdict of the audit is not that of its checks.');
  ensure(audit.verdict !== 'fail', 'The audit of this release failed.');
  const points = attentionPoints(audit);
  for (const { subject, envelope } of attestation.approvals) {
    const { acknowledged } = readDecision(envelope).predicate;
    const gaps = points.filter((point) => !acknowledged.includes(point));
    ensure(gaps.length === 0, `${subject} did not acknowledge ${gaps.join(', ')}.`);
  }
  const [first, second] = publication.audits;
  const before = second ? `An earlier audit said ${first.verdict}; the declaration was corrected. ` : '';
  return `${before}The verdict of the audit is ${audit.verdict}${points.length > 0 ? `; acknowledged: ${points.join(', ')}` : ''}.`;
}

/** What is checked of every publication, in the order of the report: a closed list shows what is not checked. */
export const verificationChecks = (trust: TrustChain | null): readonly VerificationCheck[] => [
  { id: 'checksums', check: checkChecksums },
  { id: 'retraction', check: (publication) => checkRetraction(publication, trust) },
  { id: 'manifest', check: checkManifest },
  { id: 'description', check: checkDescription },
  { id: 'attestation', check: checkAttestation },
  { id: 'signatures', check: checkSignatures },
  { id: 'approvers', check: checkApprovers },
  { id: 'audit', check: checkAudit },
];
