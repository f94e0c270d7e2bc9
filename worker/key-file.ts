import { OpalineError } from '../contracts/errors.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { readPrivateKey } from '../services/signing/keys.ts';

/** A PEM text of an Ed25519 key is 119 characters long. */
const KEY_BYTES = 10_000;

/** The private key of a worker (PKCS#8 PEM) that its deployment names. Throws CONFIGURATION_INVALID and KEY_INVALID. */
export async function readWorkerKey(path: string): Promise<string> {
  const { bytes } = await readBoundedFile(path, KEY_BYTES);
  if (!bytes)
    throw new OpalineError(
      'CONFIGURATION_INVALID',
      `The key file ${path} cannot be read; name the key of this worker.`,
    );
  const key = bytes.toString('utf8');
  readPrivateKey(key);
  return key;
}
