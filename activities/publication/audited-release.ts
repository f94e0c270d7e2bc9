import { OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { auditReceiptSchema } from '../../contracts/formats/stage-receipts.ts';
import { FILES, RELEASE_KEYS, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Believed } from '../draws/draw-receipt.ts';
import { parseReceipt } from '../draws/receipt-envelope.ts';
import { type SignedAudit, signedAudit } from '../draws/stage-receipt.ts';
import { believedLedger, type LedgerReader } from '../ledger/believed-ledger.ts';
import { readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { readWithDigest } from './staged-files.ts';

/** A release as a public worker of the trust file has signed that it audited it, and what it was judged by. */
export type AuditedRelease = SignedAudit & { manifestDigest: string; believed: Believed };

/** Where the receipts of a release lie: of the second audit, which counts where there is one, and of the first. */
const receiptKeys = (release: ReleaseReference): string[] => [
  RELEASE_KEYS.reauditReceipt(release),
  RELEASE_KEYS.auditReceipt(release),
];

/**
 * The release that would be published, for everything that a person is shown of it or signs: nothing that lies in the
 * release store is taken on trust. Null before its audit. Throws COPY_DIFFERS when something else lies where a receipt
 * should be, and what the ledger and the trust file throw.
 *
 * @contract C16
 */
export async function auditedRelease(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease | null> {
  for (const key of receiptKeys(release)) {
    const named = await namedIn(reader.releaseStore, key);
    if (!named) continue;
    const run = { ...release, seriesDigest: named.seriesDigest, charge: named.charge };
    const trust = await reader.trust();
    const series = await readSeries(reader.releaseStore, run);
    const ledger = await believedLedger({ ...reader, trust: async () => trust }, series.population);
    const believed = { trust, ledger, series };
    const audited = await signedAudit(reader.releaseStore, believed, run, key);
    if (audited?.manifest.population !== series.population) throw differs('receipt of its audit', release);
    return { ...audited, manifestDigest: sha256(audited.manifestBytes), believed };
  }
  return null;
}

/** The same of a release that has to have been audited. Throws OBJECT_MISSING too. */
export async function requireAuditedRelease(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease> {
  const audited = await auditedRelease(reader, release);
  if (audited) return audited;
  throw new OpalineError(
    'OBJECT_MISSING',
    `${releasePath(release)} has no manifest: its audit was not run yet, or there is no such release.`,
  );
}

/** The manifest of the receipt at a key, which nobody has checked yet; null: there is none. Throws COPY_DIFFERS. */
async function namedIn(store: ObjectStore, key: string): Promise<Pick<Manifest, 'seriesDigest' | 'charge'> | null> {
  const bytes = await readBytesIfPresent(store, key);
  if (!bytes) return null;
  const manifest = manifestSchema.safeParse(parseReceipt(bytes, auditReceiptSchema, 'receipt')?.receipt.manifest);
  if (manifest.success) return manifest.data;
  throw new OpalineError('COPY_DIFFERS', 'What lies where the receipt of an audit should be is none.');
}

/** A file as it was audited; null when the release has none of this name. Throws COPY_DIFFERS. */
export async function auditedFile(
  store: ObjectStore,
  { manifest, manifestDigest }: AuditedRelease,
  name: string,
): Promise<Buffer | null> {
  const digest = name === FILES.manifest ? manifestDigest : manifest.files.find((file) => file.name === name)?.sha256;
  if (digest === undefined) return null;
  const bytes = await readWithDigest(store, manifest, name, digest);
  if (bytes) return bytes;
  throw differs(name, manifest);
}

/** Everything that would be published, by name, as it was audited. Throws COPY_DIFFERS. */
export async function auditedFiles(store: ObjectStore, audited: AuditedRelease): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of [FILES.manifest, ...audited.manifest.files.map((file) => file.name)])
    files.set(name, (await auditedFile(store, audited, name))!);
  return files;
}

const differs = (name: string, release: ReleaseReference): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} of ${releasePath(release)} is missing, or is not the one that was audited. Nothing of the release is shown or signed until the audited one is back; find out who wrote it.`,
  );
