import { OpalineError } from '../../contracts/errors.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { type Gate, gateFor } from '../decisions/gate-signers.ts';
import { reserveOfCharge } from '../draws/require-receipts.ts';
import { readSeriesRelease } from '../series-pages/series-release.ts';
import { readSeries } from '../stores/series-objects.ts';
import { requiredAt } from '../trust/trusted-approvers.ts';
import { believedOf } from './drawn-tables.ts';
import type { PublicContext } from './public-context.ts';

/** A publication as its retraction sees it. */
export type Published = {
  manifestDigest: string;
  files: Manifest['files'];
  /** What decisions on it are judged by now. */
  gate: Gate;
  /** Approvals that its retraction needs: as many as it needed itself, or more where more are required now. */
  required: number;
};

/**
 * Reads what is public of a release, as a publisher of the trust file signed it. The series file is the one that its
 * manifest names, whatever the caller says. Throws RELEASE_UNKNOWN when nothing of it is public that counts, and
 * VERIFICATION_FAILED when the caller names another series file.
 */
export async function readPublished(context: PublicContext, run: Run): Promise<Published> {
  const { publicationStore, releaseStore } = context;
  const read = await readSeriesRelease(publicationStore, run, await context.trust());
  if (!read)
    throw new OpalineError(
      'RELEASE_UNKNOWN',
      `${releasePath(run)} is not public, or no publisher of the trust file signed it: there is nothing to retract.`,
    );
  const { manifest, manifestDigest, attestation } = read;
  if (manifest.seriesDigest !== run.seriesDigest)
    throw new OpalineError('VERIFICATION_FAILED', 'The publication is of another series file.');
  const believed = await believedOf(context, await readSeries(releaseStore, manifest));
  const chargedAt = reserveOfCharge(believed.ledger, manifest.charge)?.sequence ?? 0;
  const gate = await gateFor({ ...believed, chargedAt }, run);
  const required = Math.max(attestation.required, requiredAt(gate));
  return { manifestDigest, files: manifest.files, gate, required };
}
