import { readFile } from 'node:fs/promises';
import { OpalineError, wrongUse } from '../contracts/errors.ts';
import { decryptKey, isEncryptedKey } from '../services/signing/keys.ts';
import { askSecretly } from './confirmation.ts';

/** Where the passphrase of an encrypted key is: in a file, or with the person at the terminal. */
export type PassphraseOptions = { passphraseFile?: string };

/** Options for the passphrase of a key, and for a private key that has to be named. */
export const PASSPHRASE = [
  '--passphrase-file <file>',
  'file with the passphrase of an encrypted key; it is asked for on a terminal otherwise',
] as const;
export const OWN_KEY = ['--key <file>', 'your Ed25519 private key, PKCS#8 PEM; it may be encrypted'] as const;
export const POLICY_KEY = ['--key <file>', 'private key of the policy; it may be encrypted'] as const;

/** What these options give. */
export type KeyOptions = PassphraseOptions & { key: string };

/**
 * Reads a private key that a person named, as PKCS#8 PEM; one that is encrypted with the passphrase of a file or of the
 * person. Throws KEY_INVALID.
 */
export async function readKey(path: string, { passphraseFile }: PassphraseOptions = {}): Promise<string> {
  const pem = await textOf(path, `The key file ${path} cannot be read; \`opaline keygen\` makes one.`);
  if (!isEncryptedKey(pem)) return pem;
  const passphrase =
    passphraseFile === undefined ? await askSecretly(`Passphrase of ${path}: `) : await passphraseOf(passphraseFile);
  if (passphrase === null)
    throw new OpalineError('KEY_INVALID', `The key ${path} is encrypted; name its passphrase with --passphrase-file.`);
  return decryptKey(pem, passphrase, path);
}

/** The passphrase for a key that is to be encrypted: of a file, or what a person types twice. Throws USAGE. */
export async function newPassphrase({ passphraseFile }: PassphraseOptions): Promise<string> {
  const passphrase = passphraseFile === undefined ? await askTwice() : await passphraseOf(passphraseFile);
  if (passphrase) return passphrase;
  throw wrongUse('An encrypted key needs a passphrase; name a file with --passphrase-file.');
}

async function askTwice(): Promise<string | null> {
  const first = await askSecretly('Passphrase: ');
  if (first !== null && first !== (await askSecretly('The same again: ')))
    throw wrongUse('The two passphrases differ; nothing was written.');
  return first;
}

const passphraseOf = async (path: string): Promise<string> =>
  (await textOf(path, `The passphrase file ${path} cannot be read.`)).replace(/\r?\n$/, '');

const textOf = (path: string, refusal: string): Promise<string> =>
  readFile(path, 'utf8').catch(() => {
    throw new OpalineError('KEY_INVALID', refusal);
  });
