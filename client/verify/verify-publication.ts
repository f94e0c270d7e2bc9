import { Publication } from '../../activities/publication/publication.ts';
import { Mismatch, type VerificationCheck } from '../../activities/publication/verification-check.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { kindOf } from '../../contracts/kind.ts';
import type { ClientKind } from '../../kinds/client-kind.ts';
import { CLIENT_KINDS } from '../../kinds/client-kinds.ts';
import { trusting, VERIFICATION_CHECKS } from './checks.ts';
import { readFolder } from './folder-files.ts';

/** Result of `opaline verify`, also as JSON. */
export type VerificationReport = {
  verified: boolean;
  checks: { id: string; ok: boolean; sentence: string }[];
};

/**
 * Checks the folder of one publication, offline, from its files alone. It shows that the files are those that the named
 * keys approved, and that they keep what they claim. Whose keys these are, the reader has to know: with the ids of keys
 * that are trusted, as many of them as are required must have approved. A damaged folder gives failed checks, never an
 * exception; throws USAGE when there is no folder to read.
 *
 * @contract C10
 */
export async function verifyPublication(
  folder: string,
  trusted: readonly string[] | null = null,
  kinds: Readonly<Record<string, ClientKind>> = CLIENT_KINDS,
): Promise<VerificationReport> {
  const publication = new Publication(await readFolder(folder));
  const checks: VerificationReport['checks'] = [];
  const known = trusted === null ? [] : [trusting(trusted)];
  const ofKind = checksOfKind(publication, kinds);
  for (const check of [...VERIFICATION_CHECKS, ...ofKind, ...known]) checks.push(await run(check, publication));
  return { verified: checks.every(({ ok }) => ok), checks };
}

/** What the kind of the publication adds; one whose kind cannot be told fails one check that says so. */
function checksOfKind(
  publication: Publication,
  kinds: Readonly<Record<string, ClientKind>>,
): readonly VerificationCheck[] {
  try {
    return kindOf(kinds, publication.manifest).verification;
  } catch (error) {
    return [{ id: 'kind', check: () => Promise.reject(error) }];
  }
}

async function run({ id, check }: VerificationCheck, publication: Publication) {
  try {
    return { id, ok: true, sentence: await check(publication) };
  } catch (error) {
    const known = error instanceof Mismatch || error instanceof OpalineError;
    return { id, ok: false, sentence: known ? error.message : 'A file that this needs is missing or not of its form.' };
  }
}
