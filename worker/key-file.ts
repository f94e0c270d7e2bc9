import type { PrivateDeployment, PublicDeployment } from '../contracts/deployment.ts';
import { OpalineError } from '../contracts/errors.ts';
import { readBoundedFile } from '../services/files/bounded-file.ts';
import { followFile } from '../services/files/changing-file.ts';
import { readSecret } from '../services/secrets.ts';
import { decryptKey, isEncryptedKey, readPrivateKey } from '../services/signing/keys.ts';

type KeyPlace = Pick<PrivateDeployment | PublicDeployment, 'keyFile' | 'passphrase'>;

/** A PEM text of an encrypted Ed25519 key is some 400 characters long. */
const KEY_BYTES = 10_000;

/**
 * A reader of the private key of a worker (PKCS#8 PEM) that its deployment names: it looks at the file each time, so that
 * a new key acts at once. Throws CONFIGURATION_INVALID and KEY_INVALID.
 */
export const workerKey = ({ keyFile, passphrase }: KeyPlace): (() => Promise<string>) =>
  followFile(keyFile, KEY_BYTES, async () => {
    const { bytes } = await readBoundedFile(keyFile, KEY_BYTES);
    const pem = bytes?.toString('utf8');
    if (pem === undefined)
      throw new OpalineError(
        'CONFIGURATION_INVALID',
        `The key file ${keyFile} cannot be read; name the key of this worker.`,
      );
    const key =
      passphrase && isEncryptedKey(pem) ? decryptKey(pem, await readSecret(passphrase, 'passphrase'), keyFile) : pem;
    readPrivateKey(key);
    return key;
  });
