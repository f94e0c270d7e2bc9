import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type TrustVersion, trustVersionSchema } from '../../contracts/formats/trust.ts';
import { keyIdOfPem, publicKeyOf } from '../../services/signing/keys.ts';
import { countersign, readDocument, signDocument } from '../../services/signing/signed-document.ts';
import {
  nextVersion,
  pinOf,
  requireNext,
  signaturesOf,
  type TrustChain,
  type TrustedVersion,
} from '../../services/trust/trust-chain.ts';
import type { Draft } from './trust-draft.ts';

/** The version in an envelope; says nothing of its signatures. Throws SIGNATURE_INVALID. */
export const readVersion = (envelope: Envelope): TrustVersion =>
  readDocument(envelope, trustVersionSchema, 'version of a trust file');

/**
 * A version with one signature more, by a root key (PKCS#8 PEM). `missing`: signatures of roots that it still needs; 0:
 * it follows the file. Throws KEY_INVALID, and TRUST_INVALID when the key is not one of the roots that have to sign it:
 * those of the version before, or, for the first version, its own.
 */
export function signVersion(chain: TrustChain, draft: Draft, privateKey: string) {
  const envelope = draft.envelope ? countersign(draft.envelope, privateKey) : signDocument(draft.version, privateKey);
  const version = readVersion(envelope);
  requireNext(chain, version);
  const { keys, threshold } = (chain.at(-1) ?? version).roots;
  const own = keyIdOfPem(publicKeyOf(privateKey));
  if (!keys.some((key) => keyIdOfPem(key) === own))
    throw new OpalineError('TRUST_INVALID', 'The key is not one of the root keys that have to sign this version.');
  const gap = Math.max(0, threshold - signaturesOf(envelope, keys));
  const next: TrustedVersion | null = gap === 0 ? nextVersion(chain, envelope) : null;
  return { envelope, missing: gap, version: next && pinOf(next) };
}
