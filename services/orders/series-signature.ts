import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { SERIES_SIGNATURE_FORMAT, type SeriesSignature, seriesSignatureSchema } from '../../contracts/formats/order.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { publicKeyOf } from '../signing/keys.ts';
import { findSigners, signDocument } from '../signing/signed-document.ts';
import { parseDocument, readDocuments, type StoredDocument } from '../signing/signed-objects.ts';
import { jsonBytes, sha256 } from '../stores/json-objects.ts';

/** A loaded series file, as far as it is signed, and the signature beside it. */
type Signable = { series: { series: string }; digest: string };
type Loaded = Signable & { signature: Buffer | null };

/** Where the signature of a series file is: beside it. */
export const signatureFile = (path: string): string => `${path}.signature.json`;

/** Signs that a series file may be run, under a number. Throws KEY_INVALID. */
export function signSeries({ series, digest }: Signable, number: number, privateKey: string): Buffer {
  const signature: SeriesSignature = { format: SERIES_SIGNATURE_FORMAT, series: series.series, number, digest };
  return jsonBytes(signDocument(signature, privateKey));
}

/** The signatures of a series file in the release store, without those that are not meant; anybody may put some there. */
export const seriesSignatures = (
  store: ObjectStore,
  { series, digest }: { series: string; digest?: string },
  isMeant: (object: StoredDocument<SeriesSignature>) => boolean = () => true,
): Promise<StoredDocument<SeriesSignature>[]> =>
  readDocuments(
    store,
    RELEASE_KEYS.seriesSignatures(series, digest),
    seriesSignatureSchema,
    (one) => one.document.series === series && (digest === undefined || one.document.digest === digest) && isMeant(one),
  );

/**
 * The number for a signature of the file by a key (PKCS#8 PEM): the one that it has, when no other file of the series has
 * a greater one; the next one otherwise, from 1. What is known of are the signature beside the file and, unless null,
 * those of this key in the store: what strangers put there counts for nothing. Throws USAGE when no number is left.
 */
export async function nextNumber(
  store: ObjectStore | null,
  { series, digest, signature }: Loaded,
  privateKey: string,
): Promise<number> {
  const publicKey = publicKeyOf(privateKey);
  const isOwnKey = ({ envelope }: StoredDocument<SeriesSignature>) => findSigners(envelope, [publicKey]).size > 0;
  const objects = store ? await seriesSignatures(store, series, isOwnKey) : [];
  const beside = signature && parseDocument(signature, seriesSignatureSchema);
  const signatures = [...objects, ...(beside?.document.series === series.series ? [beside] : [])];
  const greatest = Math.max(0, ...signatures.map(({ document }) => document.number));
  const newest = signatures.filter(({ document }) => document.number === greatest);
  if (newest.length > 0 && newest.every(({ document }) => document.digest === digest)) return greatest;
  if (greatest < Number.MAX_SAFE_INTEGER) return greatest + 1;
  throw wrongUse(
    `A file of ${series.series} was signed with the greatest number that there is; take the next series name.`,
  );
}

/**
 * Refuses a series file that would be started without a signature: none is beside it or in the release store, and
 * there is no key to make one. Whose key it is, only the private worker knows. Changes nothing. Throws SERIES_UNSIGNED,
 * and SIGNATURE_INVALID when the one beside it is of another file.
 */
export async function requireSignature(store: ObjectStore, file: Loaded, privateKey: string | null): Promise<void> {
  const { series, digest, signature } = file;
  if (signature) return requireOwn(file, signature);
  if (privateKey !== null) return;
  if ((await seriesSignatures(store, { series: series.series, digest })).length > 0) return;
  throw new OpalineError(
    'SERIES_UNSIGNED',
    `No key of the policy has signed this file of ${series.series}; \`opaline series sign\` does.`,
  );
}

/** Throws SIGNATURE_INVALID when a signature is of another file. */
function requireOwn({ series, digest }: Signable, signature: Buffer): void {
  const object = parseDocument(signature, seriesSignatureSchema);
  if (object?.document.series === series.series && object.document.digest === digest) return;
  throw new OpalineError(
    'SIGNATURE_INVALID',
    `The signature beside the file of ${series.series} is of another file; sign it again with \`opaline series sign\`.`,
  );
}

/**
 * Puts the signature of a series file into the release store: the one that is beside it, or one of the key, when there
 * is a key. Throws SIGNATURE_INVALID when the one beside it is of another file.
 */
export async function putSignature(store: ObjectStore, file: Loaded, privateKey: string | null): Promise<void> {
  const { series, digest, signature } = file;
  const bytes =
    signature ?? (privateKey === null ? null : signSeries(file, await nextNumber(store, file, privateKey), privateKey));
  if (bytes === null) return;
  requireOwn(file, bytes);
  await store.putIfAbsent(RELEASE_KEYS.seriesSignature(series.series, digest, sha256(bytes)), bytes);
}
