import type { PublicContext } from '../../../activities/public/context.ts';
import type { ReleaseFiles } from '../../../activities/publication/staged-files.ts';
import type { AuditCheck, AuditReport } from '../../../contracts/audit.ts';
import { partitionPath, releasePath } from '../../../contracts/names.ts';
import type { AuditInput } from '../../../contracts/stages.ts';
import { report } from '../../../core/audit/check.ts';
import { foldVerdicts, runChecks } from '../../../core/audit/verdict.ts';
import { canonicalJson } from '../../../core/json/canonical.ts';
import { shadowTranscriptsPValue } from '../../../core/synthetic/shadow-transcripts.ts';
import type { Transcript } from '../../../core/synthetic/transcript.ts';
import { SYNTHETIC_FILES } from '../files.ts';
import { certificateOfSynthesis, planOf } from '../plan.ts';
import { type PublishedSynthesis, readPublishedSynthesis } from '../published-table.ts';
import type { SyntheticSeries } from '../series.ts';
import {
  checkMeasurements,
  checkSynthesisCertificate,
  checkWeights,
  checkWords,
  type SynthesisFinding,
} from '../table-checks.ts';
import { checkParquet } from '../table-parquet.ts';
import { deriveSynthesis, synthesisCertificate } from './derive.ts';
import { drawnPartitions } from './drawn-partitions.ts';

/** What the shadow run of a series of synthetic data tells. */
export type SyntheticShadow = { draws: Transcript[] };

const UNREADABLE: SynthesisFinding = { ok: false, sentence: 'A file is missing, or not of its form.' };

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
  const of = (check: (published: PublishedSynthesis) => SynthesisFinding): SynthesisFinding =>
    read ? check(read) : UNREADABLE;
  const certified = of((published) =>
    canonicalJson(published.certificate) === canonicalJson(synthesisCertificate(series, input.correction))
      ? checkSynthesisCertificate(published)
      : { ok: false, sentence: 'The certificate is not that of the series.' },
  );
  const once = of((published) =>
    canonicalJson(published.drawn) === canonicalJson(drawn)
      ? { ok: true, sentence: 'The measurements are those that were drawn, each once.' }
      : { ok: false, sentence: 'A measurement is not the one that was drawn: it was drawn again, or changed.' },
  );
  const formats = read ? await checkParquet(context.scratch, read).catch(() => UNREADABLE) : UNREADABLE;
  const bytes = await checkBytes(context, input, series, data);
  const named = of((published) => checkWords(published, data.get(SYNTHETIC_FILES.measurements)!));
  const { draws } = input.shadow as SyntheticShadow;
  const checks = runChecks([
    () => exact('certificate', 'Add up what every step loses, and compare it with the charge.', certified),
    () => exact('one-draw', 'Look for a measurement that is not the one that was drawn.', once),
    () =>
      exact('rounds', 'Count the rounds of every part and day, and look for strange queries.', of(checkMeasurements)),
    () => exact('queries', 'Write the name of every query again.', named),
    () => exact('weights', 'Compute the weights of all cells from the published measurements.', of(checkWeights)),
    () => exact('formats', 'Compare the cells of the two formats.', formats),
    () => exact('metadata', 'Write every file again, and compare the bytes.', bytes),
    (level) => sampler(draws, series, level),
    () => holes(input),
  ]);
  return { format: 'opaline-audit/1', release: releasePath(input), verdict: foldVerdicts(checks), checks };
}

function readOrNull(data: ReleaseFiles): PublishedSynthesis | null {
  try {
    return readPublishedSynthesis(data);
  } catch {
    return null;
  }
}

const exact = (id: string, attack: string, { ok, sentence }: SynthesisFinding): AuditCheck =>
  report(id, attack, { verdict: ok ? 'pass' : 'fail', sentence });

/** Files hold nothing but what is released, and there is no other file. */
async function checkBytes(
  context: PublicContext,
  input: AuditInput,
  series: SyntheticSeries,
  data: ReleaseFiles,
): Promise<SynthesisFinding> {
  const files = new Map(await deriveSynthesis(context, input, series));
  const strays = [...data.keys()].filter((name) => !files.has(name));
  const other = [...files].filter(([name, bytes]) => !data.get(name)?.equals(bytes)).map(([name]) => name);
  if (strays.length > 0) return { ok: false, sentence: `Nobody asked for the files ${strays.join(', ')}.` };
  if (other.length > 0) return { ok: false, sentence: `Other bytes than the measurements give: ${other.join(', ')}.` };
  return { ok: true, sentence: `All ${files.size} files have the bytes that measurements and public parameters give.` };
}

function sampler(draws: readonly Transcript[], series: SyntheticSeries, level: number): AuditCheck {
  const { rows } = planOf(series, series.parts[0]!);
  const pValue = shadowTranscriptsPValue(draws, rows, certificateOfSynthesis(series));
  const passes = pValue > level;
  return {
    ...report('sampler', 'Draw made-up rows, and compare choices and noise with what is certified.', {
      verdict: passes ? 'pass' : 'fail',
      sentence: passes
        ? `${draws.length} draws of made-up rows have the choices and the noise that chance gives them.`
        : 'Draws of made-up rows have other choices, or other noise, than what is certified gives.',
    }),
    pValue,
  };
}

function holes(input: AuditInput): AuditCheck {
  const names = input.holes.map(partitionPath);
  return report('holes', 'List the partitions without data.', {
    verdict: names.length === 0 ? 'pass' : 'attention',
    statistic: names.length,
    sentence:
      names.length === 0
        ? 'Every part has data on every day.'
        : `Objects were missing or damaged, so that these have no cells: ${names.join(', ')}.`,
  });
}
