import { OpalineError } from '../../contracts/errors.ts';
import { Mismatch, trusting, VERIFICATION_CHECKS, type VerificationCheck } from './checks.ts';
import { readFolder } from './folder-files.ts';
import { Publication } from './publication.ts';

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
): Promise<VerificationReport> {
  const publication = new Publication(await readFolder(folder));
  const checks: VerificationReport['checks'] = [];
  const known = trusted === null ? [] : [trusting(trusted)];
  for (const check of [...VERIFICATION_CHECKS, ...known]) checks.push(await run(check, publication));
  return { verified: checks.every(({ ok }) => ok), checks };
}

async function run({ id, check }: VerificationCheck, publication: Publication) {
  try {
    return { id, ok: true, sentence: await check(publication) };
  } catch (error) {
    const known = error instanceof Mismatch || error instanceof OpalineError;
    return { id, ok: false, sentence: known ? error.message : 'A file that this needs is missing or not of its form.' };
  }
}
