import type { z } from 'zod';
import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import type { Numbered } from '../../contracts/formats/common.ts';
import { type TrustVersion, trustFileSchema, trustVersionSchema } from '../../contracts/formats/trust.ts';
import { countElsewhere } from '../../contracts/passkey.ts';
import { credentialKeyIdOrNull, mistakeInPasskey, ownerOf } from '../signing/credential.ts';
import { payloadOf } from '../signing/envelope.ts';
import { findSigners, readDocument } from '../signing/signed-document.ts';
import { isSubject, lookOf, peopleAmong } from '../signing/subjects.ts';
import { jsonOrNull, sha256 } from '../stores/json-objects.ts';
import { isRetired, type LedgerPlace } from './trusted-keys.ts';

/** A version of the trust file that was checked, with what its roots signed and the digest of that. */
export type TrustedVersion = TrustVersion & { digest: string; envelope: Envelope };

/** All versions of a trust file, the oldest first; there is at least one. */
export type TrustChain = readonly TrustedVersion[];

/** A thousand versions of a handful of keys are far below it. */
export const TRUST_FILE_BYTES = 8 * 2 ** 20;

/**
 * Reads a trust file and walks its chain: each version has the next number, names the digest of the one before, and is
 * signed by as many root keys of that one as it asks for; the first by as many of its own. Throws TRUST_INVALID.
 *
 * @contract C16
 */
export function readTrustChain(bytes: Buffer): TrustChain {
  const { versions } = fileOf(bytes);
  const chain: TrustedVersion[] = [];
  for (const envelope of versions) chain.push(nextVersion(chain, envelope));
  return chain;
}

/** The next version of a chain, checked against it. Throws TRUST_INVALID. */
export function nextVersion(chain: TrustChain, envelope: Envelope): TrustedVersion {
  const number = chain.length + 1;
  const version = documentOf(envelope, number);
  requireNext(chain, version);
  const { keys, threshold } = (chain.at(-1) ?? version).roots;
  const count = signaturesOf(envelope, keys);
  if (count < threshold)
    throw invalid(
      `Version ${number} of the trust file has ${count} signatures of the root keys that have to sign it, and needs ${threshold}.`,
    );
  return { ...version, digest: sha256(payloadOf(envelope)), envelope };
}

/** A version is sound in itself, and follows a chain. Throws TRUST_INVALID. */
export function requireNext(chain: TrustChain, version: TrustVersion): void {
  const number = chain.length + 1;
  const mistake = mistakeOf(version);
  if (mistake) throw invalid(`Version ${number} of the trust file is not sound: ${mistake}`);
  if (version.number !== number || version.previous !== (chain.at(-1)?.digest ?? null))
    throw invalid(`Version ${number} of the trust file does not follow the one before it; take the whole file again.`);
}

/** How many of the root keys signed an envelope; a signature of anybody else counts for nothing. */
export const signaturesOf = (envelope: Envelope, roots: readonly string[]): number => findSigners(envelope, roots).size;

/** The version that is believed now: the last one. */
export const newestVersion = (chain: TrustChain): TrustedVersion => chain.at(-1)!;

/** The version that a document names, or null when the file has no such version: an older file, or another's. */
export const findVersion = (chain: TrustChain, { number, digest }: Numbered): TrustedVersion | null => {
  const version = chain[number - 1];
  return version?.digest === digest ? version : null;
};

/**
 * Approvals that every release needs that was charged at a place of a ledger: what the newest version asks for whose tips
 * are before it. Where none is, the first version asks.
 *
 * @contract C16
 */
export const quorumOfTrust = (chain: TrustChain, place: LedgerPlace): number => bindingVersion(chain, place).required;

/** The version that bound what was charged at a place of a ledger. */
export const bindingVersion = (chain: TrustChain, { population, sequence }: LedgerPlace): TrustedVersion =>
  chain.findLast(({ tips }) => sequence > tipIn(tips, population)) ?? chain[0]!;

/** Approvals made elsewhere that a version asks for of a release that needs `quorum`. */
export const elsewhereOf = ({ elsewhere }: Pick<TrustVersion, 'elsewhere'>, quorum: number): number =>
  elsewhere ?? (quorum > 1 ? 1 : 0);

/** Hours that a version has a release wait after its last approval. */
export const coolingOf = ({ coolingHours }: Pick<TrustVersion, 'coolingHours'>): number => coolingHours ?? 0;

const tipIn = (tips: TrustVersion['tips'], population: string): number =>
  Object.hasOwn(tips, population) ? tips[population]! : 0;

/** What documents say of the version that they were made under. */
export const pinOf = ({ number, digest }: TrustedVersion): Numbered => ({ number, digest });

/**
 * Is the file the one of whoever wrote the deployment? The pinned version has to be in the chain; what its roots signed
 * later is believed with it. Throws TRUST_INVALID.
 */
export function requirePin(chain: TrustChain, pin: Numbered): void {
  if (findVersion(chain, pin)) return;
  throw invalid(
    chain.length < pin.number
      ? `The trust file ends at version ${chain.length}, and the deployment pins version ${pin.number}; take the newer file.`
      : `Version ${pin.number} of the trust file is not the one that the deployment pins; find out who changed which.`,
  );
}

export const invalid = (sentence: string): OpalineError => new OpalineError('TRUST_INVALID', sentence);

function fileOf(bytes: Buffer): z.output<typeof trustFileSchema> {
  if (bytes.length > TRUST_FILE_BYTES) throw invalid('The trust file is larger than 8 MiB.');
  const { data } = trustFileSchema.safeParse(jsonOrNull(bytes.toString('utf8')));
  if (data) return data;
  throw invalid('This is no trust file; `opaline trust init` and `trust sign` make one.');
}

function documentOf(envelope: Envelope, number: number): TrustVersion {
  try {
    return readDocument(envelope, trustVersionSchema, 'version of a trust file');
  } catch (error) {
    if (error instanceof OpalineError) throw invalid(`Version ${number} of the trust file: ${error.message}`);
    throw error;
  }
}

/** What is wrong with a version in itself, in a sentence; null when nothing is. */
export function mistakeOf(version: TrustVersion): string | null {
  const { roots, ledgers, publishers, approvers, required, demo } = version;
  const ids = [...roots.keys.map((key) => ({ key })), ...ledgers, ...publishers, ...approvers].map(
    credentialKeyIdOrNull,
  );
  if (ids.includes(null))
    return 'one of its keys is no Ed25519 public key that can be believed, or one of its passkeys none of its algorithm.';
  if (new Set(ids).size < ids.length) return 'a key is in it twice; each has one owner and one use.';
  if (roots.threshold > roots.keys.length)
    return `${roots.threshold} root keys have to sign the next version, and it names ${roots.keys.length}.`;
  const passkeys = approvers.flatMap((one) => ('passkey' in one ? one.passkey : []));
  for (const passkey of passkeys) {
    const mistake = mistakeInPasskey(passkey, demo);
    if (mistake) return mistake;
  }
  if (new Set(passkeys.map(({ credentialId }) => credentialId)).size < passkeys.length)
    return 'a passkey is in it twice; each has one owner.';
  const people = new Map<string, string>();
  for (const { subject } of approvers) {
    if (!isSubject(subject)) return 'the name of an approver holds characters that are not shown, or space at an end.';
    const other = people.get(lookOf(subject)) ?? subject;
    if (other !== subject) return `${other} and ${subject} are one name in two spellings, or look alike; write one.`;
    people.set(lookOf(subject), subject);
  }
  const current = approvers.filter((approver) => !isRetired(approver));
  const present = peopleAmong(current);
  if (required > present) return `${required} approvals are required, and it names ${present} approvers.`;
  const elsewhere = countElsewhere(current.map(ownerOf));
  const minimum = elsewhereOf(version, required);
  return minimum > elsewhere
    ? `${minimum} approvals have to be made elsewhere than at one host, and ${elsewhere} of its approvers can.`
    : null;
}
