import { ed25519 } from '@noble/curves/ed25519.js';
import type { Envelope } from '../contracts/decision.ts';
import type { SigningApprover } from '../contracts/stages.ts';
import { fromBase64 } from './base64.ts';

/** What the gate reads of a statement before it believes it: of which subject it is, and what it is over. */
export type ReadStatement = { subject: string; decision: string; manifests: { name: string; sha256: string }[] };

/** Why an envelope is no statement of an approver. */
export type Unbelieved = { code: 'SIGNATURE_INVALID' | 'SUBJECT_UNKNOWN'; message: string };

/**
 * The statement in an envelope whose one signature is of a key that the approvers have for its subject; or why it is
 * not. It is there to keep junk out: what passes is read and checked once more by the activity, to the last byte.
 *
 * Cost: one Ed25519 verification, about 3 ms, for an envelope that names the key of an approver; for others next to
 * nothing.
 */
export function believedStatement(
  { payloadType, payload, signatures }: Envelope,
  approvers: readonly SigningApprover[],
): ReadStatement | Unbelieved {
  const [signature] = signatures;
  const owners = approvers.filter(({ keyid }) => keyid === signature?.keyid);
  const bytes = fromBase64(payload);
  const signed = fromBase64(signature?.sig ?? '');
  const key = fromBase64(owners[0]?.key ?? '');
  if (!bytes || !signed) return unsigned('The base64 of the envelope is not canonical.');
  if (!key || owners.length === 0)
    return { code: 'SUBJECT_UNKNOWN', message: 'The key is not one of an approver of the series; ask who is.' };
  if (!isSigned(payloadType, bytes, signed, key)) return unsigned('The signature does not fit the statement.');
  const statement = readStatement(bytes);
  if (!statement) return unsigned('The signed text is not a decision.');
  if (!owners.some(({ subject }) => subject === statement.subject))
    return unsigned('The signature is not of a key that the series names for the subject.');
  return statement;
}

const unsigned = (message: string): Unbelieved => ({ code: 'SIGNATURE_INVALID', message });

/** RFC 8032 and nothing more tolerant: an encoding that is not canonical is refused, and so is a key of small order. */
const STRICT = { zip215: false };

function isSigned(payloadType: string, payload: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (signature.length !== 64 || key.length !== 32) return false;
  const head = new TextEncoder().encode(
    `DSSEv1 ${new TextEncoder().encode(payloadType).length} ${payloadType} ${payload.length} `,
  );
  const covered = new Uint8Array(head.length + payload.length);
  covered.set(head);
  covered.set(payload, head.length);
  return ed25519.verify(signature, covered, key, STRICT);
}

function readStatement(bytes: Uint8Array): ReadStatement | null {
  try {
    const { subject: manifests, predicate } = JSON.parse(new TextDecoder().decode(bytes));
    const read: ReadStatement = {
      subject: String(predicate.subject),
      decision: String(predicate.decision),
      manifests: manifests.map(({ name, digest }: { name: unknown; digest: { sha256: unknown } }) => ({
        name: String(name),
        sha256: String(digest.sha256),
      })),
    };
    return read;
  } catch {
    return null; // signed by an approver, and no statement all the same
  }
}
