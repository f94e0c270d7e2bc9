import { OpalineError } from '../../contracts/errors.ts';
import { RETRACTION_FORMAT, retractionStatementSchema } from '../../contracts/formats/attestation.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { RetractInput } from '../../contracts/stages.ts';
import { requireDecisions } from '../../services/decisions/approvals.ts';
import { tipOf } from '../../services/ledger/ledger-tip.ts';
import { moveLatestFrom } from '../../services/publication/latest.ts';
import { retractionFile, retractionWords } from '../../services/publication/retraction.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readPublished } from '../../services/release/public-release.ts';
import { requirePublisher } from '../../services/release/publisher.ts';
import { publicReader } from '../../services/series-pages/series-release.ts';
import { jsonBytes, putOnce } from '../../services/stores/json-objects.ts';
import { newestVersion, pinOf } from '../../services/trust/trust-chain.ts';

/**
 * Puts the tombstone beside the published files, which stay, and then takes the pointer away from them. It draws and
 * charges nothing. It takes as many people as the publication did, or more where more are required now.
 *
 * Safe to run twice: the tombstone is put if absent, and that of an earlier run is kept with its time; the pointer is
 * moved only while it shows this release.
 *
 * @contract C13
 * @contract C16
 * @contract safe-to-retry
 */
export async function retract(context: PublicContext, input: RetractInput): Promise<void> {
  const { publicationStore, publisherKey } = context;
  const { gate, manifestDigest, required } = await readPublished(context, input);
  if (manifestDigest !== input.manifestDigest)
    throw new OpalineError('VERIFICATION_FAILED', 'The published manifest is not the one that people decided on.');
  const { approvals } = await requireDecisions(gate, input, 'retract', required);
  const ledger = tipOf(gate.ledger);
  requirePublisher(gate, publisherKey, ledger.sequence);
  const statement = retractionStatementSchema.parse({
    format: RETRACTION_FORMAT,
    release: releasePath(input),
    manifestDigest,
    retractedAt: input.retractedAt,
    ...retractionWords(approvals),
    ledger,
    trust: pinOf(newestVersion(gate.trust)),
  });
  const tombstone = jsonBytes(retractionFile(statement, approvals, publisherKey));
  await putOnce(publicationStore, PUBLIC_KEYS.file(input, FILES.retraction), tombstone);
  await moveLatestFrom(publicationStore, input, publicReader(publicationStore, input.series, gate.trust));
}
