import { type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { type Manifest, manifestSchema } from '../../contracts/manifest.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { withoutRows } from '../../core/audit/release/holes.ts';
import type { AuditSubject } from '../../core/audit/subject.ts';
import { attentionPoints, auditRelease } from '../../core/audit/verdict.ts';
import { deriveTables } from '../../core/derive/tables.ts';
import { auditPage } from '../audit-page/audit-page.ts';
import { releaseSubject } from '../audit-page/subject.ts';
import { DATA_FILES, readAuditSubject } from '../audit-subject/audit-subject.ts';
import { readKnowledge } from '../audit-subject/knowledge.ts';
import { type PrivacyFile, parametersOf, privacyFile } from '../publication/privacy-file.ts';
import { readPrivatizedTables } from '../publication/privatized-tables.ts';
import { publicLocations } from '../publication/public-locations.ts';
import { releaseCertificate } from '../publication/release-certificate.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { privacyStatement } from '../publication/statement.ts';
import { jsonBytes, putOnce, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import type { PublicContext } from './context.ts';

/** Files that this stage writes; a second run meets those of the first. */
const AUDIT_FILES: readonly string[] = [FILES.audit, FILES.auditPage, FILES.statement, FILES.manifest];

/**
 * Attacks the staged bytes, then writes audit.json, its page, the statement, and last the manifest over every staged file.
 *
 * Safe to run twice: each file is written if absent, and what is stored counts, not what this run computed. A crash
 * before the manifest leaves a first verdict that the next run takes up.
 *
 * @contract C15 The first verdict of a release stands.
 * @contract C18 No clock and no host in any of the files.
 * @contract safe-to-retry
 */
export async function audit(context: PublicContext, input: AuditInput): Promise<AuditResult> {
  const { releaseStore } = context;
  const series = await readSeries(releaseStore, input);
  const staged = await readStagedFiles(releaseStore, input);
  const data = new Map([...staged].filter(([name]) => !AUDIT_FILES.includes(name)));
  const certificate = releaseCertificate(series, input.correction);
  const privacy = privacyFile(series, input, certificate, input.holes);
  const subject = await readSubject(context, input, series, data, privacy);
  const report = auditRelease(subject, input.shadow);

  const put = async (name: string, bytes: Buffer) =>
    (await putOnce(releaseStore, RELEASE_KEYS.staged(input, name), bytes)).bytes;
  const auditBytes = await put(FILES.audit, jsonBytes(report));
  const verdict: AuditReport = auditReportSchema.parse(JSON.parse(auditBytes.toString('utf8')));
  const html = await auditPage(verdict, releaseSubject(certificate, { title: series.publication.title, privacy }));
  const page = await put(FILES.auditPage, Buffer.from(html, 'utf8'));
  const text = privacyStatement(series, privacy, certificate, verdict, withoutRows(subject));
  const statement = await put(FILES.statement, Buffer.from(text, 'utf8'));
  const files = new Map([...data, [FILES.audit, auditBytes], [FILES.auditPage, page], [FILES.statement, statement]]);
  const manifest = await put(FILES.manifest, jsonBytes(manifestOf(context, input, series, files)));
  return { manifestDigest: sha256(manifest), verdict: verdict.verdict, attention: attentionPoints(verdict) };
}

async function readSubject(
  context: PublicContext,
  input: DeriveInput,
  series: Series,
  files: ReleaseFiles,
  privacy: PrivacyFile,
): Promise<AuditSubject> {
  const { cells, remainder, margins } = deriveTables(await readPrivatizedTables(context, input));
  const { title, licence, attribution, notes } = series.publication;
  const subject = await readAuditSubject(files, {
    release: input,
    parameters: parametersOf(releaseCertificate(series, input.correction)),
    privacy,
    locations: await publicLocations(context.releaseStore, series, input.window),
    drawn: { cells, remainder: remainder ?? [], margins: margins ?? [] },
    publicTexts: [title, licence, attribution ?? '', ...notes, series.timeZone],
    knowledge: await readKnowledge(context, input, series),
    rewrite: true,
    scratch: context.scratch,
  });
  const strays = [...files.keys()].filter((file) => !DATA_FILES.includes(file));
  const missing = series.tables.map(FILES.table).filter((file) => !files.has(file));
  return {
    ...subject,
    unreadable: [
      ...subject.unreadable,
      ...strays.map((file) => ({ file, reason: 'nobody asked for this file' })),
      ...missing.map((file) => ({ file, reason: 'it is missing' })),
    ],
  };
}

function manifestOf(context: PublicContext, input: DeriveInput, series: Series, files: ReleaseFiles): Manifest {
  const partitions = [
    ...input.draws.map(({ partition, digest }) => ({ ...partition, privatizedTable: digest, hole: null })),
    ...input.holes.map(({ mode, day, code }) => ({ mode, day, privatizedTable: null, hole: code })),
  ];
  const dictionaries = Object.entries(series.bins.locations).map(([mode, { dictionary }]) => [mode, dictionary]);
  return manifestSchema.parse({
    format: 'opaline-manifest/1',
    series: input.series,
    window: input.window,
    version: input.version,
    population: series.population,
    seriesDigest: input.seriesDigest,
    dictionaries: Object.fromEntries(dictionaries),
    charge: input.charge,
    correction: input.correction && {
      of: input.correction.of,
      reason: input.correction.reason,
      redrawn: input.correction.partitions.map(partitionPath).sort(),
    },
    partitions: partitions.sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1)),
    build: context.build,
    files: [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, bytes]) => ({ name, sha256: sha256(bytes), bytes: bytes.length })),
  });
}
