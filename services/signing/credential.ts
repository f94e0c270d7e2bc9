import { createHash, type KeyObject, verify } from 'node:crypto';
import type { Envelope } from '../../contracts/decision.ts';
import { nullAt, OpalineError } from '../../contracts/errors.ts';
import type { Passkey } from '../../contracts/formats/trust.ts';
import {
  type CountedDecision,
  hasLowS,
  LOCALHOST,
  mistakeInAssertion,
  reportOfAuthenticator,
} from '../../contracts/passkey.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { sha256 } from '../stores/json-objects.ts';
import { decodeBase64, isSignedBy, passkeyChallenge, payloadOf } from './envelope.ts';
import { keyIdOf, readPasskey, readPublicKey } from './keys.ts';

/** With what a person signs: a key file, by its public half (SPKI PEM), or a passkey. */
export type Credential = { key: string; passkey?: undefined } | { key?: undefined; passkey: Passkey };

const keyOf = ({ key, passkey }: Credential): KeyObject =>
  passkey === undefined ? readPublicKey(key) : readPasskey(passkey);

/** The id by which signatures name a credential: SHA-256 of the SPKI DER of its public key. Throws KEY_INVALID. */
export const credentialKeyId = (credential: Credential): string => keyIdOf(keyOf(credential));

/** The id of a credential that may be none: null. */
export const credentialKeyIdOrNull = (credential: Credential): string | null =>
  nullAt('KEY_INVALID', () => credentialKeyId(credential));

/** Where the raw bytes of a public key begin in its SPKI DER: 32 of Ed25519, or 0x04, x and y of P-256. */
const RAW_BYTES = { Ed25519: 32, ES256: 65 } as const;

/** The bytes of a public key in base64, for who has no Node; null when it is unreadable. */
export function rawKeyOf(credential: Credential): { keyid: string; key: string } | null {
  const keyid = credentialKeyIdOrNull(credential);
  if (keyid === null) return null;
  const der = keyOf(credential).export({ type: 'spki', format: 'der' });
  return { keyid, key: der.subarray(-RAW_BYTES[credential.passkey?.algorithm ?? 'Ed25519']).toString('base64') };
}

/**
 * Does the envelope carry exactly one signature, and is it of this credential? Throws KEY_INVALID when
 * the credential is not one.
 *
 * @contract C16
 */
export const isSignedWith = (envelope: Envelope, credential: Credential): boolean =>
  credential.passkey === undefined
    ? isSignedBy(envelope, credential.key)
    : mistakeOfPasskey(envelope, credential.passkey) === null;

/**
 * Why the one signature of an envelope is not of a passkey, in a sentence; null when it is. The algorithm, the relying
 * party and the pages are those of the trust file. Throws KEY_INVALID.
 */
export function mistakeOfPasskey(envelope: Envelope, passkey: Passkey): string | null {
  const key = readPasskey(passkey);
  const [signature, ...others] = envelope.signatures;
  if (!signature?.passkey || others.length > 0 || signature.keyid !== keyIdOf(key))
    return 'The signature is not of this passkey.';
  try {
    const clientData = decodeBase64(signature.passkey.clientDataJSON);
    const authenticatorData = decodeBase64(signature.passkey.authenticatorData);
    const rawSignature = decodeBase64(signature.sig);
    const request = {
      challenge: passkeyChallenge(payloadOf(envelope), envelope.payloadType),
      relyingPartyHash: createHash('sha256').update(passkey.relyingParty, 'utf8').digest(),
      origins: passkey.origins,
    };
    const mistake = mistakeInAssertion(clientData, authenticatorData, request);
    if (mistake !== null) return mistake;
    const message = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()]);
    const holds =
      passkey.algorithm === 'Ed25519'
        ? verify(null, message, key, rawSignature)
        : hasLowS(rawSignature) && verify('sha256', message, { key, dsaEncoding: 'ieee-p1363' }, rawSignature);
    return holds ? null : 'The signature of the passkey does not hold, or is not in its one form.';
  } catch (error) {
    if (error instanceof OpalineError && error.code === 'SIGNATURE_INVALID') return error.message;
    throw error;
  }
}

/** What is recorded of the authenticator with which an envelope was signed, in words; empty for a key file. */
export function authenticatorWords({ signatures }: Envelope, { relyingParty }: Pick<Passkey, 'relyingParty'>): string {
  const data = signatures[0]?.passkey?.authenticatorData;
  if (data === undefined) return '';
  const { canBeBackedUp, isBackedUp, counter } = reportOfAuthenticator(Buffer.from(data, 'base64'));
  const copies = isBackedUp ? 'backed up' : canBeBackedUp ? 'may be backed up' : 'never backed up';
  return `passkey of ${relyingParty}, ${copies}, counter ${counter}`;
}

/** A passkey in the one text that both sides of another channel can compare: 128 bits of a SHA-256, in groups. */
export const passkeyFingerprint = (subject: string, passkey: Passkey): string =>
  sha256(canonicalJson({ subject, passkey })).slice(0, 32).match(/.{4}/g)!.join(' ');

/** What is wrong with a passkey of a trust file, in a sentence; null when nothing is. */
export function mistakeInPasskey({ relyingParty, origins }: Passkey, isDemo: boolean): string | null {
  const isLocal = relyingParty === LOCALHOST;
  if (isLocal && !isDemo)
    return `a passkey is of the relying party ${LOCALHOST}, which every program on a computer shares: it counts in the file of a trial alone.`;
  const isPage = (origin: string): boolean => {
    if (!URL.canParse(origin)) return false;
    const { hostname, protocol, origin: itself } = new URL(origin);
    const isIts = hostname === relyingParty || hostname.endsWith(`.${relyingParty}`);
    return itself === origin && isIts && (protocol === 'https:' || isLocal);
  };
  return origins.every(isPage) ? null : `an origin of a passkey is no https page of its relying party ${relyingParty}.`;
}

/** Whose a credential is, as it is counted. */
export const ownerOf = (one: Credential & { subject: string }): CountedDecision => ({
  subject: one.subject,
  relyingParty: one.passkey?.relyingParty ?? null,
});
