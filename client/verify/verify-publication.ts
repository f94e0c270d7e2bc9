import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import { KIND_VERIFICATION, type KindVerification } from '../../kinds/verification.ts';
import { Publication } from '../../services/publication/publication.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { checkTexts } from './check-texts.ts';
import { verificationChecks } from './checks.ts';
import { readFolder } from './folder-files.ts';
import { readPublicationAt } from './place.ts';
import { reportOf, type VerificationReport } from './report.ts';
import { trustChecks } from './trust-checks.ts';

/**
 * Checks one publication from its files alone: a folder, offline, or an address of the web. It shows that the files are
 * those that the named keys approved, and that they keep what they claim. Whose keys these are, the reader's trust file
 * says; without one the publication is consistent in itself and tied to nobody. A damaged folder gives failed checks,
 * never an exception; throws USAGE when there is none to read, STORE_UNAVAILABLE. Names in the sentences are escaped: a
 * terminal obeys none of them.
 *
 * @contract C10
 */
export async function verifyPublication(
  place: string,
  trust: TrustChain | null = null,
  kinds: typeof KIND_VERIFICATION = KIND_VERIFICATION,
): Promise<VerificationReport> {
  const publication = new Publication(await readPublicationAt(place));
  const kind = verificationOfKind(publication, kinds);
  const ofTrust = trust === null ? [] : trustChecks(trust);
  const texts = { id: 'texts', check: () => checkTexts(publication, kind.texts) };
  return reportOf(trust, [...verificationChecks(trust), ...kind.checks, ...ofTrust], publication, texts);
}

/** What the kind of the publication adds; one whose kind is not known fails one check that says so. */
function verificationOfKind(publication: Publication, kinds: typeof KIND_VERIFICATION): KindVerification {
  try {
    return kindOf(kinds, publication.manifest);
  } catch (error) {
    const unknown = () => Promise.reject(error);
    return { checks: [{ id: 'kind', check: unknown }], texts: unknown };
  }
}

/** The publication in a folder. Throws USAGE when there is no such folder, and VERIFICATION_FAILED. */
export async function verifiedPublication(folder: string): Promise<Publication> {
  const { verified } = await verifyPublication(folder);
  if (verified) return new Publication(await readFolder(folder));
  throw new OpalineError('VERIFICATION_FAILED', 'The publication does not verify; look at it with opaline verify.');
}
