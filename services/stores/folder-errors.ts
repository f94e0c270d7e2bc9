import { OpalineError } from '../../contracts/errors.ts';
import { systemCode } from '../system-error.ts';

/** What a person has to mend: permissions, a file instead of a folder, a file system without hard links. */
const NEEDS_A_PERSON = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ELOOP'],
  ...['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'],
];

/**
 * The error of a folder store as others may see it. Errors of the system name paths: their code is all that is kept.
 * Errors that are not the system's (of the stream that was to be stored, for instance) pass as they are.
 */
export function folderError(error: unknown, location: string): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof OpalineError) return error;
  if (NEEDS_A_PERSON.includes(code)) {
    return new OpalineError(
      'CONFIGURATION_INVALID',
      `The store ${location} refused access (${code}); check its owner, its permissions and that its file system has hard links.`,
    );
  }
  return new OpalineError(
    'STORE_UNAVAILABLE',
    `The store ${location} does not answer (${code}); check that its disk is there and has room.`,
  );
}
