import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptKey, generateSigningKey } from './keys.ts';

const PASSPHRASE = 'four words of äda';

test('an encrypted key is PKCS#8 under scrypt: a guess at its passphrase takes 16 MiB, and OpenSSL reads it', () => {
  const { privateKey } = generateSigningKey();
  const pem = encryptKey(privateKey, PASSPHRASE);
  const der = Buffer.from(pem.split('\n').slice(1, -2).join(''), 'base64').toString('hex');
  // scrypt (RFC 7914, section 7), then N = 2^14, r = 8 and p = 5 as integers.
  expect(der).toContain('06092b06010401da47040b');
  expect(der).toContain('02024000020108020105');
  const read = (passphrase: string) => createPrivateKey({ key: pem, format: 'pem', passphrase });
  expect(read(PASSPHRASE).export({ type: 'pkcs8', format: 'pem' })).toBe(privateKey);
  expect(() => read('four words of ada')).toThrow();
  expect(encryptKey(privateKey, PASSPHRASE)).not.toBe(pem);
});

test('a key that somebody made with OpenSSL is read as it is', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: PASSPHRASE })
    .toString();
  expect(createPrivateKey({ key: pem, passphrase: PASSPHRASE }).equals(privateKey)).toBe(true);
});
