import { auditReportSchema } from '../../contracts/audit-report.ts';
import { PUBLIC_KEYS } from '../../contracts/names.ts';
import type { RetractionPlan, Run } from '../../contracts/stages.ts';
import { lastAuditOf } from '../../services/publication/publication.ts';
import { resultOf } from '../../services/release/audited-files.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { readPublished } from '../../services/release/public-release.ts';
import { readJson } from '../../services/stores/json-objects.ts';
import { elsewhereAt } from '../../services/trust/trusted-approvers.ts';

/**
 * What the gate of a retraction has to know. Throws RELEASE_UNKNOWN when the release is not public. One that is retracted
 * already can go through again, and changes nothing.
 *
 * Safe to run twice: it writes nothing. @contract safe-to-retry
 */
export async function planRetraction(context: PublicContext, run: Run): Promise<RetractionPlan> {
  const { manifestDigest, files, gate, required } = await readPublished(context, run);
  const report = await readJson(context.publicationStore, PUBLIC_KEYS.file(run, lastAuditOf(files)), auditReportSchema);
  const audit = resultOf(manifestDigest, report);
  return { audit, required, elsewhere: elsewhereAt(gate), expiresAfterDays: gate.series.gate.expiresAfterDays };
}
