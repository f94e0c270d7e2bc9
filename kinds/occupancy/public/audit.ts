import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { exact, judge } from '../../../core/verdict/exact-finding.ts';
import { report } from '../../../core/verdict/finding.ts';
import type { PublicKind } from '../../../services/release/public-context.ts';
import { auditFiles } from '../../file-audit.ts';
import type { RideCertificate } from '../certified-rides.ts';
import type { StatusTable } from '../files.ts';
import { noiseProblems, shadowPValue } from '../mechanism/shadow-check.ts';
import type { ShadowOfRuns } from '../mechanism/shadow-rides.ts';
import { type PublishedStatuses, readPublishedStatuses } from '../published-statuses.ts';
import { type OccupancySeries, occupancySeries } from '../series.ts';
import { STATUS_CHECKS } from '../status-checks.ts';
import { occupancyRelease } from './derive.ts';

/** What the shadow run of a series of occupancy shows. */
export type OccupancyShadow = { runs: ShadowOfRuns[] };

type Expected = Awaited<ReturnType<typeof occupancyRelease>> & { series: OccupancySeries };

/** One for each part of a release: a part that nobody compares does not compile. */
const COMPARISONS: Readonly<Record<StatusTable, (statuses: PublishedStatuses, own: Expected) => boolean>> = {
  statuses: ({ csv }, { rows }) => canonicalJson(csv) === canonicalJson(rows),
  timetable: ({ timetableDigest }, { series }) => timetableDigest === series.timetable,
  privacy: ({ privacy }, release) => canonicalJson(privacy) === canonicalJson(release.privacy),
  certificate: ({ certificate }, release) => canonicalJson(certificate) === canonicalJson(release.certificate),
};

/**
 * Attacks the staged files of a release of occupancy, with the draws and what the shadow run has shown.
 *
 * @contract C15
 */
export const auditOccupancy: PublicKind['audit'] = async (context, input, document, data) => {
  const series = occupancySeries(document);
  const release = await occupancyRelease(context, input, series);
  const { runs } = input.shadow as OccupancyShadow;
  return auditFiles(input, {
    read: () => readPublishedStatuses(data),
    checks: STATUS_CHECKS,
    comparisons: COMPARISONS,
    expected: { ...release, series },
    compared: {
      attack: 'Look for a status or parameter that is not the one that was drawn, or is public.',
      right: 'The statuses are those that were drawn, each once, and lists and parameters those of the series.',
    },
    mechanism: [() => interference(runs, release.certificate), (level) => sampler(runs, release.certificate, level)],
    instead: 'all departures say NO_DATA_AVAILABLE',
  });
};

function interference(runs: readonly ShadowOfRuns[], certificate: RideCertificate): AuditCheck {
  const [problem] = noiseProblems(runs, certificate);
  const rides = runs.reduce((sum, { noise }) => sum + (noise?.rides ?? 0), 0);
  const right =
    rides === 0
      ? 'Each status is drawn by itself from a profile, so there is no noise to share.'
      : `None of ${rides} made-up rides shows with noise that makes up for it, and no noise is drawn twice.`;
  const attack = 'Add a ride with noise that makes up for it, and look for a difference.';
  return exact('non-interference', attack, judge(problem, right));
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
