import { OpalineError } from '../../../contracts/errors.ts';
import { readBoundedFile } from '../../../services/files/bounded-file.ts';
import { type ProfileFile, parseProfile } from '../mechanism/profile-csv.ts';

/** The profile of the largest vehicle that we make has less. */
const MOST_BYTES = 2 ** 25;

/** Reads anyone's profile. Throws PROFILE_INVALID that names the file, and the line of the first mistake. */
export async function readProfile(path: string): Promise<ProfileFile> {
  const { bytes, refusal } = await readBoundedFile(path, MOST_BYTES);
  if (refusal !== null)
    throw new OpalineError(
      'PROFILE_INVALID',
      `${path} ${refusal === 'too large' ? 'is too large' : 'cannot be read'}.`,
    );
  try {
    return parseProfile(bytes.toString('utf8'));
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    throw new OpalineError(error.code, `${path}, ${error.message}`);
  }
}
