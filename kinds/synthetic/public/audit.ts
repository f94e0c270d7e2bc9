import type { AuditCheck } from '../../../contracts/audit-report.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { report } from '../../../core/verdict/finding.ts';
import { isTableOf } from '../../../services/publication/table-csv.ts';
import type { PublicKind } from '../../../services/release/public-context.ts';
import { auditFiles } from '../../file-audit.ts';
import { shadowTranscriptsPValue } from '../mechanism/shadow-transcripts.ts';
import type { Transcript } from '../mechanism/transcript.ts';
import { type PublishedSynthesis, readPublishedSynthesis } from '../published-synthesis.ts';
import { type SyntheticSeries, syntheticSeries } from '../series.ts';
import { certificateOfSynthesis, planOf } from '../synthesis-plan.ts';
import { SYNTHESIS_CHECKS } from '../table-checks.ts';
import { type SynthesisTable, weightColumns, weightsTable } from '../tables.ts';
import { synthesisRelease } from './derive.ts';

/** What the shadow run of a series of synthetic data shows. */
export type SyntheticShadow = { draws: Transcript[] };

/** One for each part of a release: a part that nobody compares does not compile. */
const COMPARISONS: Readonly<
  Record<SynthesisTable, (synthesis: PublishedSynthesis, own: Awaited<ReturnType<typeof synthesisRelease>>) => boolean>
> = {
  table: ({ table, privacy }, { drawn }) =>
    isTableOf(weightsTable(privacy.domain), weightColumns(privacy, drawn), table),
  measurements: ({ drawn }, release) => canonicalJson(drawn) === canonicalJson(release.drawn),
  privacy: ({ privacy }, release) => canonicalJson(privacy) === canonicalJson(release.privacy),
  certificate: ({ certificate }, release) => canonicalJson(certificate) === canonicalJson(release.certificate),
};

/**
 * Attacks the staged files of a release of synthetic data, with the draws and what the shadow run has shown.
 *
 * @contract C15
 */
export const auditSynthesis: PublicKind['audit'] = async (context, input, document, data) => {
  const series = syntheticSeries(document);
  const { draws } = input.shadow as SyntheticShadow;
  return auditFiles(input, {
    read: () => readPublishedSynthesis(data),
    checks: SYNTHESIS_CHECKS,
    comparisons: COMPARISONS,
    expected: await synthesisRelease(context, input, series),
    compared: {
      attack: 'Look for a measurement or parameter that is not the one that was drawn, or is public.',
      right: 'The measurements are those that were drawn, each once, and the parameters those of the series.',
    },
    mechanism: [(level) => sampler(draws, series, level)],
    instead: 'these have no cells',
  });
};

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
