import { OpalineError } from '../../contracts/errors.ts';
import { Publication } from '../../services/publication/publication.ts';
import { readFolder } from './folder-files.ts';
import { verifyPublication } from './verify-publication.ts';

/** The publication in a folder. Throws USAGE when there is no such folder, and VERIFICATION_FAILED. */
export async function verifiedPublication(folder: string): Promise<Publication> {
  const { verified } = await verifyPublication(folder);
  if (verified) return new Publication(await readFolder(folder));
  throw new OpalineError('VERIFICATION_FAILED', 'The publication does not verify; look at it with opaline verify.');
}
