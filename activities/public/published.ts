import { OpalineError } from '../../contracts/errors.ts';
import { type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { type Gate, requiredAt } from '../decisions/gate.ts';
import { reserveOfCharge } from '../draws/draw-receipt.ts';
import { readAttestation } from '../publication/attestation.ts';
import { readBytes, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';
import { believedOf } from './drawn-tables.ts';

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
 * Reads what is public of a release. The series file is the one that its manifest names, whatever the caller says. Throws
 * RELEASE_UNKNOWN when the release is not public, and VERIFICATION_FAILED when the caller names another series file.
 */
export async function readPublished(context: PublicContext, run: Run): Promise<Published> {
  const { publicationStore, releaseStore } = context;
  const at = (file: string) => PUBLIC_KEYS.file(run, file);
  if (!(await publicationStore.head(at(FILES.checksums))))
    throw new OpalineError('RELEASE_UNKNOWN', `${releasePath(run)} is not public, so there is nothing to retract.`);
  const bytes = await readBytes(publicationStore, at(FILES.manifest));
  const manifest = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  if (releasePath(manifest) !== releasePath(run) || manifest.seriesDigest !== run.seriesDigest)
    throw new OpalineError('VERIFICATION_FAILED', 'The publication is of another release or series file.');
  const attestation = readAttestation(
    JSON.parse((await readBytes(publicationStore, at(FILES.attestation))).toString('utf8')),
  );
  const believed = await believedOf(context, await readSeries(releaseStore, manifest));
  const chargedAt = reserveOfCharge(believed.ledger, manifest.charge)?.sequence ?? 0;
  const gate = { ...believed, chargedAt };
  const required = Math.max(attestation.required, requiredAt(gate));
  return { manifestDigest: sha256(bytes), files: manifest.files, gate, required };
}
