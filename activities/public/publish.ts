import { auditReportSchema } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { PublishInput } from '../../contracts/stages.ts';
import { checkedApprovals } from '../decisions/approvals.ts';
import { attestationOf, attestationSchema } from '../publication/attestation.ts';
import { moveLatest } from '../publication/latest.ts';
import { jsonBytes, putOnce, readBytes, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * Copies the staged bytes that the manifest names, adds attestation and checksums, and moves the pointer last, so that
 * nothing points at half a publication.
 *
 * Safe to run twice: every object is written if absent with bytes that the manifest fixes; an attestation of an earlier
 * run stands, with its time; the pointer only moves forward. A file that is there with other bytes stops everything.
 *
 * @contract C16 Nothing of a decision but the signed envelope is published.
 * @contract safe-to-retry
 */
export async function publish(context: PublicContext, input: PublishInput): Promise<{ location: string }> {
  const { releaseStore, publicationStore } = context;
  const { bytes: manifestBytes, manifest } = await readManifest(context, input);
  const auditBytes = await readStaged(context, input, manifest, FILES.audit);
  const { gate } = await readSeries(releaseStore, input);
  const report = auditReportSchema.parse(JSON.parse(auditBytes.toString('utf8')));
  const approvals = await checkedApprovals(releaseStore, input, report, gate.required);

  const sums = new Map<string, string>();
  const put = async (name: string, bytes: Buffer) => {
    await putPublic(context, input, name, bytes);
    sums.set(name, sha256(bytes));
  };
  for (const { name } of manifest.files) await put(name, await readStaged(context, input, manifest, name));
  await put(FILES.manifest, manifestBytes);
  const { publishedAt, seriesDigest, manifestDigest } = input;
  const attestation = attestationOf(input, manifestDigest, {
    publishedAt,
    seriesDigest,
    required: gate.required,
    approvals,
  });
  sums.set(FILES.attestation, sha256(await putAttestation(context, input, jsonBytes(attestation))));
  await putPublic(context, input, FILES.checksums, Buffer.from(checksumLines(sums), 'utf8'));
  await moveLatest(publicationStore, input, manifestDigest);
  return { location: `${publicationStore.location}/${releasePath(input)}` };
}

async function readManifest({ releaseStore }: PublicContext, input: PublishInput) {
  const bytes = await readBytes(releaseStore, RELEASE_KEYS.staged(input, FILES.manifest));
  if (sha256(bytes) !== input.manifestDigest) throw changed(FILES.manifest);
  const manifest = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (releasePath(manifest) !== releasePath(input) || manifest.seriesDigest !== input.seriesDigest)
    throw changed(FILES.manifest);
  return { bytes, manifest };
}

/** A staged file, as the manifest has it. Throws VERIFICATION_FAILED when it is another one. */
async function readStaged(
  { releaseStore }: PublicContext,
  input: PublishInput,
  { files }: Manifest,
  name: string,
): Promise<Buffer> {
  const bytes = await readBytes(releaseStore, RELEASE_KEYS.staged(input, name));
  const listed = files.find((file) => file.name === name);
  if (!listed || sha256(bytes) !== listed.sha256 || bytes.length !== listed.bytes) throw changed(name);
  return bytes;
}

async function putPublic(context: PublicContext, input: PublishInput, name: string, bytes: Buffer): Promise<void> {
  const stored = await putOnce(context.publicationStore, PUBLIC_KEYS.file(input, name), bytes);
  if (!stored.bytes.equals(bytes))
    throw new OpalineError(
      'VERIFICATION_FAILED',
      `The publication has other bytes in ${name} already; who wrote them?`,
    );
}

/** The attestation that is stored in the end. One of an earlier run stands when it differs in nothing but the time. */
async function putAttestation(context: PublicContext, input: PublishInput, bytes: Buffer): Promise<Buffer> {
  const stored = (await putOnce(context.publicationStore, PUBLIC_KEYS.file(input, FILES.attestation), bytes)).bytes;
  if (!stored.equals(bytes) && !withoutTime(stored).equals(withoutTime(bytes)))
    throw new OpalineError('VERIFICATION_FAILED', 'The publication has another attestation already; who wrote it?');
  return stored;
}

function withoutTime(bytes: Buffer): Buffer {
  const attestation = attestationSchema.parse(JSON.parse(bytes.toString('utf8')));
  return jsonBytes({ ...attestation, predicate: { ...attestation.predicate, publishedAt: null } });
}

/** SHA256SUMS in the form that sha256sum reads, in the order of the names. */
const checksumLines = (sums: ReadonlyMap<string, string>): string =>
  [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join('');

const changed = (name: string): OpalineError =>
  new OpalineError('VERIFICATION_FAILED', `The staged file ${name} is not the one that was approved.`);
