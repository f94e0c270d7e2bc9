import { createHash, createPrivateKey } from 'node:crypto';
import { keyIdOf, publicKeyOf, readPublicKey, type SigningKey } from '../../services/signing/keys.ts';

/** The key of a name: every process of a test has the same one, and what is signed with it is the same in every run. */
export function seededKey(name: string): SigningKey {
  const secret = createHash('sha256').update(name).digest();
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicKey = publicKeyOf(privateKey);
  return { privateKey, publicKey, keyid: keyIdOf(readPublicKey(publicKey)) };
}
