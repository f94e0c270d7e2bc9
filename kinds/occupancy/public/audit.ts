import type { PublicContext } from '../../../activities/public/context.ts';
import { checkRewritten, type ReleaseFiles } from '../../../activities/publication/staged-files.ts';
import type { AuditCheck, AuditReport } from '../../../contracts/audit.ts';
import { partitionPath, releasePath } from '../../../contracts/names.ts';
import type { AuditInput } from '../../../contracts/stages.ts';
import { report } from '../../../core/audit/check.ts';
import { type ExactFinding, exact, holesCheck, UNREADABLE } from '../../../core/audit/exact-finding.ts';
import { foldVerdicts, runChecks } from '../../../core/audit/verdict.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import type { RideCertificate } from '../../../core/occupancy/certified-rides.ts';
import { noiseProblems, shadowPValue } from '../../../core/occupancy/shadow-check.ts';
import type { ShadowOfRuns } from '../../../core/occupancy/shadow-rides.ts';
import { type PublishedStatuses, readPublishedStatuses } from '../published-statuses.ts';
import type { OccupancySeries } from '../series.ts';
import { checkDepartures, checkFormats, checkRideCertificate } from '../status-checks.ts';
import { deriveOccupancy, rideCertificate } from './derive.ts';
import { drawnStatuses } from './status-rows.ts';

/** What the shadow run of a series of occupancy tells. */
export type OccupancyShadow = { runs: ShadowOfRuns[] };

/**
 * Attacks the staged files of a release of occupancy, with the draws and what the shadow run has shown.
 *
 * @contract C15
 */
export async function auditOccupancy(
  context: PublicContext,
  input: AuditInput,
  series: OccupancySeries,
  data: ReleaseFiles,
): Promise<AuditReport> {
  const { rows, mechanisms } = await drawnStatuses(context, input, series);
  const certificate = rideCertificate(series, mechanisms, input.correction);
  const read = await readPublishedStatuses(data).catch(() => null);
  const { runs } = input.shadow as OccupancyShadow;
  const of = (check: (published: PublishedStatuses) => ExactFinding): ExactFinding => (read ? check(read) : UNREADABLE);
  const drawn = of(({ csv }) =>
    canonicalJson(csv) === canonicalJson(rows)
      ? { ok: true, sentence: 'The statuses are those that were drawn, each once.' }
      : { ok: false, sentence: 'A status is not the one that was drawn: it was drawn again, or changed.' },
  );
  const asked = of((published) =>
    canonicalJson(published.certificate) === canonicalJson(certificate)
      ? checkRideCertificate(published)
      : { ok: false, sentence: 'The certificate is not that of the series and of what was drawn with.' },
  );
  const bytes = checkRewritten(data, new Map(await deriveOccupancy(context, input, series)), 'statuses');
  const checks = runChecks([
    () => exact('certificate', 'Compute the certificate again, from what was drawn with.', asked),
    () => exact('one-draw', 'Look for a status that is not the one that was drawn.', drawn),
    () =>
      exact(
        'departures',
        'Look for departures without a status, and for statuses without a departure.',
        of(checkDepartures),
      ),
    () => exact('formats', 'Compare the statuses of the three formats.', of(checkFormats)),
    () => exact('metadata', 'Write every file again, and compare the bytes.', bytes),
    () =>
      exact(
        'non-interference',
        'Add a ride with noise that makes up for it, and look for a difference.',
        interference(runs, certificate),
      ),
    (level) => sampler(runs, certificate, level),
    () => holesCheck(input.holes.map(partitionPath), 'all departures say NO_DATA_AVAILABLE'),
  ]);
  return { format: 'opaline-audit/1', release: releasePath(input), verdict: foldVerdicts(checks), checks };
}

function interference(runs: readonly ShadowOfRuns[], certificate: RideCertificate): ExactFinding {
  const [problem] = noiseProblems(runs, certificate);
  const rides = runs.reduce((sum, { noise }) => sum + (noise?.rides ?? 0), 0);
  return {
    ok: problem === undefined,
    sentence:
      problem ??
      (rides === 0
        ? 'Each status is drawn by itself from a profile, so there is no noise to share.'
        : `None of ${rides} made-up rides shows with noise that makes up for it, and no noise is drawn twice.`),
  };
}

function sampler(runs: readonly ShadowOfRuns[], { vehicles }: RideCertificate, level: number): AuditCheck {
  const pValue = shadowPValue(runs, vehicles);
  const passes = pValue > level && runs.length > 0;
  return {
    ...report('sampler', 'Draw made-up runs, and compare the statuses with the chances that are certified.', {
      verdict: passes ? 'pass' : 'fail',
      sentence: passes
        ? `Made-up runs of ${runs.length} shapes have the statuses that chance gives them.`
        : 'Made-up runs have other statuses than what is certified gives.',
    }),
    pValue,
  };
}
