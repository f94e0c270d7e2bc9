import { chargePlace, ensureApprovers, ensurePublisher } from '../../activities/publication/judged.ts';
import type { Publication } from '../../activities/publication/publication.ts';
import type { VerificationCheck } from '../../activities/publication/verification-check.ts';
import { newestVersion, type TrustChain } from '../../activities/trust/trust-chain.ts';

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
];

function checkPublisher(chain: TrustChain, publication: Publication): string {
  const charged = chargePlace(publication, chain);
  const { publisher } = publication.attestation;
  ensurePublisher(chain, charged, publisher);
  const { trust } = publisher.statement;
  return `Published by ${newestVersion(chain).organisation}, under version ${trust.number} of its trust file.`;
}

function checkTrust(chain: TrustChain, publication: Publication): string {
  const newest = newestVersion(chain);
  const { approvals } = publication.attestation;
  const required = ensureApprovers(chain, publication, chargePlace(publication, chain), approvals);
  const demo = newest.demo
    ? ' These are demo keys, which a program made for a trial: anybody on that computer has them.'
    : '';
  return `Approved by ${approvals.map(({ subject }) => subject).join(', ')}, whom ${newest.organisation} names as approvers; ${required} required.${demo}`;
}
