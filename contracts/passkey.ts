import { isRecord } from './is-record.ts';

/**
 * The signature of a passkey (WebAuthn Level 3), as the gate's workflow, the workers and readers check it: own code on
 * bytes, without a library, a clock or a hash, so that each of them can load it. docs/trust.md states the rules.
 */

/** How a passkey signs: ES256 is ECDSA on P-256 with SHA-256. What a message says of its algorithm is not read. */
export const PASSKEY_ALGORITHMS = ['ES256', 'Ed25519'] as const;
export type PasskeyAlgorithm = (typeof PASSKEY_ALGORITHMS)[number];

/** The relying party that every program on a computer shares; it counts in the trust file of a trial alone. */
export const LOCALHOST = 'localhost';

/** Hash of the relying party, flags, and counter: no attested credential and no extension is there when it signs. */
const AUTHENTICATOR_BYTES = 37;
/** A page adds to it what it likes; browsers write some 200 bytes. */
const CLIENT_DATA_BYTES = 1024;

/** Characters of base64. */
export const ASSERTION_CHARACTERS = {
  authenticatorData: 4 * Math.ceil(AUTHENTICATOR_BYTES / 3),
  clientDataJSON: 4 * Math.ceil(CLIENT_DATA_BYTES / 3),
} as const;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;

/** What a signature has to be of: bytes, each 32 of a SHA-256, and the addresses of pages. */
export type ExpectedAssertion = {
  challenge: Uint8Array;
  relyingPartyHash: Uint8Array;
  origins: readonly string[];
};

/** Why an assertion does not count, in a sentence; null: it does, if the signature holds. Nothing is put right. */
export function mistakeInAssertion(
  clientDataJSON: Uint8Array,
  authenticatorData: Uint8Array,
  expectation: ExpectedAssertion,
): string | null {
  return mistakeInClientData(clientDataJSON, expectation) ?? mistakeInAuthenticator(authenticatorData, expectation);
}

/**
 * The text begins as section 5.8.1.1 has browsers write it, for one of the origins. What follows is read to see that no
 * member occurs twice and that no other page embeds this one: JSON that is not as JSON.stringify writes it has no place.
 */
function mistakeInClientData(bytes: Uint8Array, { challenge, origins }: ExpectedAssertion): string | null {
  if (bytes.length > CLIENT_DATA_BYTES) return 'The client data of the passkey are too long.';
  const [text, value] = readJson(bytes);
  if (text === null || !isRecord(value)) return 'The client data of the passkey are no JSON.';
  const prefixOf = (origin: string): string =>
    `{"type":"webauthn.get","challenge":"${base64url(challenge)}","origin":${JSON.stringify(origin)},"crossOrigin":false`;
  const isBegun = origins.some(
    (origin) => /^[,}]/.test(text.slice(prefixOf(origin).length)) && text.startsWith(prefixOf(origin)),
  );
  if (!isBegun)
    return 'The client data of the passkey do not begin as they have to: the type, this statement, an origin of the trust file, and no other page around it.';
  if (JSON.stringify(value) !== text)
    return 'The client data of the passkey say something twice, or not in the one form.';
  return Object.hasOwn(value, 'topOrigin') ? 'Another page was around the one that asked for the passkey.' : null;
}

function mistakeInAuthenticator(data: Uint8Array, { relyingPartyHash }: ExpectedAssertion): string | null {
  if (data.length !== AUTHENTICATOR_BYTES)
    return 'The authenticator data of the passkey hold more, or less, than they may.';
  if (relyingPartyHash.length !== 32 || relyingPartyHash.some((byte, at) => byte !== data[at]))
    return 'The passkey was asked for by another relying party.';
  const flags = data[32]!;
  const isVerified = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0;
  const mask = USER_PRESENT | USER_VERIFIED | BACKUP_ELIGIBLE | BACKED_UP;
  if (!isVerified) return 'The authenticator did not verify that the person was there.';
  return (flags & ~mask) !== 0 ? 'The authenticator set flags that no signature has.' : null;
}

/** What an authenticator reports of itself; nothing is refused by it. A passkey that is synchronised counts 0. */
export const reportOfAuthenticator = (data: Uint8Array) => ({
  /** A copy of the key can be, and is, with the maker of the authenticator. */
  canBeBackedUp: (data[32]! & BACKUP_ELIGIBLE) !== 0,
  isBackedUp: (data[32]! & BACKED_UP) !== 0,
  counter: data.slice(33, 37).reduce((number, byte) => number * 256 + byte, 0),
});

function readJson(bytes: Uint8Array): [string, unknown] | [null, null] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return [text, JSON.parse(text)];
  } catch {
    return [null, null];
  }
}

/** Order n of P-256 (SP 800-186, section 3.2.1.3): a signature with s has a second form with n − s. */
export const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Is a signature r‖s of P-256 in the one form of the two that it has? */
export const hasLowS = (signature: Uint8Array): boolean => {
  const s = signature.slice(32).reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  return signature.length === 64 && 2n * s < P256_ORDER;
};

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** RFC 4648, section 5, without padding. */
function base64url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const word = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const digits = [word >> 18, word >> 12, word >> 6, word].map((value) => DIGITS[value & 63]!);
    text += digits.slice(0, Math.min(bytes.length - at, 3) + 1).join('');
  }
  return text;
}

/** A decision as it is counted: by whom, and of a passkey for which relying party; null: with a key file. */
export type CountedDecision = { subject: string; relyingParty: string | null };

/** What a release needs: `required` people, and `elsewhere` of them outside any one host. */
type Needed = { required: number; elsewhere: number };

/**
 * The decision with which there were enough, in the order in which they came; null: there are not enough yet. One that
 * comes later changes nothing, so that a cooling time begins once.
 */
export function lastNeeded<One extends CountedDecision & { arrivedAt: string }>(
  decisions: readonly One[],
  { required, elsewhere }: Needed,
): One | null {
  const inOrder = [...decisions].sort((a, b) => (a.arrivedAt < b.arrivedAt ? -1 : 1));
  const isEnough = (ones: readonly One[]): boolean => peopleOf(ones) >= required && countElsewhere(ones) >= elsewhere;
  return inOrder.find((_, place) => isEnough(inOrder.slice(0, place + 1))) ?? null;
}

/**
 * How many people decided in a way that no single host of pages had in hand, whichever host that is. The page of a host
 * can ask for passkeys of the host's own name and of the domains above it. It never falls when somebody more decides.
 */
export function countElsewhere(decisions: readonly CountedDecision[]): number {
  const isReached = (host: string, party: string | null): boolean =>
    party !== null && (host === party || host.endsWith(`.${party}`));
  const hosts = decisions.flatMap(({ relyingParty }) => relyingParty ?? []);
  const others = hosts.map((host) => peopleOf(decisions.filter(({ relyingParty }) => !isReached(host, relyingParty))));
  return Math.min(peopleOf(decisions), ...others);
}

const peopleOf = (ones: readonly CountedDecision[]): number => new Set(ones.map(({ subject }) => subject)).size;
