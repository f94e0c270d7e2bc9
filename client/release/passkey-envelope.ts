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
  const sig = passkey.algorithm === 'ES256' ? fixedSignature(assertion.signature) : assertion.signature;
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
export function fixedSignature(der: Uint8Array): Buffer {
  const bytes = Buffer.from(der);
  const [r, after] = integerAt(bytes, 2);
  const [s, end] = integerAt(bytes, after);
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2 || end !== bytes.length) throw notDer();
  const fixed = (value: bigint): string => value.toString(16).padStart(64, '0');
  return Buffer.from(fixed(r) + fixed(2n * s > P256_ORDER ? P256_ORDER - s : s), 'hex');
}

/** An INTEGER of at most 33 bytes, and where it ends. */
function integerAt(bytes: Buffer, at: number): [value: bigint, end: number] {
  const length = bytes[at + 1] ?? 0;
  const value = bytes.subarray(at + 2, at + 2 + length);
  if (bytes[at] !== 0x02 || length === 0 || length > 33 || value.length !== length || value[0]! > 0x7f) throw notDer();
  const number = BigInt(`0x${value.toString('hex')}`);
  if (number === 0n || number >= P256_ORDER) throw notDer();
  return [number, at + 2 + length];
}

const notDer = (): OpalineError =>
  new OpalineError('SIGNATURE_INVALID', 'The signature of the passkey is no ECDSA signature in DER.');
