import { OpalineError } from '../../contracts/errors.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { auditReceiptSchema } from '../../contracts/formats/stage-receipts.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { mapAtOnce } from '../at-once.ts';
import type { Grounds } from '../draws/require-receipts.ts';
import { auditReceipts, readAudits, type SignedAudit } from '../draws/stage-receipt.ts';
import { type LedgerReader, verifyLedger } from '../ledger/verify-ledger.ts';
import { findSigners } from '../signing/signed-document.ts';
import { parseDocument } from '../signing/signed-objects.ts';
import { sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { newestVersion, type TrustChain } from '../trust/trust-chain.ts';
import { readWithDigest } from './staged-files.ts';

/** A release as a public worker of the trust file has signed that it audited it, and what it was judged by. */
export type AuditedRelease = SignedAudit & { manifestDigest: string; grounds: Grounds };

/**
 * The release that would be published, for everything that a person is shown of it or signs: nothing that is in the
 * release store is taken on trust. Of two audits the second one, under a corrected declaration. Null before its audit.
 * Throws what the ledger and the trust file throw, and COPY_DIFFERS when what is there is no audit that counts.
 *
 * @contract C16
 */
export async function findRelease(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease | null> {
  const trust = await reader.trust();
  const digest = await readDigest(reader.releaseStore, trust, release);
  if (digest === null) return null;
  const series = await readSeries(reader.releaseStore, { series: release.series, seriesDigest: digest });
  const ledger = await verifyLedger({ ...reader, trust: async () => trust }, series.population);
  const grounds = { releaseStore: reader.releaseStore, trust, ledger, series };
  const audits = await readAudits(grounds, release);
  const audit = audits.find(({ report }) => report.corrected) ?? audits[0];
  if (!audit) throw differs('receipt of its audit', release);
  return { ...audit, manifestDigest: sha256(audit.manifestBytes), grounds };
}

/** The same of a release that has to have been audited. Throws OBJECT_MISSING too. */
export async function requireAuditedRelease(reader: LedgerReader, release: ReleaseReference): Promise<AuditedRelease> {
  const audit = await findRelease(reader, release);
  if (audit) return audit;
  throw new OpalineError(
    'OBJECT_MISSING',
    `${releasePath(release)} has no manifest: its audit was not run yet, or there is no such release.`,
  );
}

/**
 * Digest of the series file that a release ran under, as a receipt of its audit names it that has any publisher's
 * signature; null when there is no receipt at all. Throws COPY_DIFFERS when nobody who counts has signed one.
 */
async function readDigest(store: ObjectStore, trust: TrustChain, release: ReleaseReference): Promise<string | null> {
  const keys = newestVersion(trust).publishers.map(({ key }) => key);
  const receipts = await auditReceipts(store, release);
  for (const { bytes } of receipts) {
    const object = parseDocument(bytes, auditReceiptSchema);
    const manifest = manifestSchema.safeParse(object?.document.manifest).data;
    if (object && manifest && findSigners(object.envelope, keys).size > 0) return manifest.seriesDigest;
  }
  if (receipts.length === 0) return null;
  throw differs('receipt of its audit', release);
}

/** A file as it was audited; null when the release has none of this name. Throws COPY_DIFFERS. */
export async function loadFile(
  store: ObjectStore,
  { manifest, manifestDigest }: Pick<AuditedRelease, 'manifest' | 'manifestDigest'>,
  name: string,
): Promise<Buffer | null> {
  const digest = name === FILES.manifest ? manifestDigest : manifest.files.find((file) => file.name === name)?.sha256;
  if (digest === undefined) return null;
  const bytes = await readWithDigest(store, manifest, name, digest);
  if (bytes) return bytes;
  throw differs(name, manifest);
}

/** Everything that would be published, by name, as it was audited. Throws COPY_DIFFERS. */
export async function loadFiles(store: ObjectStore, audit: AuditedRelease): Promise<Map<string, Buffer>> {
  const names = [FILES.manifest, ...audit.manifest.files.map((file) => file.name)];
  const read = async (name: string) => [name, (await loadFile(store, audit, name))!] as const;
  return new Map(await mapAtOnce(names, 1, read));
}

const differs = (name: string, release: ReleaseReference): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} of ${releasePath(release)} is missing, or is not the one that was audited. Nothing of the release is shown or signed until the audited one is back; find out who wrote it.`,
  );
