import { z } from 'zod';
import { auditReportSchema } from '../../contracts/audit.ts';
import { DECISION_REASONS } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { RetractInput, RetractionPlan, Run } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { readDecision } from '../signing/decision.ts';
import { jsonBytes, putOnce, readBytes, readJson, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { checkedDecisions } from './approvals.ts';
import { attestationSchema } from './attestation.ts';
import type { PublicContext } from './context.ts';
import { moveLatestFrom } from './latest.ts';

/** RETRACTED.json: says that a publication is not to be used any more, and who said so with which public reason. */
export const retractionSchema = z.strictObject({
  format: z.literal('opaline-retraction/1'),
  release: z.string(),
  manifestDigest: z.string().regex(/^[0-9a-f]{64}$/),
  retractedAt: z.iso.datetime(),
  reasons: z.array(z.enum(DECISION_REASONS.retract)).min(1),
  approvals: attestationSchema.shape.predicate.shape.approvals,
});

export type Retraction = z.infer<typeof retractionSchema>;

/**
 * What the gate of a retraction has to know. Throws RELEASE_UNKNOWN when the release is not public. One that is retracted
 * already can go through again, and changes nothing.
 *
 * Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export async function planRetraction(context: PublicContext, run: Run): Promise<RetractionPlan> {
  const { publicationStore, releaseStore } = context;
  const at = (file: string) => PUBLIC_KEYS.file(run, file);
  if (!(await publicationStore.head(at(FILES.checksums))))
    throw new OpalineError('RELEASE_UNKNOWN', `${releasePath(run)} is not public, so there is nothing to retract.`);
  const manifestDigest = sha256(await readBytes(publicationStore, at(FILES.manifest)));
  const report = await readJson(publicationStore, at(FILES.audit), auditReportSchema);
  const { required, expiresAfterDays } = (await readSeries(releaseStore, run)).gate;
  const audit = { manifestDigest, verdict: report.verdict, attention: attentionPoints(report) };
  return { audit, required, expiresAfterDays };
}

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
