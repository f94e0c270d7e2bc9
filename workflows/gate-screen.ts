import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { DecisionKind, Envelope } from '../contracts/decision.ts';
import { FILES, type ReleaseReference, releasePath } from '../contracts/names.ts';
import { hasLowS, mistakeInAssertion } from '../contracts/passkey.ts';
import type { GateKind } from '../contracts/release-state.ts';
import { badSignature, type Failure, type SigningApprover, type SigningApprovers } from '../contracts/stages.ts';

/** What a decision has to be about. */
type Matter = ReleaseReference & { manifestDigest: string; gate: GateKind; action: DecisionKind };

const LEAST_PAUSE_MS = 10_000;
/** The approvers may be read again when so much of the time since the first reading has passed. */
const PART_OF_TIME = 1 / 50;

/**
 * What a gate knows of those who may sign, and of what it has answered. It turns junk away in the validator of an
 * Update, where nothing is kept: whoever reaches Temporal can send a decision, and only people with a key can make one
 * that counts. It believes nobody: what passes here is judged by the activity, from the newest list of approvers.
 *
 * Everything in it follows from the history, so that a replay comes to the same.
 */
export class GateScreen {
  /** Those who may sign; null while it is not known. */
  approvers: SigningApprovers | null = null;
  /** When the approvers were read first and last; milliseconds. */
  private readings: { first: number; last: number } | null = null;
  /** Statements (as base64) that were answered, with the digest of the file that named the approvers then. */
  private readonly answered = new Map<string, string>();

  /** Notes that the approvers are being read. */
  begin(now: number): void {
    this.readings = { first: this.readings?.first ?? now, last: now };
  }

  /**
   * Milliseconds until the approvers may be read again. Whoever asks for it, everybody has the new list then, so that
   * nobody can be kept out; and as the pauses grow with the time, they are read some six hundred times in a year.
   */
  pause(now: number): number {
    if (!this.readings) return 0;
    const { first, last } = this.readings;
    return Math.max(0, last + Math.max(LEAST_PAUSE_MS, (now - first) * PART_OF_TIME) - now);
  }

  /** Notes that a statement was answered by the activity: again, under the same approvers, it would say nothing new. */
  note({ payload }: Envelope): void {
    this.answered.set(payload, this.approvers?.digest ?? '');
  }

  /**
   * Why a decision says nothing here; null when it is for the activity to judge. Only what an approver has signed, over
   * this manifest and for this action, and has not sent before, gets that far. While it is not known who may sign, one
   * decision passes as often as the approvers can be read: it has them read.
   */
  refusal(envelope: Envelope, about: Matter, now: number): Failure | null {
    if (!this.approvers)
      return this.pause(now) === 0
        ? null
        : { code: 'STORE_UNAVAILABLE', message: 'It is not known yet who may sign; try again in a moment.' };
    const statement = readSigned(envelope, this.approvers.approvers);
    if ('code' in statement) return statement;
    const manifest = `${releasePath(about)}/${FILES.manifest}`;
    if (!statement.manifests.some(({ name, sha256 }) => name === manifest && sha256 === about.manifestDigest))
      return {
        code: 'DIGEST_STALE',
        message: 'The decision names another manifest than the one at the gate; look again.',
      };
    if (statement.decision !== about.action || statement.gate !== about.gate)
      return badSignature('The signed statement says something else than what it was sent for.');
    if (this.answered.get(envelope.payload) === this.approvers.digest)
      return { code: 'ALREADY_DECIDED', message: 'This very statement was answered before.' };
    return null;
  }
}

/** What the gate reads of a statement: of which subject it is, and what it is over. */
type SignedStatement = {
  subject: string;
  gate: string;
  decision: string;
  manifests: { name: string; sha256: string }[];
};

/**
 * The statement in an envelope whose one signature is of a key that the approvers have for its subject; or why it is
 * not. It is there to keep junk out: what passes is read and checked once more by the activity, to the last byte.
 *
 * Cost: one verification, Ed25519 about 3 ms and P-256 as much, for an envelope that names the key of an approver; for
 * others next to nothing.
 */
function readSigned(
  { payloadType, payload, signatures }: Envelope,
  approvers: readonly SigningApprover[],
): SignedStatement | Failure {
  const [signature] = signatures;
  const owners = approvers.filter(({ keyid }) => keyid === signature?.keyid);
  const bytes = fromBase64(payload);
  const sig = fromBase64(signature?.sig ?? '');
  if (!bytes || !sig) return badSignature('The base64 of the envelope is not canonical.');
  const [owner] = owners;
  if (!owner || !signature)
    return { code: 'SUBJECT_UNKNOWN', message: 'The key is not one of an approver of the series; ask who is.' };
  const mistake = mistakeInSignature(encode(payloadType, bytes), signature, sig, owner);
  if (mistake !== null) return badSignature(mistake);
  const statement = readStatement(bytes);
  if (!statement) return badSignature('The signed text is not a decision.');
  if (!owners.some(({ subject }) => subject === statement.subject))
    return badSignature('The signature is not of a key that the series names for the subject.');
  return statement;
}

/** RFC 8032 and nothing more tolerant: an encoding that is not canonical is refused, and so is a key of small order. */
const STRICT = { zip215: false };

/** Why a signature over an encoded statement is not of a key, in a sentence; null when it is. */
function mistakeInSignature(
  statement: Uint8Array,
  { passkey: assertion }: Envelope['signatures'][number],
  sig: Uint8Array,
  { key: text, passkey }: SigningApprover,
): string | null {
  const wrong = 'The signature does not fit the statement.';
  const key = fromBase64(text);
  if (!key || sig.length !== 64 || (assertion === undefined) !== (passkey === null)) return wrong;
  if (!assertion || !passkey) return isEd25519(sig, statement, key) ? null : wrong;
  const clientData = fromBase64(assertion.clientDataJSON);
  const authenticatorData = fromBase64(assertion.authenticatorData);
  if (!clientData || !authenticatorData) return 'The base64 of the envelope is not canonical.';
  const terms = {
    challenge: sha256(statement),
    relyingPartyHash: sha256(new TextEncoder().encode(passkey.relyingParty)),
    origins: passkey.origins,
  };
  const mistake = mistakeInAssertion(clientData, authenticatorData, terms);
  if (mistake !== null) return mistake;
  const message = join(authenticatorData, sha256(clientData));
  const holds =
    passkey.algorithm === 'Ed25519'
      ? isEd25519(sig, message, key)
      : key.length === 65 && hasLowS(sig) && p256.verify(sig, message, key);
  return holds ? null : wrong;
}

const isEd25519 = (sig: Uint8Array, message: Uint8Array, key: Uint8Array): boolean =>
  key.length === 32 && ed25519.verify(sig, message, key, STRICT);

function join(head: Uint8Array, tail: Uint8Array): Uint8Array {
  const both = new Uint8Array(head.length + tail.length);
  both.set(head);
  both.set(tail, head.length);
  return both;
}

/** The bytes that a signature is about (DSSE). */
function encode(payloadType: string, payload: Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  const head = encoder.encode(`DSSEv1 ${encoder.encode(payloadType).length} ${payloadType} ${payload.length} `);
  return join(head, payload);
}

function readStatement(bytes: Uint8Array): SignedStatement | null {
  try {
    const { subject: manifests, predicate } = JSON.parse(new TextDecoder().decode(bytes));
    return {
      subject: String(predicate.subject),
      gate: String(predicate.gate),
      decision: String(predicate.decision),
      manifests: manifests.map(({ name, digest }: { name: unknown; digest: { sha256: unknown } }) => ({
        name: String(name),
        sha256: String(digest.sha256),
      })),
    };
  } catch {
    return null; // signed by an approver, and no statement all the same
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** What each ASCII character of base64 stands for. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)));

/**
 * The bytes of a base64 text (RFC 4648, section 4, padded); null unless it is the one text for these bytes, without line
 * ends and with zeros in the bits that stand for nothing. Written out, as workflows have nothing of Node. Cost: O(text).
 */
export function fromBase64(text: string): Uint8Array | null {
  const digits = text.replace(/={1,2}$/, '');
  if (text.length % 4 !== 0 || /[^A-Za-z0-9+/]/.test(digits)) return null;
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  for (let at = 0, width = 0, length = 0; at < digits.length; at += 1) {
    bits = ((bits & 0xff) << 6) | VALUES[digits.charCodeAt(at)]!;
    width += 6;
    if (width < 8) continue;
    width -= 8;
    bytes[length] = bits >> width;
    length += 1;
  }
  const rest = (digits.length * 6) % 8;
  return (bits & ((1 << rest) - 1)) === 0 ? bytes : null;
}
