import type { AuditReport } from '../../contracts/audit-report.ts';
import type { Manifest } from '../../contracts/formats/manifest.ts';
import { FILES } from '../../contracts/names.ts';
import type { DataDescription } from '../metadata/data-description.ts';
import { METADATA_FILES, metadataFiles } from '../metadata/metadata-files.ts';
import { fileDigest, jsonBytes } from '../stores/json-objects.ts';
import type { ReleaseFiles } from './staged-files.ts';

/** What a kind says of a release in words, besides its description. None of it holds a clock. */
export type KindTexts = {
  /** What metadata and the pages of the series say of the data. */
  description: DataDescription;
  /** statement.md under the verdict that decides. */
  statement(facts: StatementFacts): string;
  /** audit.html under a verdict; absent: the kind has none. */
  auditPage?(title: string, report: AuditReport): Promise<string>;
};

/** What a statement says besides the data. */
export type StatementFacts = Pick<Manifest['texts'], 'publication' | 'versions'> & { report: AuditReport };

/**
 * The texts of a kind, by the data files of a release alone: the audit makes them, and whoever has the publication makes
 * them again.
 */
export type TextsOf = (data: ReleaseFiles) => Promise<KindTexts>;

/** The release, and what its texts say in the words of its series. */
type About = Pick<Manifest, 'series' | 'window' | 'version' | 'kind' | 'partitions' | 'texts'>;

/** The audit of a release, and the second one under a corrected declaration (C15), where there is one. */
export type Audits = readonly [first: AuditReport, second?: AuditReport];

/** Names of what an audit writes itself; everything else that is staged is data. */
export const AUDITED_NAMES: readonly string[] = [
  FILES.audit,
  FILES.auditPage,
  FILES.statement,
  ...METADATA_FILES,
  FILES.manifest,
];

/** What a manifest says of files. */
export const fileFacts = (files: ReleaseFiles): Manifest['files'] =>
  [...files].map(([name, bytes]) => ({ name, sha256: fileDigest(bytes), bytes: bytes.length }));

/** What a release has beside its data: the audits, the pages about them, and the metadata. The same every time. */
export async function releaseTexts(
  about: About,
  kind: KindTexts,
  audits: Audits,
  data: Manifest['files'],
): Promise<Map<string, Buffer>> {
  const [first, second] = audits;
  const own = await makeAuditPages(about, kind, audits);
  own.set(FILES.audit, jsonBytes(first));
  if (second) own.set(FILES.secondAudit, jsonBytes(second));
  return new Map([...own, ...releaseMetadata(about, kind, [...data, ...fileFacts(own)])]);
}

/** The pages about a release under its audits; `isDrawn`: those with figures too. */
export async function makeAuditPages(
  { texts: { publication, versions } }: About,
  kind: KindTexts,
  [first, second]: Audits,
  isDrawn = true,
): Promise<Map<string, Buffer>> {
  const statement = kind.statement({ publication, versions, report: second ?? first });
  const pages = new Map([[FILES.statement as string, second ? statement + twiceAudited(first, second) : statement]]);
  if (kind.auditPage && isDrawn) {
    pages.set(FILES.auditPage, await kind.auditPage(publication.title, first));
    if (second) pages.set(FILES.secondAuditPage, await kind.auditPage(publication.title, second));
  }
  return utf8Files(pages);
}

/** The metadata of a release of these files. */
export const releaseMetadata = (about: About, { description }: KindTexts, files: Manifest['files']) =>
  utf8Files(
    metadataFiles({
      ...about.texts,
      release: about,
      kind: about.kind,
      partitions: about.partitions,
      description,
      files,
    }),
  );

const utf8Files = (texts: Iterable<readonly [name: string, text: string]>): Map<string, Buffer> =>
  new Map([...texts].map(([name, text]) => [name, Buffer.from(text, 'utf8')]));

/** A name in a policy is any text; in a statement it is no Markdown. */
const plainName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}@ .-]+/gu, '');

/** The section of a statement that describes the audit before. */
function twiceAudited(first: AuditReport, { verdict, corrected }: AuditReport): string {
  const points = first.checks.filter((check) => check.verdict === 'fail' || check.verdict === 'attention');
  const fields = corrected?.fields ?? [];
  return `
## It was audited twice

The first audit (${FILES.audit}) said ${first.verdict}:

${points.map(({ id, verdict, sentence }) => `- ${id}, ${verdict}: ${sentence}\n`).join('')}
What the series declares of services and timetables, and nothing else, was then corrected and signed with the policy key ${plainName(corrected?.by ?? '')}:

${fields.map(({ field, before, after }) => `- ${field}: ${before ?? '–'} → ${after ?? '–'}\n`).join('')}
The second audit (${FILES.secondAudit}), under the corrected declaration, said ${verdict}. No noise was drawn for it.
`;
}
