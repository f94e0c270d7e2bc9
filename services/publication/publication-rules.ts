import type { Decision } from '../../contracts/decision.ts';
import type { LedgerTip, Numbered } from '../../contracts/formats/common.ts';
import { entrySchema } from '../../contracts/formats/ledger-entry.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { releasePath } from '../../contracts/names.ts';
import { countElsewhere } from '../../contracts/passkey.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import type { Reserve } from '../../core/ledger/budget.ts';
import { isSignedWith, ownerOf } from '../signing/credential.ts';
import { isOverManifest, readDecision } from '../signing/decision-statement.ts';
import { isSignedBy } from '../signing/envelope.ts';
import { keyIdOfPem } from '../signing/keys.ts';
import { findSigners, readDocument } from '../signing/signed-document.ts';
import { isSameSubject, peopleAmong } from '../signing/subjects.ts';
import {
  bindingVersion,
  elsewhereOf,
  findVersion,
  newestVersion,
  quorumOfTrust,
  type TrustChain,
} from '../trust/trust-chain.ts';
import { approversOfSeries, signerOf } from '../trust/trusted-approvers.ts';
import { isValidAt, keysValidAt, keyWithId, type LedgerPlace } from '../trust/trusted-keys.ts';
import type { Attestation } from './attestation-file.ts';
import { type Retraction, retractionWords } from './retraction.ts';
import { type Approval, credentialOf, keyIdOfApproval, type PublisherSignature } from './signed-file.ts';
import { ensure, Mismatch } from './verification-check.ts';

/** A publication as its attestation and its tombstone are judged, by the same rules: the functions throw Mismatch. */
export type JudgedPublication = { manifest: Manifest; manifestDigest: string; attestation: Attestation };

/**
 * Where a release was charged, as the ledger's entry in its attestation says. With a trust file the private worker has to
 * have signed the entry: nobody else can say that a release is older than a version of that file.
 *
 * @contract C16
 */
export function chargePlace(
  { manifest, attestation: { publisher } }: JudgedPublication,
  chain: TrustChain | null,
): Reserve {
  const entry = readDocument(publisher.reserve, entrySchema, 'entry of a ledger');
  ensure(
    entry.kind === 'reserve' &&
      entry.release === releasePath(manifest) &&
      entry.charge === manifest.charge &&
      entry.population === manifest.population,
    'The entry of the ledger in the attestation is that of another charge.',
  );
  const keys = chain && keysValidAt(newestVersion(chain).ledgers, entry);
  ensure(
    keys === null || findSigners(publisher.reserve, keys).size > 0,
    'The entry of the ledger in the attestation is not signed by the private worker of the trust file.',
  );
  return entry;
}

/** The publisher of a document is one of the trust file, at the tip of the ledger that the document names. */
export function ensurePublisher(
  chain: TrustChain,
  charge: LedgerPlace,
  { publicKey, statement }: PublisherSignature & { statement: { ledger: LedgerTip; trust: Numbered } },
): void {
  const { trust, ledger } = statement;
  const { organisation, publishers } = newestVersion(chain);
  ensure(
    findVersion(chain, trust) !== null,
    trust.number > chain.length
      ? `It was published under version ${trust.number} of the trust file, and yours ends at ${chain.length}; get the newer file.`
      : `It was published under another version ${trust.number} of the trust file than yours.`,
  );
  const key = keyWithId(publishers, keyIdOfPem(publicKey));
  ensure(key !== null, `The publisher's key is not one of ${organisation}.`);
  ensureAfter(charge, ledger);
  const place = { ...charge, sequence: ledger.sequence };
  ensure(isValidAt(key!, place), `The publisher's key is not valid at entry ${ledger.sequence} of the ledger.`);
}

/** Those who decided are approvers of the trust file at the tips that they name, and as many as have to decide. */
export function ensureApprovers(
  chain: TrustChain,
  { manifest, attestation }: JudgedPublication,
  charge: LedgerPlace,
  approvals: readonly Approval[],
): number {
  const approvers = approversOfSeries(newestVersion(chain), manifest.series);
  const signers = approvals.map(({ subject, envelope }) => {
    const decision = readDecision(envelope);
    const signer = signerOf(approvers, charge, decision, envelope);
    if ('code' in signer) throw new Mismatch(`${subject}: ${signer.message}`);
    ensure(isSameSubject(signer.subject, subject), `${subject} is not who decided, but ${signer.subject}.`);
    const { ledger, trust } = decision.predicate;
    ensureAfter(charge, ledger);
    ensure(findVersion(chain, trust) !== null, `${subject} decided under another trust file than yours.`);
    return signer;
  });
  const quorum = Math.max(attestation.required, quorumOfTrust(chain, charge));
  const minimum = Math.max(
    elsewhereOf(bindingVersion(chain, charge), quorum),
    ...approvals.map(({ envelope }) => readDecision(envelope).predicate.elsewhere),
  );
  const elsewhere = countElsewhere(signers.map(ownerOf));
  ensure(
    elsewhere >= minimum,
    `${minimum} approvals have to be made elsewhere than at one host of pages, and ${elsewhere} were.`,
  );
  ensure(
    peopleAmong(approvals) >= quorum,
    `${approvals.length} approvals are of keys that you trust, but ${quorum} are required.`,
  );
  return quorum;
}

const ensureAfter = ({ sequence }: LedgerPlace, ledger: LedgerTip): void =>
  ensure(
    ledger.sequence >= sequence,
    `It names entry ${ledger.sequence} of the ledger, and was charged at ${sequence}.`,
  );

/** Each decision is signed, by the person whom it names, and says this of the manifest. */
export function ensureDecisions(
  { manifest, manifestDigest }: JudgedPublication,
  approvals: readonly Approval[],
  kind: Decision['predicate']['decision'],
): void {
  for (const approval of approvals) {
    const { subject, envelope } = approval;
    ensure(
      isSignedWith(envelope, credentialOf(approval)),
      `The signature of ${subject} is not of the key that is named for it.`,
    );
    const decision = readDecision(envelope);
    const { predicate } = decision;
    ensure(isSameSubject(predicate.subject, subject), `The decision of ${subject} was signed in another name.`);
    ensure(predicate.decision === kind, `${subject} did not ${kind}.`);
    ensure(isOverManifest(decision, { ...manifest, manifestDigest }), `${subject} decided on another manifest.`);
  }
}

/** No person and no key is there twice. */
export function ensureDistinct(approvals: readonly Approval[]): void {
  const keys = new Set(approvals.map(keyIdOfApproval));
  ensure(
    Math.min(keys.size, peopleAmong(approvals)) === approvals.length,
    'One approver, or one key, is counted more than once.',
  );
}

/** An attestation is of this manifest, its signatures hold, and its publisher is one of the trust file. */
export function ensureAttestation(publication: JudgedPublication, chain: TrustChain): void {
  const { release, manifestDigest, publisher, approvals } = publication.attestation;
  ensure(
    release === releasePath(publication.manifest) && manifestDigest === publication.manifestDigest,
    'The attestation is of another publication.',
  );
  ensurePublisher(chain, chargePlace(publication, chain), publisher);
  ensure(isSignedBy(publisher.envelope, publisher.publicKey), 'The publisher has not signed the attestation.');
  ensureDecisions(publication, approvals, 'approve');
  const keys = approvals.map(keyIdOfApproval);
  const keyIds = publisher.statement.approvers.map(({ keyid }) => keyid);
  ensure(canonicalJson(keys) === canonicalJson(keyIds), 'The publisher signed other keys of approvers.');
}

/**
 * A tombstone is of this publication, its signatures hold, and with a trust file its publisher and as many approvers as
 * the publication needed are those of the file.
 *
 * @contract C16
 */
export function ensureTombstone(
  publication: JudgedPublication,
  { publisher, approvals }: Retraction,
  chain: TrustChain | null,
): void {
  const { release, manifestDigest, reasons, sentences } = publisher.statement;
  ensure(
    release === releasePath(publication.manifest) && manifestDigest === publication.manifestDigest,
    'The tombstone is of another publication.',
  );
  ensure(isSignedBy(publisher.envelope, publisher.publicKey), 'No publisher has signed the tombstone.');
  ensureDecisions(publication, approvals, 'retract');
  ensure(
    canonicalJson({ reasons, sentences }) === canonicalJson(retractionWords(approvals)),
    'The tombstone says something else than those who decided.',
  );
  ensureDistinct(approvals);
  if (chain === null) return;
  const charge = chargePlace(publication, chain);
  ensurePublisher(chain, charge, publisher);
  ensureApprovers(chain, publication, charge, approvals);
}
