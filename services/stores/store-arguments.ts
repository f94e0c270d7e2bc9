import { OpalineError } from '../../contracts/errors.ts';
import type { ByteRange } from '../../contracts/object-store.ts';

/** S3's own limit, in bytes of UTF-8. */
const MAXIMUM_KEY_BYTES = 1024;

/** The limit of a name in the usual file systems, in bytes of UTF-8. */
const MAXIMUM_SEGMENT_BYTES = 255;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const FORBIDDEN_CHARACTERS = /[\u0000-\u001f\u007f\\]/;

/** What a listing has where the name of a file is not UTF-8. */
const NOT_UTF8 = '\ufffd';

/** Can what is listed under this key be asked for by it, in every store? */
export function isPortableKey(key: string): boolean {
  return keyProblem(key) === null && !key.includes(NOT_UTF8);
}

/**
 * Refuses a key that would not mean the same in every store, or lead out of a folder: empty segments (a slash at
 * either end, or two in a row), segments that begin with a dot (`..`, hidden files, the folder store's own), control
 * characters, backslashes, and what is too long. Throws CONFIGURATION_INVALID; the message does not repeat the key.
 */
export function checkKey(key: string): void {
  const problem = keyProblem(key);
  if (problem) throw new OpalineError('CONFIGURATION_INVALID', `An object key ${problem}; use another key.`);
}

function keyProblem(key: string): string | null {
  if (Buffer.byteLength(key) > MAXIMUM_KEY_BYTES) return 'is longer than 1,024 bytes';
  if (FORBIDDEN_CHARACTERS.test(key)) return 'has a backslash or a control character';
  for (const segment of key.split('/')) {
    if (segment === '') return 'is empty, begins or ends with a slash, or has two slashes in a row';
    if (segment.startsWith('.')) return 'has a part that begins with a dot';
    if (Buffer.byteLength(segment) > MAXIMUM_SEGMENT_BYTES) return 'has a part that is longer than 255 bytes';
  }
  return null;
}

/** Refuses a range that is not 0 ≤ start ≤ end in whole bytes (RangeError). A range may reach beyond the object. */
export function checkRange(range: ByteRange): void {
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('a byte range needs whole numbers with 0 <= start <= end');
  }
}
