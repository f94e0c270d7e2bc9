import { p256 } from '@noble/curves/nist.js';
import { DSSE_PAYLOAD_TYPE, type Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Passkey } from '../../contracts/formats/trust.ts';
import { P256_ORDER } from '../../contracts/passkey.ts';
import { credentialKeyId, mistakeOfPasskey } from '../../services/signing/credential.ts';

/** What a browser gives after it has asked an authenticator (AuthenticatorAssertionResponse). */
export type Assertion = { authenticatorData: Uint8Array; clientDataJSON: Uint8Array; signature: Uint8Array };

/**
 * A statement signed with a passkey: what the gate and readers take. A signature of ES256, which browsers give in DER, is
 * brought into its one form here. Throws SIGNATURE_INVALID, with the reason, for what nobody would take.
 */
export function passkeyEnvelope(statement: Uint8Array, passkey: Passkey, assertion: Assertion): Envelope {
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const sig = passkey.algorithm === 'ES256' ? normaliseSignature(assertion.signature) : assertion.signature;
  const envelope: Envelope = {
    payloadType: DSSE_PAYLOAD_TYPE,
    payload: base64(statement),
    signatures: [
      {
        keyid: credentialKeyId({ passkey }),
        sig: base64(sig),
        passkey: {
          authenticatorData: base64(assertion.authenticatorData),
          clientDataJSON: base64(assertion.clientDataJSON),
        },
      },
    ],
  };
  const mistake = mistakeOfPasskey(envelope, passkey);
  if (mistake !== null) throw new OpalineError('SIGNATURE_INVALID', mistake);
  return envelope;
}

/** r‖s with the lower of the two s, of an ECDSA signature in DER (RFC 3279, section 2.2.3). Throws SIGNATURE_INVALID. */
export function normaliseSignature(der: Uint8Array): Buffer {
  try {
    const { r, s } = p256.Signature.fromBytes(der, 'der');
    return Buffer.from(new p256.Signature(r, 2n * s > P256_ORDER ? P256_ORDER - s : s).toBytes('compact'));
  } catch {
    throw new OpalineError('SIGNATURE_INVALID', 'The signature of the passkey is no ECDSA signature in DER.');
  }
}
