import { auditReportSchema } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { FILES, PUBLIC_KEYS, releasePath } from '../../contracts/names.ts';
import type { RetractionPlan, Run } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { readBytes, readJson, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

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
