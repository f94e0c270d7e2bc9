import { type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditResult, ReauditInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { type FieldChange, fieldChanges } from '../../core/json/field-changes.ts';
import { METADATA_FILES, metadataFiles } from '../../core/metadata/metadata-files.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { jsonBytes, putOnce, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';
import { describedRelease, versionsInWords, writtenFiles } from './description.ts';
import { requireDrawn } from './drawn-tables.ts';

/**
 * Attacks a release a second time, under a corrected declaration of what everybody can know: the `audit` of another
 * series file, in which nothing else may differ. The first audit stays, with its verdict and its page. Beside it come the
 * second, a statement that tells of both, and a manifest over all of it. The data files and the draws are the same.
 * Throws SERIES_INVALID when the other file differs elsewhere, or in nothing.
 *
 * Safe to run twice: each file is written if absent, and the first second audit stands as the first audit does.
 *
 * @contract C15 Both verdicts are kept; nothing but the declaration is corrected, and no noise is drawn.
 * @contract safe-to-retry
 */
export async function reaudit(context: PublicContext, input: ReauditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const declared = await readSeries(releaseStore, { series: input.series, seriesDigest: input.declaration });
  const fields = correctedFields(series, declared);
  const kind = kindOf(context.kinds, series);
  const { ledger } = await requireDrawn(context, input, series);
  const staged = await readStagedFiles(releaseStore, input);
  const written = [FILES.audit, ...kind.pageNames, ...METADATA_FILES, FILES.manifest];
  const data = new Map([...staged].filter(([name]) => !written.includes(name)));
  const first = auditReportSchema.parse(JSON.parse(staged.get(FILES.audit)!.toString('utf8')));

  const put = (name: string, bytes: Buffer) => putOnce(releaseStore, RELEASE_KEYS.reaudited(input, name), bytes);
  const found = await kind.audit(context, input, declared, data);
  const report: AuditReport = { ...found, corrected: { declaration: input.declaration, fields } };
  const auditBytes = await put(FILES.secondAudit, jsonBytes(report));
  const verdict = auditReportSchema.parse(JSON.parse(auditBytes.toString('utf8')));
  if (verdict.corrected?.declaration !== input.declaration) throw auditedTwice(input);
  const files = new Map([...staged, [FILES.secondAudit, auditBytes]]);
  for (const name of [...METADATA_FILES, FILES.manifest]) files.delete(name);
  const versions = versionsInWords(ledger.entries, input);
  for (const [name, bytes] of await kind.pages(input, declared, { report: verdict, versions }, context)) {
    if (name === FILES.auditPage) files.set(FILES.secondAuditPage, await put(FILES.secondAuditPage, bytes));
    else files.set(name, await put(name, name === FILES.statement ? withEarlier(bytes, first, verdict) : bytes));
  }
  const described = await describedRelease(context, input, series, { files, versions });
  for (const [name, text] of metadataFiles(described)) files.set(name, await put(name, Buffer.from(text, 'utf8')));
  const manifest = await put(FILES.manifest, secondManifest(staged.get(FILES.manifest)!, files));
  return { manifestDigest: sha256(manifest), verdict: verdict.verdict, attention: attentionPoints(verdict) };
}

/** What the corrected file declares otherwise. Throws SERIES_INVALID. */
function correctedFields(series: Series, declared: Series): FieldChange[] {
  const changes = fieldChanges(series, declared);
  const other = changes.find(({ field }) => field.split('.')[0] !== 'audit');
  if (other)
    throw new OpalineError(
      'SERIES_INVALID',
      `The corrected file differs in ${other.field} too; an audit is run again with nothing but \`audit\` corrected.`,
    );
  if (changes.length > 0) return changes;
  throw new OpalineError('SERIES_INVALID', 'The corrected file declares what the release was audited under.');
}

const auditedTwice = (input: ReauditInput): OpalineError =>
  new OpalineError(
    'ACTION_NOT_OFFERED',
    `${releasePath(input)} was audited a second time already, under another file; a release is audited again once.`,
  );

/** The statement, with a section that tells of the audit before. */
function withEarlier(statement: Buffer, first: AuditReport, { verdict, corrected }: AuditReport): Buffer {
  const broken = first.checks.filter((check) => check.verdict === 'fail' || check.verdict === 'attention');
  const lines = [
    '',
    '## It was audited twice',
    '',
    `The first audit (${FILES.audit}) said ${first.verdict}:`,
    '',
    ...broken.map(({ id, verdict, sentence }) => `- ${id}, ${verdict}: ${sentence}`),
    '',
    'People then corrected what the series declares of services and timetables, and nothing else:',
    '',
    ...(corrected?.fields ?? []).map(({ field, before, after }) => `- ${field}: ${before ?? '–'} → ${after ?? '–'}`),
    '',
    `The second audit (${FILES.secondAudit}), under the corrected declaration, said ${verdict}. No noise was drawn for it.`,
    '',
  ];
  return Buffer.concat([statement, Buffer.from(lines.join('\n'), 'utf8')]);
}

/** The first manifest with the files of the second audit. */
function secondManifest(first: Buffer, files: ReleaseFiles): Buffer {
  const manifest = JSON.parse(first.toString('utf8'));
  return jsonBytes(manifestSchema.parse({ ...manifest, files: writtenFiles(files) }));
}
