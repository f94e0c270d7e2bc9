import { type AuditReport, auditReportSchema } from '../../contracts/audit-report.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import {
  AUDIT_RECEIPT_FORMAT,
  type AuditReceipt,
  auditReceiptSchema,
  shadowReceiptSchema,
} from '../../contracts/formats/stage-receipts.ts';
import {
  BUILD_ID_LENGTH,
  type Partition,
  parsePartitionPath,
  parseReleasePath,
  partitionPath,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
} from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { DeriveInput, Run, Shadow } from '../../contracts/stages.ts';
import { mapAtOnce } from '../at-once.ts';
import { findSigners, signDocument } from '../signing/signed-document.ts';
import { parseDocument } from '../signing/signed-objects.ts';
import { jsonBytes, keysBelow, readBytes, readBytesIfPresent, sha256 } from '../stores/json-objects.ts';
import { newestVersion } from '../trust/trust-chain.ts';
import { keysValidAt } from '../trust/trusted-keys.ts';
import { type DrawingBuild, type Grounds, outcomesOf, requireReceipts, reserveOfCharge } from './require-receipts.ts';

/** A release under its charge. */
type ChargedRun = Run & { charge: string };

/**
 * The tallies of the shadow runs of a release, one for each build that newly drew part of it. Refuses a draw of a build
 * that the private worker has signed no shadow run of, under the very reserve of the draw: its sampler was never tried,
 * and whoever answers in its place could hide a fault of the mechanism. What a correction carries over was tried with
 * the version that drew it, and has its receipt there. Throws VERIFICATION_FAILED.
 *
 * @contract C15
 */
export async function requireShadows(
  { releaseStore, trust, series: { population } }: Grounds,
  release: ChargedRun,
  drawnBy: readonly DrawingBuild[],
): Promise<Shadow[]> {
  if (drawnBy.length === 0) throw refusal('The release is not taken', 'nothing of it was drawn');
  const own: Shadow[] = [];
  const others: Shadow[] = [];
  for (const { reserve, build } of drawnBy) {
    const { charge, sequence } = reserve;
    const refuse = (reason: string) =>
      refusal(`The shadow run of build ${build.slice(0, BUILD_ID_LENGTH)} is not taken`, reason);
    const key = RELEASE_KEYS.shadowReceipt(parseReleasePath(reserve.release)!, build);
    const bytes = await readBytesIfPresent(releaseStore, key);
    const object = bytes && parseDocument(bytes, shadowReceiptSchema);
    if (!object) throw refuse('a draw is of this build, and it has no receipt of the private worker');
    const { document: receipt, envelope } = object;
    if (findSigners(envelope, keysValidAt(newestVersion(trust).ledgers, { population, sequence })).size === 0)
      throw refuse('its receipt is not signed by the private worker of the trust file');
    if (receipt.release !== reserve.release || receipt.charge !== charge || receipt.build !== build)
      throw refuse('its receipt is about another release, charge or build');
    if (receipt.seriesDigest !== reserve.series.digest) throw refuse('its receipt is about another series file');
    (charge === release.charge ? own : others).push(receipt.tallies);
  }
  return own.length > 0 ? own : others;
}

/**
 * Digest of what a verdict is on: the drawn tables, the holes, and the series file by which the audit goes. The order in
 * which they are named does not count.
 */
export const auditInputs = ({ draws, holes }: Pick<DeriveInput, 'draws' | 'holes'>, declaration: string): string =>
  sha256(
    jsonBytes({
      declaration,
      draws: draws.map(({ partition, digest }) => `${partitionPath(partition)} ${digest}`).sort(),
      holes: holes.map((hole) => `${partitionPath(hole)} ${hole.code}`).sort(),
    }),
  );

/** The verdict on a release with the manifest that it was come to for; each as it is stored. */
export type SignedAudit = { manifest: Manifest; manifestBytes: Buffer; report: AuditReport };

/**
 * Puts the public worker's word that it audited a release, with the publisher's key (PKCS#8 PEM), and gives the one that
 * counts: the first on these inputs.
 *
 * Safe to run twice: it is put if absent.
 */
export async function putAudit(
  grounds: Grounds,
  { inputs, manifest, report }: Pick<SignedAudit, 'manifest' | 'report'> & { inputs: string },
  publisherKey: string,
): Promise<SignedAudit> {
  const receipt: AuditReceipt = { format: AUDIT_RECEIPT_FORMAT, inputs, manifest, report };
  const bytes = jsonBytes(signDocument(receipt, publisherKey));
  await grounds.releaseStore.putIfAbsent(RELEASE_KEYS.auditReceipt(manifest, inputs), bytes);
  return (await readAudit(grounds, manifest, inputs))!;
}

/**
 * The audit of a release on these inputs that a public worker of the trust file has signed; null when there is none yet.
 * Throws COPY_DIFFERS when something else is there, or one of another release, charge or inputs.
 *
 * @contract C15
 */
export async function readAudit(grounds: Grounds, release: ChargedRun, inputs: string): Promise<SignedAudit | null> {
  const bytes = await readBytesIfPresent(grounds.releaseStore, RELEASE_KEYS.auditReceipt(release, inputs));
  if (!bytes) return null;
  const audit = auditIn(bytes, grounds, inputs);
  if (typeof audit === 'string') throw copyError(audit);
  if (!jsonBytes(ofRelease(audit.manifest)).equals(jsonBytes(ofRelease(release))))
    throw copyError('is of another release');
  return audit;
}

/**
 * All audits of a release that a public worker of the trust file has signed, under a charge that the ledger has for it:
 * one for each declaration. Whatever else is there does not count.
 *
 * @contract C15
 */
export async function readAudits(grounds: Grounds, release: ReleaseReference): Promise<SignedAudit[]> {
  const audits: SignedAudit[] = [];
  for (const { bytes, inputs } of await auditReceipts(grounds.releaseStore, release)) {
    const audit = auditIn(bytes, grounds, inputs);
    if (typeof audit === 'string') continue;
    const reserve = reserveOfCharge(grounds.ledger, audit.manifest.charge);
    const name = releasePath(audit.manifest);
    if (name === releasePath(release) && reserve?.release === name) audits.push(audit);
  }
  return audits;
}

/** Whatever is stored where the receipts of a release's audits are, and the inputs that its key names. */
export async function auditReceipts(store: ObjectStore, release: ReleaseReference) {
  const prefix = RELEASE_KEYS.auditReceipts(release);
  return mapAtOnce(await keysBelow(store, prefix), 1, async (key) => {
    return { bytes: await readBytes(store, key), inputs: key.slice(prefix.length, -'.json'.length) };
  });
}

/** The audit that a receipt is of, or what it is instead. */
function auditIn(bytes: Buffer, grounds: Grounds, inputs: string): SignedAudit | string {
  const object = parseDocument(bytes, auditReceiptSchema);
  const manifest = manifestSchema.safeParse(object?.document.manifest).data;
  const report = auditReportSchema.safeParse(object?.document.report).data;
  if (!object || !manifest || !report) return 'is not one';
  const { envelope, document: receipt } = object;
  const place = { population: grounds.series.population, sequence: manifest.ledger.sequence };
  const keys = keysValidAt(newestVersion(grounds.trust).publishers, place);
  if (findSigners(envelope, keys).size === 0) return 'is not signed by a public worker of the trust file';
  if (receipt.inputs !== inputs || manifest.population !== grounds.series.population) return 'is of another release';
  return { manifest, manifestBytes: jsonBytes(receipt.manifest), report };
}

/**
 * Refuses a manifest that no public worker of the trust file has audited, one that leaves a partition out, and one of
 * whose tables or holes the private worker did not sign: whoever holds the release store and Temporal at once could have
 * staged it. `window`: its partitions; null where the kind is not known, as the audit has seen that none is left out.
 * Reads a small object for each partition. Throws VERIFICATION_FAILED and COPY_DIFFERS.
 *
 * @contract C11
 * @contract C15
 * @contract C16
 */
export async function requireAudited(
  grounds: Grounds,
  manifest: Manifest,
  manifestDigest: string,
  window: readonly Partition[] | null,
): Promise<void> {
  const { correction, partitions } = manifest;
  const paths = partitions.map(partitionPath).sort();
  if (window && paths.join(' ') !== window.map(partitionPath).sort().join(' '))
    throw refusal('The manifest is not taken', 'not every partition of the window is in it, once');
  const redrawn = correction?.redrawn.flatMap((path) => parsePartitionPath(path) ?? []) ?? [];
  const release = {
    ...manifest,
    correction: correction && { of: correction.of, reason: correction.reason, partitions: redrawn },
  };
  const receipts = await requireReceipts(grounds, release, partitions);
  if (auditInputs(outcomesOf(receipts.partitions), '') !== auditInputs(outcomesOf(partitions), ''))
    throw refusal('The manifest is not taken', 'it has another table or hole than the private worker has signed');
  await requireAuditReceipt(grounds, manifest, manifestDigest);
}

/** The part of it that is about the audit alone. Throws as requireAudited does. */
export async function requireAuditReceipt(
  grounds: Grounds,
  release: ReleaseReference,
  manifestDigest: string,
): Promise<void> {
  const audits = await readAudits(grounds, release);
  if (audits.some(({ manifestBytes }) => sha256(manifestBytes) === manifestDigest)) return;
  throw refusal('The manifest is not taken', 'no public worker has signed that it audited it');
}

/** What a receipt names a release by. */
const ofRelease = ({ charge, seriesDigest, ...release }: ChargedRun) => ({
  release: releasePath(release),
  seriesDigest,
  charge,
});

const copyError = (what: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `What is where the receipt of the audit should be ${what}; find out who wrote it, take it away, and retry.`,
  );

const refusal = (what: string, reason: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `${what}: ${reason}; find out who wrote it.`);
