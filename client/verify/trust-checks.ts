import { DRAW_RECEIPT_FORMAT, receiptSchema } from '../../contracts/formats/draw-receipt.ts';
import { parseReleasePath, partitionPath, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { receiptOf } from '../../services/draws/require-receipts.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { chargePlace, ensureApprovers, ensurePublisher } from '../../services/publication/publication-rules.ts';
import { ensure, type VerificationCheck } from '../../services/publication/verification-check.ts';
import { findSigners, readDocument } from '../../services/signing/signed-document.ts';
import { newestVersion, type TrustChain } from '../../services/trust/trust-chain.ts';
import { keysValidAt } from '../../services/trust/trusted-keys.ts';

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

function checkPublisher(chain: TrustChain, publication: Publication): string {
  const reserve = chargePlace(publication, chain);
  const { publisher } = publication.attestation;
  ensurePublisher(chain, reserve, publisher);
  const { trust } = publisher.statement;
  return `Published by ${newestVersion(chain).organisation}, under version ${trust.number} of its trust file.`;
}

function checkTrust(chain: TrustChain, publication: Publication): string {
  const newest = newestVersion(chain);
  const { approvals } = publication.attestation;
  const quorum = ensureApprovers(chain, publication, chargePlace(publication, chain), approvals);
  const demo = newest.demo
    ? ' These are demo keys, which a program made for a trial: anybody on that computer has them.'
    : '';
  return `Approved by ${approvals.map(({ subject }) => subject).join(', ')}, whom ${newest.organisation} names as approvers; ${quorum} required.${demo}`;
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
    ensure(findSigners(envelope, keys).size > 0, `The receipt of ${path} is not of a private worker that you trust.`);
    const isCarried = isDraw && correction !== null && !correction.redrawn.includes(path);
    const outcome =
      hole === null ? { table: privatizedTable ?? '', build: isDraw ? receipt.build : '' } : { code: hole };
    const due = receiptOf({ ...(isCarried ? receipt : own), sequence }, seriesDigest, partition, outcome);
    ensure(
      canonicalJson(receipt) === canonicalJson(due) &&
        (!isCarried || isVersionUpTo(correction.of, receipt.release, manifest)),
      `The receipt of ${path} says something else than the manifest: of the table or hole, the charge or the correction.`,
    );
    ensure(sequence <= ledger.sequence, `The manifest names an earlier tip of the ledger than the charge of ${path}.`);
  }
  return `The private worker signed what became of all ${manifest.partitions.length} partitions.`;
}

function isVersionUpTo(of: number, path: string, { series, window, version }: ReleaseReference): boolean {
  const release = parseReleasePath(path);
  return release?.series === series && release.window === window && release.version <= of && of < version;
}
