import { type AuditReport, auditReportSchema } from '../../contracts/audit.ts';
import { MANIFEST_FORMAT, type Manifest, manifestSchema } from '../../contracts/formats/manifest.ts';
import { kindOf } from '../../contracts/kind.ts';
import { FILES, partitionPath, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Series } from '../../contracts/series.ts';
import type { AuditInput, AuditResult, DeriveInput } from '../../contracts/stages.ts';
import { attentionPoints } from '../../core/audit/verdict.ts';
import { METADATA_FILES, metadataFiles } from '../../core/metadata/metadata-files.ts';
import { tipOf } from '../ledger/ledger-tip.ts';
import { type ReleaseFiles, readStagedFiles } from '../publication/staged-files.ts';
import { jsonBytes, putOnce, sha256 } from '../stores/json-objects.ts';
import { readSeries } from '../stores/series-objects.ts';
import { newestVersion, numberedVersion } from '../trust/trust-chain.ts';
import type { PublicContext } from './context.ts';
import { describedRelease, versionsInWords, writtenFiles } from './description.ts';
import { policyDigestOf, requireDrawn } from './drawn-tables.ts';

/**
 * Attacks the staged bytes, then writes audit.json, its page, the statement, the metadata, and last the manifest over
 * every staged file.
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
  const kind = kindOf(context.kinds, series);
  const { trust, ledger } = await requireDrawn(context, input, series);
  const written = [FILES.audit, ...kind.pageNames, ...METADATA_FILES, FILES.manifest];
  const staged = await readStagedFiles(releaseStore, input);
  const data = new Map([...staged].filter(([name]) => !written.includes(name)));
  const report = await kind.audit(context, input, series, data);

  const put = (name: string, bytes: Buffer) => putOnce(releaseStore, RELEASE_KEYS.staged(input, name), bytes);
  const auditBytes = await put(FILES.audit, jsonBytes(report));
  const verdict: AuditReport = auditReportSchema.parse(JSON.parse(auditBytes.toString('utf8')));
  const files = new Map([...data, [FILES.audit, auditBytes]]);
  const versions = versionsInWords(ledger.entries, input);
  for (const [name, bytes] of await kind.pages(input, series, { report: verdict, versions }, context))
    files.set(name, await put(name, bytes));
  const described = await describedRelease(context, input, series, { files, versions });
  for (const [name, text] of metadataFiles(described)) files.set(name, await put(name, Buffer.from(text, 'utf8')));
  const { sources, runtime } = context.build;
  const build = { sources, runtime: await runtime() };
  const facts = {
    kind: series.kind,
    publicLists: kind.publicLists(series),
    build,
    trust: numberedVersion(newestVersion(trust)),
    ledger: tipOf(ledger),
    policyDigest: policyDigestOf(ledger, input.charge),
  };
  const manifest = await put(FILES.manifest, jsonBytes(manifestOf(input, series, facts, files)));
  return { manifestDigest: sha256(manifest), verdict: verdict.verdict, attention: attentionPoints(verdict) };
}

function manifestOf(
  input: DeriveInput,
  { population }: Series,
  facts: Pick<Manifest, 'kind' | 'publicLists' | 'build' | 'trust' | 'ledger' | 'policyDigest'>,
  files: ReleaseFiles,
): Manifest {
  const { series, window, version, seriesDigest, charge, correction } = input;
  const partitions = [
    ...input.draws.map(({ partition, digest }) => ({ ...partition, privatizedTable: digest, hole: null })),
    ...input.holes.map(({ part, day, code }) => ({ part, day, privatizedTable: null, hole: code })),
  ];
  return manifestSchema.parse({
    format: MANIFEST_FORMAT,
    ...facts,
    ...{ series, window, version, population, seriesDigest, charge },
    correction: correction && {
      of: correction.of,
      reason: correction.reason,
      redrawn: correction.partitions.map(partitionPath).sort(),
    },
    partitions: partitions.sort((a, b) => (partitionPath(a) < partitionPath(b) ? -1 : 1)),
    files: writtenFiles(files),
  });
}
