import type { AuditCheck, AuditReport } from '../../../contracts/audit-report.ts';
import { partitionPath, releasePath } from '../../../contracts/names.ts';
import type { AuditInput } from '../../../contracts/stages.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { type ExactFinding, exact, found, holesCheck, UNREADABLE } from '../../../core/verdict/exact-finding.ts';
import { report } from '../../../core/verdict/finding.ts';
import { foldVerdicts, runChecks } from '../../../core/verdict/verdict.ts';
import type { ReleaseFiles } from '../../../services/publication/staged-files.ts';
import { isTableOf } from '../../../services/publication/table-csv.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { shadowTranscriptsPValue } from '../mechanism/shadow-transcripts.ts';
import type { Transcript } from '../mechanism/transcript.ts';
import { certificateOfSynthesis, planOf } from '../plan.ts';
import { syntheticPrivacyFile } from '../privacy-file.ts';
import { publicAttributes } from '../public-attributes.ts';
import { type PublishedSynthesis, readPublishedSynthesis } from '../published-table.ts';
import type { SyntheticSeries } from '../series.ts';
import {
  checkMeasurements,
  checkParquet,
  checkSynthesisCertificate,
  checkWeights,
  checkWords,
} from '../table-checks.ts';
import { type SynthesisTable, weightColumns, weightsTable } from '../tables.ts';
import { synthesisCertificate } from './derive.ts';
import { drawnPartitions } from './drawn-partitions.ts';

/** What the shadow run of a series of synthetic data tells. */
export type SyntheticShadow = { draws: Transcript[] };

type Expected = Pick<PublishedSynthesis, 'drawn' | 'privacy' | 'certificate'>;

/** One for each part of a release: a part that nobody compares does not compile. */
const COMPARISONS: Readonly<Record<SynthesisTable, (published: PublishedSynthesis, expected: Expected) => boolean>> = {
  table: ({ table, privacy }, { drawn }) =>
    isTableOf(weightsTable(privacy.domain), weightColumns(privacy, drawn), table),
  measurements: ({ drawn }, expected) => canonicalJson(drawn) === canonicalJson(expected.drawn),
  privacy: ({ privacy }, expected) => canonicalJson(privacy) === canonicalJson(expected.privacy),
  certificate: ({ certificate }, expected) => canonicalJson(certificate) === canonicalJson(expected.certificate),
};

/**
 * Attacks the staged files of a release of synthetic data, with the draws and what the shadow run has shown.
 *
 * @contract C15
 */
export async function auditSynthesis(
  context: PublicContext,
  input: AuditInput,
  series: SyntheticSeries,
  data: ReleaseFiles,
): Promise<AuditReport> {
  const drawn = await drawnPartitions(context, input, series);
  const read = readOrNull(data);
  const of = (check: (published: PublishedSynthesis) => ExactFinding): ExactFinding =>
    read ? check(read) : UNREADABLE;
  const attributes = await publicAttributes(context.releaseStore, series);
  const expected = {
    drawn,
    privacy: syntheticPrivacyFile(series, attributes, input, input.holes),
    certificate: synthesisCertificate(series, input.correction),
  };
  const once = of((published) => {
    const other = Object.entries(COMPARISONS).find(([, isSame]) => !isSame(published, expected));
    return found(
      other && `The ${other[0]} is not what was drawn, or what the series says: it was drawn again, or changed.`,
      'The measurements are those that were drawn, each once, and the parameters those of the series.',
    );
  });
  const formats = read ? await checkParquet(read).catch(() => UNREADABLE) : UNREADABLE;
  const { draws } = input.shadow as SyntheticShadow;
  const checks = runChecks([
    () =>
      exact(
        'certificate',
        'Add up what every step loses, and compare it with the charge.',
        of(checkSynthesisCertificate),
      ),
    () =>
      exact('one-draw', 'Look for a measurement or parameter that is not the one that was drawn, or is public.', once),
    () =>
      exact('rounds', 'Count the rounds of every part and day, and look for strange queries.', of(checkMeasurements)),
    () => exact('queries', 'Write the name of every query again.', of(checkWords)),
    () => exact('weights', 'Compute the weights of all cells from the published measurements.', of(checkWeights)),
    () => exact('formats', 'Compare the rows of the two formats.', formats),
    (level) => sampler(draws, series, level),
    () => holesCheck(input.holes.map(partitionPath), 'these have no cells'),
  ]);
  return { format: 'opaline-audit/2', release: releasePath(input), verdict: foldVerdicts(checks), checks };
}

function readOrNull(data: ReleaseFiles): PublishedSynthesis | null {
  try {
    return readPublishedSynthesis(data);
  } catch {
    return null;
  }
}

function sampler(draws: readonly Transcript[], series: SyntheticSeries, level: number): AuditCheck {
  const { rows } = planOf(series, series.parts[0]!);
  const pValue = shadowTranscriptsPValue(draws, rows, certificateOfSynthesis(series));
  return report('sampler', 'Draw made-up rows, and compare choices and noise with what is certified.', {
    holds: pValue > level,
    pValue,
    right: `${draws.length} draws of made-up rows have the choices and the noise that chance gives them.`,
    wrong: 'Draws of made-up rows have other choices, or other noise, than what is certified gives.',
  });
}
