import { auditReportSchema } from '../../contracts/audit-report.ts';
import type { Envelope } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { ATTESTATION_FORMAT, type AttestationStatement } from '../../contracts/formats/attestation.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import { coolingEnd } from '../../contracts/release-state.ts';
import type { PublishInput, PublishResult } from '../../contracts/stages.ts';
import { publishNotBefore } from '../../services/calendar/time-zone.ts';
import { type CheckedDecisions, requireApprovals } from '../../services/decisions/approvals.ts';
import { type Gate, gateFor } from '../../services/decisions/gate-signers.ts';
import { type Grounds, reserveOfCharge } from '../../services/draws/require-receipts.ts';
import { readAudits, requireAudited } from '../../services/draws/stage-receipt.ts';
import { requireEntry } from '../../services/ledger/ledger.ts';
import { holdsTip } from '../../services/ledger/ledger-tip.ts';
import { approversOfApprovals, attestationFile, readAttestation } from '../../services/publication/attestation-file.ts';
import { checksumLines } from '../../services/publication/checksums.ts';
import { moveLatest } from '../../services/publication/latest.ts';
import { lastAuditOf } from '../../services/publication/publication.ts';
import { ensureAttestation } from '../../services/publication/publication-rules.ts';
import { readWithDigest } from '../../services/publication/staged-files.ts';
import { readGrounds, windowOf } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { requirePublisher } from '../../services/release/publisher.ts';
import { publicReader } from '../../services/series-pages/series-release.ts';
import { refuseIgnoredConditions } from '../../services/stores/canary.ts';
import { jsonBytes, jsonOrNull, putOnce, readBytesIfPresent, sha256 } from '../../services/stores/json-objects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { ledgerKeysOf } from '../../services/trust/ledger-keys.ts';
import { findVersion } from '../../services/trust/trust-chain.ts';
import { coolingAt, quorumAt } from '../../services/trust/trusted-approvers.ts';

/**
 * Copies the staged bytes that the manifest names, adds attestation and checksums, and moves the pointer last, so that
 * nothing points at half a publication. Everything is checked before the first byte is written: manifest, every staged
 * file, the receipts of every table and of the audit, the charge in the ledger, the approvals and their cooling time, and
 * that the trust file names this publisher. Throws COPY_DIFFERS for what was changed in a store and CONFIGURATION_INVALID
 * for a cooling time that is not over, which stall the release and cost nothing; VERIFICATION_FAILED, TRUST_BEHIND, and
 * STORE_UNSAFE before the attestation is written when the store ignores conditions.
 *
 * Safe to run twice: every object is written if absent with bytes that the manifest fixes; an attestation of these
 * publishers over the same manifest is kept, with its time and decisions; the pointer only moves forward. A file that is
 * there with other bytes stops everything.
 *
 * @contract C16 Nothing of a decision but the signed envelope is published.
 * @contract safe-to-retry
 */
export async function publish(context: PublicContext, input: PublishInput): Promise<PublishResult> {
  const { publicationStore } = context;
  const grounds = await readGrounds(context, await readSeries(context.releaseStore, input));
  requirePublisher(grounds, context.publisherKey, grounds.ledger.entries.length);
  const { manifest, manifestBytes } = await readManifest(grounds, input);
  const gate = await gateFor({ ...grounds, chargedAt: requireCharge(grounds, manifest) }, input);
  requireNamed(gate, manifest);
  requireOffered(context, gate, manifest);
  for (const { name } of manifest.files) await readStaged(grounds, manifest, name);
  const decisions = await approvalsOf(gate, input, manifest);
  requireCooled(context, gate, decisions);
  const keys = ledgerKeysOf(grounds.trust);
  const reserve = await requireEntry(grounds.releaseStore, gate.series.population, gate.chargedAt, keys);
  const attestation = attestationBytes(context, grounds, input, manifest, decisions, reserve);
  const window = windowOf(context.kinds, grounds.series, input.window);
  const audit = requireAudited(grounds, manifest, input.manifestDigest, window);
  await audit.catch(blameStore);
  // Before anything else is written: somebody may have put another attestation there.
  const earlier = await readBytesIfPresent(publicationStore, PUBLIC_KEYS.file(input, FILES.attestation));
  if (earlier) requireAttested(grounds, input, manifest, earlier);

  const sums = new Map<string, string>();
  const put = async (name: string, bytes: Buffer) => {
    const object = await putOnce(publicationStore, PUBLIC_KEYS.file(input, name), bytes);
    if (!object.equals(bytes))
      throw new OpalineError(
        'COPY_DIFFERS',
        `The publication has other bytes in ${name} already; find out who wrote them, take the file away, and retry.`,
      );
    sums.set(name, sha256(bytes));
  };
  for (const { name } of manifest.files) await put(name, await readStaged(grounds, manifest, name));
  await put(FILES.manifest, manifestBytes);
  await refuseIgnoredConditions(publicationStore, PUBLIC_KEYS.file(input, FILES.manifest), manifestBytes);
  const object = await putOnce(publicationStore, PUBLIC_KEYS.file(input, FILES.attestation), attestation);
  const statement = requireAttested(grounds, input, manifest, object);
  sums.set(FILES.attestation, sha256(object));
  await put(FILES.checksums, Buffer.from(checksumLines(sums), 'utf8'));
  const reader = publicReader(publicationStore, input.series, grounds.trust);
  await moveLatest(publicationStore, input, input.manifestDigest, reader);
  return { location: `${publicationStore.location}/${releasePath(input)}`, attestation: sha256(object), statement };
}

/** The manifest of this digest, as a public worker of the trust file has signed that it audited it. */
async function readManifest(grounds: Grounds, input: PublishInput) {
  const audits = await readAudits(grounds, input);
  const audit = audits.find(({ manifestBytes }) => sha256(manifestBytes) === input.manifestDigest);
  const { releaseStore } = grounds;
  const bytes = audit && (await readWithDigest(releaseStore, audit.manifest, FILES.manifest, input.manifestDigest));
  if (!bytes || audit.manifest.seriesDigest !== input.seriesDigest) throw fileError(FILES.manifest);
  return audit;
}

/**
 * Requires that what the manifest says about trust file, ledger and charge is there. Throws VERIFICATION_FAILED,
 * COPY_DIFFERS.
 */
function requireNamed({ trust, ledger, series, chargedAt }: Gate, manifest: Manifest): void {
  if (manifest.population !== series.population) throw refusal('the manifest names another population');
  if (!findVersion(trust, manifest.trust))
    throw refusal('the manifest names a version of the trust file that this worker does not have');
  if (!holdsTip(ledger, manifest.ledger)) throw behind('a tip');
  if (chargedAt > manifest.ledger.sequence)
    throw refusal('the ledger ended before the charge of the release when its manifest was made');
}

/** The place of the release's charge in the ledger. Throws COPY_DIFFERS when it is not there. */
function requireCharge({ ledger }: Pick<Grounds, 'ledger'>, manifest: Manifest): number {
  const reserve = reserveOfCharge(ledger, manifest.charge);
  if (reserve?.release !== releasePath(manifest)) throw behind('a charge');
  return reserve.sequence;
}

/** The workflow waits by the clock of another machine. */
const CLOCKS_DIFFER_MS = 3_600_000;

/**
 * The release did not end without a publication, which its ledger would say, and the time of its publication has come:
 * whoever asks may be another than its workflow. Throws VERIFICATION_FAILED.
 */
function requireOffered({ now }: PublicContext, { ledger, series }: Gate, manifest: Manifest): void {
  if (ledger.entries.some((entry) => entry.kind === 'withhold' && entry.charge === manifest.charge))
    throw refusal('the release ended without a publication, as the ledger says');
  const day = publishNotBefore(series, manifest.window);
  if (day !== null && now().getTime() < Date.parse(day) - CLOCKS_DIFFER_MS)
    throw refusal('the time of its publication has not come');
}

/** What clocks of workers that are kept right may differ by. */
const CLOCKS_AGREE_MS = 60_000;

/**
 * The cooling time since the last approval that was needed is over, as the signed arrivals say, by this worker's clock.
 * Throws CONFIGURATION_INVALID: a clock is wrong, or the trust file asks for a longer time by now.
 *
 * @contract C16
 */
function requireCooled({ now }: PublicContext, gate: Gate, { enoughSince }: CheckedDecisions): void {
  const until = coolingEnd(enoughSince, coolingAt(gate));
  if (until === null || now().getTime() >= Date.parse(until) - CLOCKS_AGREE_MS) return;
  throw new OpalineError(
    'CONFIGURATION_INVALID',
    `Nothing is published: by the clock of the public worker, approvers can withdraw until ${until}; retry then.`,
  );
}

async function approvalsOf(gate: Gate, input: PublishInput, manifest: Manifest): Promise<CheckedDecisions> {
  const bytes = await readStaged(gate, manifest, lastAuditOf(manifest.files));
  const report = auditReportSchema.parse(JSON.parse(bytes.toString('utf8')));
  return requireApprovals(gate, input, report, quorumAt(gate));
}

function attestationBytes(
  { publisherKey }: PublicContext,
  grounds: Grounds,
  { publishedAt, seriesDigest, manifestDigest, ...release }: PublishInput,
  manifest: Manifest,
  { approvals, required }: CheckedDecisions,
  reserve: Envelope,
): Buffer {
  const { policyDigest, ledger, trust } = manifest;
  requirePublisher(grounds, publisherKey, ledger.sequence);
  const statement: AttestationStatement = {
    format: ATTESTATION_FORMAT,
    release: releasePath(release),
    manifestDigest,
    publishedAt,
    required,
    approvers: approversOfApprovals(approvals),
    seriesDigest,
    policyDigest,
    ledger,
    trust,
  };
  return jsonBytes(attestationFile(statement, approvals, reserve, publisherKey));
}

/** A staged file, as the manifest has it. Throws COPY_DIFFERS when it is another one. */
async function readStaged({ releaseStore }: Grounds, manifest: Manifest, name: string): Promise<Buffer> {
  const entry = manifest.files.find((file) => file.name === name);
  const bytes = entry && (await readWithDigest(releaseStore, manifest, name, entry.sha256));
  if (bytes?.length !== entry?.bytes || !bytes) throw fileError(name);
  return bytes;
}

/**
 * The statement of the attestation that is stored in the end. That of an earlier run is kept, and so is that of another
 * execution of the release, which exists when Temporal was set back: its time and its decisions may differ. Throws
 * COPY_DIFFERS unless a publisher of the trust file signed it over this manifest.
 */
function requireAttested({ trust }: Grounds, input: PublishInput, manifest: Manifest, bytes: Buffer): Envelope {
  try {
    const attestation = readAttestation(jsonOrNull(bytes.toString('utf8')));
    ensureAttestation({ manifest, manifestDigest: input.manifestDigest, attestation }, trust);
    return attestation.publisher.envelope;
  } catch {
    throw new OpalineError(
      'COPY_DIFFERS',
      'The publication has another attestation already; find out who wrote it, take the file away, and retry.',
    );
  }
}

const refusal = (reason: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `Nothing is published: ${reason}.`);

const fileError = (name: string): OpalineError =>
  new OpalineError(
    'COPY_DIFFERS',
    `The staged file ${name} is not the one that was approved; find out who changed it, put it back, and retry.`,
  );

/** The copies of the ledger are cut: a private worker that starts puts them back. */
const behind = (what: string): OpalineError =>
  new OpalineError('COPY_DIFFERS', `Nothing is published: the manifest names ${what} that the ledger does not hold.`);

/** The audit has found this right: what is not so now was changed in a store, and can be put back. */
const blameStore = (error: unknown): never => {
  if (!(error instanceof OpalineError) || error.code !== 'VERIFICATION_FAILED') throw error;
  throw new OpalineError('COPY_DIFFERS', error.message);
};
