import { OpalineError } from '../../contracts/errors.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { RetractInput } from '../../contracts/stages.ts';
import { checkedDecisions } from '../decisions/approvals.ts';
import { moveLatestFrom } from '../publication/latest.ts';
import { type Retraction, retractionSchema } from '../publication/retraction.ts';
import { readDecision } from '../signing/decision.ts';
import { jsonBytes, putOnce, readBytes, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/**
 * Puts the tombstone beside the published files, which stay, and then takes the pointer away from them. It draws and
 * charges nothing.
 *
 * Safe to run twice: the tombstone is put if absent, and that of an earlier run stands with its time; the pointer is
 * moved only while it shows this release.
 *
 * @contract C13
 * @contract C16
 * @contract safe-to-retry
 */
export async function retract(context: PublicContext, input: RetractInput): Promise<void> {
  const { publicationStore, releaseStore } = context;
  const { gate } = await readSeries(releaseStore, input);
  const approvals = await checkedDecisions(releaseStore, input, 'retract', gate.required);
  const manifest = await readBytes(publicationStore, PUBLIC_KEYS.file(input, FILES.manifest));
  if (sha256(manifest) !== input.manifestDigest)
    throw new OpalineError('VERIFICATION_FAILED', 'The published manifest is not the one that people decided on.');
  const tombstone: Retraction = retractionSchema.parse({
    format: 'opaline-retraction/1',
    release: releasePath(input),
    manifestDigest: input.manifestDigest,
    retractedAt: input.retractedAt,
    reasons: [...new Set(approvals.map(({ envelope }) => readDecision(envelope).predicate.reason))].sort(),
    approvals,
  });
  await putOnce(publicationStore, PUBLIC_KEYS.file(input, FILES.retraction), jsonBytes(tombstone));
  await moveLatestFrom(publicationStore, input);
}
