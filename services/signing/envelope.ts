import { createHash, sign, verify } from 'node:crypto';
import { DSSE_PAYLOAD_TYPE, type Envelope, envelopeSchema } from '../../contracts/decision.ts';
import { nullAt, OpalineError } from '../../contracts/errors.ts';
import { keyIdOf, readPrivateKey, readPublicKey } from './keys.ts';

/**
 * The bytes that a DSSE signature covers: `DSSEv1`, then length and bytes of type and payload. The lengths, in bytes,
 * keep (type, payload) pairs apart that would read the same when simply joined.
 */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** What a passkey signs of a statement: the SHA-256 of what a key file would sign. */
export const passkeyChallenge = (
  statement: Uint8Array,
  payloadType: Envelope['payloadType'] = DSSE_PAYLOAD_TYPE,
): Buffer => createHash('sha256').update(preAuthenticationEncoding(payloadType, statement)).digest();

/** Signs a payload with an Ed25519 key (PKCS#8 PEM). Throws KEY_INVALID. */
export function signEnvelope(
  payload: Uint8Array,
  privateKeyPem: string,
  payloadType: Envelope['payloadType'] = DSSE_PAYLOAD_TYPE,
): Envelope {
  const privateKey = readPrivateKey(privateKeyPem);
  const signature = sign(null, preAuthenticationEncoding(payloadType, payload), privateKey);
  return {
    payloadType,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: keyIdOf(privateKey), sig: signature.toString('base64') }],
  };
}

/**
 * The payload of an envelope, unverified. Throws SIGNATURE_INVALID when the envelope is not of the schema or its base64
 * is not canonical: two texts for the same bytes would be two digests for one decision.
 */
export function payloadOf(envelope: unknown): Buffer {
  const outcome = envelopeSchema.safeParse(envelope);
  if (!outcome.success) throw new OpalineError('SIGNATURE_INVALID', 'The envelope is not a DSSE envelope.');
  return decodeBase64(outcome.data.payload);
}

/**
 * True when the envelope carries exactly one signature, and it is of this public key (SPKI PEM). One only: further
 * signatures would change the digest of the envelope without saying anything. Throws KEY_INVALID for a bad public key.
 */
export function isSignedBy(envelope: Envelope, publicKeyPem: string): boolean {
  const publicKey = readPublicKey(publicKeyPem);
  const [signature, ...others] = envelope.signatures;
  if (!signature || signature.passkey || others.length > 0 || signature.keyid !== keyIdOf(publicKey)) return false;
  const holds = nullAt('SIGNATURE_INVALID', () => {
    const message = preAuthenticationEncoding(envelope.payloadType, payloadOf(envelope));
    return verify(null, message, publicKey, decodeBase64(signature.sig));
  });
  return holds ?? false;
}

/** The bytes of a text that is the one base64 of them. Throws SIGNATURE_INVALID. */
export function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text)
    throw new OpalineError('SIGNATURE_INVALID', 'The base64 of the envelope is not canonical.');
  return bytes;
}
