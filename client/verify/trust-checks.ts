import { receiptOf } from '../../activities/draws/draw-receipt.ts';
import type { Publication } from '../../activities/publication/publication.ts';
import { ensure, type VerificationCheck } from '../../activities/publication/verification-check.ts';
import { readDecision } from '../../activities/signing/decision.ts';
import { keyIdOfPem } from '../../activities/signing/keys.ts';
import { readDocument, signingKeys } from '../../activities/signing/signed-document.ts';
import { isSameSubject } from '../../activities/signing/subjects.ts';
import { approversOfSeries } from '../../activities/trust/approvers.ts';
import { namedVersion, newestVersion, type TrustChain } from '../../activities/trust/trust-chain.ts';
import { isValidAt, keysValidAt, keyWithId } from '../../activities/trust/trusted-keys.ts';
import { DRAW_RECEIPT_FORMAT, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { parseReleasePath, partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';

/**
 * What a reader's trust file says of a publication: the files alone cannot say whose keys they name. Who is believed is
 * in its newest version, so that a key that was taken out of it counts for nothing that it ever signed, and one that was
 * retired counts up to the entry of the ledger that is its last.
 *
 * @contract C16
 */
export const trustChecks = (chain: TrustChain): readonly VerificationCheck[] => [
  { id: 'publisher', check: (publication) => checkPublisher(chain, publication) },
  { id: 'trust', check: (publication) => checkTrust(chain, publication) },
  { id: 'receipts', check: (publication) => checkReceipts(chain, publication) },
];

const organisationOf = (chain: TrustChain): string => newestVersion(chain).organisation;

function checkPublisher(chain: TrustChain, { manifest, attestation: { publisher } }: Publication): string {
  const { trust, ledger } = publisher.statement;
  ensure(
    namedVersion(chain, trust) !== null,
    trust.number > chain.length
      ? `It was published under version ${trust.number} of the trust file, and yours ends at ${chain.length}; get the newer file.`
      : `It was published under another version ${trust.number} of the trust file than yours.`,
  );
  const key = keyWithId(newestVersion(chain).publishers, keyIdOfPem(publisher.publicKey));
  ensure(key !== null, `The publisher's key is not one of ${organisationOf(chain)}.`);
  const place = { population: manifest.population, sequence: ledger.sequence };
  ensure(isValidAt(key!, place), `The publisher's key is not valid at entry ${ledger.sequence} of the ledger.`);
  return `Published by ${organisationOf(chain)}, under version ${trust.number} of its trust file.`;
}

function checkTrust(chain: TrustChain, { manifest, attestation }: Publication): string {
  const newest = newestVersion(chain);
  const approvers = approversOfSeries(newest, manifest.series);
  for (const { subject, publicKey, envelope } of attestation.approvals) {
    const { predicate } = readDecision(envelope);
    const key = keyWithId(approvers, keyIdOfPem(publicKey));
    ensure(
      key !== null && isSameSubject(key.subject, subject),
      `The key of ${subject} is not that of an approver of ${manifest.series} in the trust file.`,
    );
    const place = { population: manifest.population, sequence: predicate.ledger.sequence };
    ensure(isValidAt(key!, place), `The key of ${subject} was not valid when it signed, at entry ${place.sequence}.`);
    ensure(namedVersion(chain, predicate.trust) !== null, `${subject} decided under another trust file than yours.`);
  }
  const named = namedVersion(chain, attestation.publisher.statement.trust);
  const required = Math.max(attestation.required, named?.required ?? 1);
  const { length } = attestation.approvals;
  ensure(length >= required, `${length} approvals are of keys that you trust, but ${required} are required.`);
  const demo = newest.demo
    ? ' These are demo keys, which a program made for a trial: anybody on that computer has them.'
    : '';
  return `Approved by ${attestation.approvals.map(({ subject }) => subject).join(', ')}, whom ${newest.organisation} names as approvers; ${required} required.${demo}`;
}

/**
 * Each partition is what the private worker signed, under the charge, the correction and the place in the ledger that it
 * signed with it. Nothing that was decided or published names an earlier tip than the manifest, and so none is earlier
 * than the reserve of what was drawn.
 *
 * @contract C11
 * @contract C16
 */
function checkReceipts(chain: TrustChain, { manifest }: Publication): string {
  const { population, correction, ledger, seriesDigest } = manifest;
  const own = { release: releasePath(manifest), charge: manifest.charge, correction };
  for (const { privatizedTable, hole, receipt: envelope, ...partition } of manifest.partitions) {
    const path = partitionPath(partition);
    const receipt = readDocument(envelope, receiptSchema, 'receipt of a partition');
    const isDraw = receipt.format === DRAW_RECEIPT_FORMAT;
    const sequence = isDraw ? receipt.sequence : ledger.sequence;
    const keys = keysValidAt(newestVersion(chain).ledgers, { population, sequence });
    ensure(signingKeys(envelope, keys).size > 0, `The receipt of ${path} is not of a private worker that you trust.`);
    const isCarried = isDraw && correction !== null && !correction.redrawn.includes(path);
    const outcome = hole === null ? { table: privatizedTable ?? '' } : { code: hole };
    const due = receiptOf({ ...(isCarried ? receipt : own), sequence }, seriesDigest, partition, outcome);
    ensure(
      canonicalJson(receipt) === canonicalJson(due) && (!isCarried || isVersionUpTo(correction.of, receipt, manifest)),
      `The receipt of ${path} says something else than the manifest: of the table or hole, the charge or the correction.`,
    );
    ensure(sequence <= ledger.sequence, `The manifest names an earlier tip of the ledger than the charge of ${path}.`);
  }
  return `The private worker signed what became of all ${manifest.partitions.length} partitions.`;
}

function isVersionUpTo(
  of: number,
  receipt: { release: string },
  { series, window, version }: ReleaseReference,
): boolean {
  const drawn = parseReleasePath(receipt.release);
  return drawn?.series === series && drawn.window === window && drawn.version <= of && of < version;
}
