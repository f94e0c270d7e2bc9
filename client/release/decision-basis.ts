import { requireAudited } from '../../activities/draws/stage-receipt.ts';
import { believedLedger } from '../../activities/ledger/believed-ledger.ts';
import { tipOf } from '../../activities/ledger/ledger-tip.ts';
import { readOffered } from '../../activities/publication/staged-files.ts';
import type { DecisionBasis } from '../../activities/signing/decision.ts';
import { keyIdOfPem, publicKeyOf } from '../../activities/signing/keys.ts';
import { sha256 } from '../../activities/stores/json-objects.ts';
import { readSeries } from '../../activities/stores/series-objects.ts';
import { approversOf, requiredApprovals } from '../../activities/trust/approvers.ts';
import { newestVersion, numberedVersion } from '../../activities/trust/trust-chain.ts';
import { keyWithId } from '../../activities/trust/trusted-keys.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, type ReleaseReference, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import type { OpalineClient } from '../opaline-client.ts';

/** The manifest that would be published. Throws OBJECT_MISSING. */
async function offeredManifest({ releaseStore }: OpalineClient, release: ReleaseReference): Promise<Buffer> {
  const bytes = await readOffered(releaseStore, release, FILES.manifest);
  if (bytes) return bytes;
  throw new OpalineError('OBJECT_MISSING', 'The release has no manifest; its audit was not run yet.');
}

/** The staged manifest of a release as a person decides on it: the bytes that lie there, not what a workflow says. */
export async function stagedManifest(client: OpalineClient, release: ReleaseReference) {
  const bytes = await offeredManifest(client, release);
  const { seriesDigest } = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  return { release, manifestDigest: sha256(bytes), seriesDigest };
}

/**
 * The same, before somebody approves it: the private worker has signed its tables, and a public worker that it audited
 * this very manifest. Nobody is to sign numbers that whoever writes the release store has made up. Throws
 * VERIFICATION_FAILED, LEDGER_BROKEN and TRUST_INVALID.
 *
 * @contract C16
 */
export async function auditedManifest(client: OpalineClient, release: ReleaseReference) {
  const { releaseStore, trust } = client;
  const bytes = await offeredManifest(client, release);
  const manifest = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  const manifestDigest = sha256(bytes);
  const series = await readSeries(releaseStore, manifest);
  const chain = await trust();
  const ledger = await believedLedger({ releaseStore, trust: async () => chain }, series.population);
  await requireAudited(releaseStore, { trust: chain, ledger, series }, manifest, manifestDigest);
  return { release, manifestDigest, seriesDigest: manifest.seriesDigest };
}

/**
 * Who signs with a private key on a release, and under what: the person's own trust file, the ledger as it is now, and
 * the approvals that both files require. Throws SUBJECT_UNKNOWN when the key is that of no approver, and TRUST_INVALID.
 */
export async function decisionBasis(
  { releaseStore, trust }: OpalineClient,
  run: Run,
  privateKey: string,
): Promise<DecisionBasis & { subject: string }> {
  const series = await readSeries(releaseStore, run);
  const chain = await trust();
  const version = newestVersion(chain);
  const approver = keyWithId(approversOf(version, series), keyIdOfPem(publicKeyOf(privateKey)));
  if (!approver)
    throw new OpalineError(
      'SUBJECT_UNKNOWN',
      `This key belongs to no approver of ${run.series} in the trust file; have its public key named there.`,
    );
  const ledger = await believedLedger({ releaseStore, trust: async () => chain }, series.population);
  const own = ledger.entries.find((entry) => entry.kind === 'reserve' && entry.release === releasePath(run));
  const required = requiredApprovals(chain, series, own?.sequence ?? 0);
  return { subject: approver.subject, trust: numberedVersion(version), ledger: tipOf(ledger), required };
}
