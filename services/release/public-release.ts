import { OpalineError } from '../../contracts/errors.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { gateFor } from '../decisions/gate-signers.ts';
import { reserveOfCharge } from '../draws/require-receipts.ts';
import { readSeriesRelease } from '../series-pages/series-release.ts';
import { readSeries } from '../stores/series-objects.ts';
import { quorumAt } from '../trust/trusted-approvers.ts';
import { readGrounds } from './drawn-release.ts';
import type { PublicContext } from './public-context.ts';

/**
 * Reads what is public of a release, as a publisher of the trust file signed it, for its retraction. The series file is
 * the one that its manifest names, whatever the caller says. Throws RELEASE_UNKNOWN when nothing of it is public that
 * counts, and VERIFICATION_FAILED when the caller names another series file.
 */
export async function readPublished(context: PublicContext, run: Run) {
  const { publicationStore, releaseStore } = context;
  const release = await readSeriesRelease(publicationStore, run, await context.trust());
  if (!release)
    throw new OpalineError(
      'RELEASE_UNKNOWN',
      `${releasePath(run)} is not public, or no publisher of the trust file signed it: there is nothing to retract.`,
    );
  const { manifest, manifestDigest, attestation } = release;
  if (manifest.seriesDigest !== run.seriesDigest)
    throw new OpalineError('VERIFICATION_FAILED', 'The publication is of another series file.');
  const grounds = await readGrounds(context, await readSeries(releaseStore, manifest));
  const chargedAt = reserveOfCharge(grounds.ledger, manifest.charge)?.sequence ?? 0;
  /** What decisions on it are judged by now. */
  const gate = await gateFor({ ...grounds, chargedAt }, run);
  /** Approvals that its retraction needs: as many as it needed itself, or more where more are required now. */
  const quorum = Math.max(attestation.required, quorumAt(gate));
  return { manifestDigest, files: manifest.files, gate, required: quorum };
}
