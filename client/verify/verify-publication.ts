import { OpalineError } from '../../contracts/errors.ts';
import { TEXTS_FORM } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { KIND_VERIFICATION, type KindVerification } from '../../kinds/verification.ts';
import { canDraw } from '../../services/pages/drawing.ts';
import { Publication } from '../../services/publication/publication.ts';
import { makeAuditPages, releaseMetadata, type TextsOf } from '../../services/publication/release-texts.ts';
import { ensure } from '../../services/publication/verification-check.ts';
import type { TrustChain } from '../../services/trust/trust-chain.ts';
import { readFolder } from './folder-files.ts';
import { historyPlace, openHistory, readPublicationAt } from './place.ts';
import { trustChecks } from './trust-checks.ts';
import { verificationChecks } from './verification-checks.ts';
import { reportOf, type VerificationReport } from './verification-report.ts';

/**
 * Checks one publication from its files alone: a folder, offline, or an address of the web. It shows that the files are
 * those that the named keys approved, and that they keep what they claim. Whose keys these are, the reader's trust file
 * says; without one the publication is consistent in itself and tied to nobody. A damaged folder gives failed checks,
 * never an exception; throws USAGE when there is none to read, STORE_UNAVAILABLE. `history`: the place of the series,
 * where it is not around the folder. Names in the sentences are escaped: a terminal obeys none of them.
 *
 * @contract C10
 */
export async function verifyPublication(
  place: string,
  trust: TrustChain | null = null,
  kinds: typeof KIND_VERIFICATION = KIND_VERIFICATION,
  history?: string,
): Promise<VerificationReport> {
  const publication = new Publication(await readPublicationAt(place));
  const kind = verificationOfKind(publication, kinds);
  const series = history === undefined ? null : await openHistory(history);
  const ofHistory = kind.history && {
    id: 'history',
    check: async () => kind.history!(publication, historyPlace(place, series, publication.manifest), trust),
  };
  const ofTrust = trust === null ? [] : trustChecks(trust);
  const texts = { id: 'texts', check: () => checkTexts(publication, kind.texts) };
  return reportOf(
    trust,
    [...verificationChecks(trust), ...kind.checks, ...(ofHistory ? [ofHistory] : []), ...ofTrust],
    publication,
    texts,
  );
}

/** What the kind of the publication adds; one whose kind is not known fails one check that says so. */
function verificationOfKind(publication: Publication, kinds: typeof KIND_VERIFICATION): KindVerification {
  try {
    return kindOf(kinds, publication.manifest);
  } catch (error) {
    const reject = () => Promise.reject(error);
    return { checks: [{ id: 'kind', check: reject }], texts: reject };
  }
}

/** The publication in a folder. Throws USAGE when there is no such folder, and VERIFICATION_FAILED. */
export async function readVerifiedPublication(folder: string): Promise<Publication> {
  const { verified } = await verifyPublication(folder);
  if (verified) return new Publication(await readFolder(folder));
  throw new OpalineError('VERIFICATION_FAILED', 'The publication does not verify; look at it with opaline verify.');
}

/** What only words are in; what else the audit writes is canonical JSON, or a list. */
const WORDS = /\.(md|html|cff)$/;

/**
 * Makes every text again, from the data and the audits and with what made them, and compares the bytes: whoever signs
 * other words signs what does not follow from what is published. A page with figures is made where their library is.
 *
 * @contract C15
 */
async function checkTexts(publication: Publication, textsOf: TextsOf): Promise<string> {
  const { files, manifest, audits } = publication;
  const { form } = manifest.texts;
  if (form !== TEXTS_FORM)
    return `Words not compared: they are of form ${form}, and this verifier makes form ${TEXTS_FORM}.`;
  const texts = await textsOf(files);
  const isDrawn = await canDraw();
  const copies = new Map([
    ...(await makeAuditPages(manifest, texts, audits, isDrawn)),
    ...releaseMetadata(manifest, texts, manifest.files),
  ]);
  const wrong = [...copies].filter(([name, bytes]) => !files.get(name)?.equals(bytes)).map(([name]) => name);
  const rest = [...files.keys()].filter((name) => WORDS.test(name) && !copies.has(name));
  const undrawn = isDrawn || !texts.auditPage ? [] : rest.filter((name) => name.endsWith('.html'));
  wrong.push(...rest.filter((name) => !undrawn.includes(name)));
  ensure(wrong.length === 0, `Not what follows from the data and the audits: ${wrong.join(', ')}.`);
  const others = undrawn.length > 0 ? ` Words not compared, for want of a library that draws: ${undrawn.join()}.` : '';
  return `All ${copies.size} texts, of form ${form}, follow from the data and the audits.${others}`;
}
