import { verify } from 'node:crypto';
import { type Envelope, envelopeSchema, OPALINE_PAYLOAD_TYPE } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { jsonOrNull } from '../stores/json-objects.ts';
import { payloadOf, preAuthenticationEncoding, signEnvelope } from './envelope.ts';
import { keyIdOf, readPublicKey } from './keys.ts';

/** Documents of contracts/formats that people or workers sign: canonical JSON in an envelope with signatures. */

export type Schema<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } };

const payloadBytes = (document: object): Buffer => Buffer.from(canonicalJson(document), 'utf8');

/** Signs a document with an Ed25519 key (PKCS#8 PEM). Equal documents and keys give equal bytes. Throws KEY_INVALID. */
export const signDocument = (document: object, privateKey: string): Envelope =>
  signEnvelope(payloadBytes(document), privateKey, OPALINE_PAYLOAD_TYPE);

/** The same document with one signature more, in the order of the key ids; a key signs once. Throws KEY_INVALID. */
export function countersign(envelope: Envelope, privateKey: string): Envelope {
  const { signatures } = signEnvelope(payloadOf(envelope), privateKey, OPALINE_PAYLOAD_TYPE);
  const others = envelope.signatures.filter(({ keyid }) => keyid !== signatures[0]!.keyid);
  return { ...envelope, signatures: [...others, ...signatures].sort((a, b) => (a.keyid < b.keyid ? -1 : 1)) };
}

/**
 * The document in an envelope; says nothing of its signatures. Throws SIGNATURE_INVALID unless it is canonical JSON of
 * the schema: a text with a member twice reads differently elsewhere.
 */
export function readDocument<T>(envelope: unknown, schema: Schema<T>, name: string): T {
  const text = payloadOf(envelope).toString('utf8');
  const value = jsonOrNull(text);
  const outcome = schema.safeParse(value);
  const isOurs = envelopeSchema.parse(envelope).payloadType === OPALINE_PAYLOAD_TYPE;
  if (isOurs && outcome.success && value !== null && canonicalJson(value) === text) return outcome.data;
  throw new OpalineError('SIGNATURE_INVALID', `What was signed is no ${name} in canonical JSON.`);
}

/** Ids of those of the public keys (SPKI PEM) of which the envelope carries a signature that holds; each once. */
export function findSigners(envelope: Envelope, publicKeys: readonly string[]): Set<string> {
  const message = preAuthenticationEncoding(envelope.payloadType, payloadOf(envelope));
  const signers = new Set<string>();
  for (const pem of publicKeys) {
    const key = readPublicKey(pem);
    const keyid = keyIdOf(key);
    const signature = envelope.signatures.find((one) => one.keyid === keyid);
    if (signature && verify(null, message, key, Buffer.from(signature.sig, 'base64'))) signers.add(keyid);
  }
  return signers;
}
