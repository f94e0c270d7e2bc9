import type { Publication } from '../../activities/publication/publication.ts';
import { ensure, type VerificationCheck } from '../../activities/publication/verification-check.ts';
import { readDecision } from '../../activities/signing/decision.ts';
import { keyIdOfPem } from '../../activities/signing/keys.ts';
import { isSameSubject } from '../../activities/signing/subjects.ts';
import { approversOfSeries } from '../../activities/trust/approvers.ts';
import { namedVersion, newestVersion, type TrustChain } from '../../activities/trust/trust-chain.ts';
import { isValidAt, keyWithId } from '../../activities/trust/trusted-keys.ts';

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
