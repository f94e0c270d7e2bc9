import type { AuditCheck, AuditReport } from '../../../contracts/audit-report.ts';
import { partitionPath, releasePath } from '../../../contracts/names.ts';
import type { AuditInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { type ExactFinding, exact, found, holesCheck, UNREADABLE } from '../../../core/verdict/exact-finding.ts';
import { report } from '../../../core/verdict/finding.ts';
import { foldVerdicts, runChecks } from '../../../core/verdict/verdict.ts';
import { fileOf, type ReleaseFiles } from '../../../services/publication/staged-files.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { sha256 } from '../../../services/stores/json-objects.ts';
import type { RideCertificate } from '../certified-rides.ts';
import { OCCUPANCY_FILES, type StatusTable } from '../files.ts';
import { noiseProblems, shadowPValue } from '../mechanism/shadow-check.ts';
import type { ShadowOfRuns } from '../mechanism/shadow-rides.ts';
import { type OccupancyPrivacyFile, occupancyPrivacyFile } from '../privacy-file.ts';
import { type PublishedStatuses, readPublishedStatuses } from '../published-statuses.ts';
import type { OccupancySeries } from '../series.ts';
import type { StatusRow } from '../status.ts';
import { checkDepartures, checkFormats, checkRideCertificate } from '../status-checks.ts';
import { rideCertificate } from './derive.ts';
import { drawnStatuses } from './status-rows.ts';

/** What the shadow run of a series of occupancy tells. */
export type OccupancyShadow = { runs: ShadowOfRuns[] };

type Expected = {
  rows: readonly StatusRow[];
  certificate: RideCertificate;
  privacy: OccupancyPrivacyFile;
  series: OccupancySeries;
};

/** One for each part of a release: a part that nobody compares does not compile. */
const COMPARISONS: Readonly<
  Record<StatusTable, (published: PublishedStatuses, expected: Expected, data: ReleaseFiles) => boolean>
> = {
  statuses: ({ csv }, { rows }) => canonicalJson(csv) === canonicalJson(rows),
  timetable: (_, { series }, data) => sha256(fileOf(data, OCCUPANCY_FILES.timetable)) === series.timetable,
  privacy: ({ privacy }, expected) => canonicalJson(privacy) === canonicalJson(expected.privacy),
  certificate: ({ certificate }, expected) => canonicalJson(certificate) === canonicalJson(expected.certificate),
};

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
  const expected = { rows, certificate, privacy: occupancyPrivacyFile(series, input, input.holes), series };
  const drawn = of((published) => {
    const other = Object.entries(COMPARISONS).find(([, isSame]) => !isSame(published, expected, data));
    return found(
      other && `The ${other[0]} is not what was drawn, or what the series says: it was drawn again, or changed.`,
      'The statuses are those that were drawn, each once, and lists and parameters those of the series.',
    );
  });
  const checks = runChecks([
    () => exact('certificate', 'Compute the certificate again, from what was drawn with.', of(checkRideCertificate)),
    () => exact('one-draw', 'Look for a status or parameter that is not the one that was drawn, or is public.', drawn),
    () =>
      exact(
        'departures',
        'Look for departures without a status, and for statuses without a departure.',
        of(checkDepartures),
      ),
    () => exact('formats', 'Compare the statuses of the three formats.', of(checkFormats)),
    () =>
      exact(
        'non-interference',
        'Add a ride with noise that makes up for it, and look for a difference.',
        interference(runs, certificate),
      ),
    (level) => sampler(runs, certificate, level),
    () => holesCheck(input.holes.map(partitionPath), 'all departures say NO_DATA_AVAILABLE'),
  ]);
  return { format: 'opaline-audit/2', release: releasePath(input), verdict: foldVerdicts(checks), checks };
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
  return report('sampler', 'Draw made-up runs, and compare the statuses with the chances that are certified.', {
    holds: pValue > level && runs.length > 0,
    pValue,
    right: `Made-up runs of ${runs.length} shapes have the statuses that chance gives them.`,
    wrong: 'Made-up runs have other statuses than what is certified gives.',
  });
}
