import type { AuditReport } from '../../../contracts/audit-report.ts';
import { parametersOf } from '../../../contracts/certificate.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { AuditInput, DeriveInput } from '../../../contracts/stages.ts';
import { auditRelease } from '../../../counts/audit/audit-release.ts';
import type { ShadowCounts } from '../../../counts/audit/mechanism/shadow-tallies.ts';
import type { AuditSubject } from '../../../counts/audit/subject.ts';
import { deriveTables } from '../../../counts/derive/tables.ts';
import type { ReleaseFiles } from '../../../services/publication/staged-files.ts';
import { writeParquet } from '../../../services/publication/table-parquet.ts';
import type { PublicContext } from '../../../services/release/public-context.ts';
import { readDrawnTables } from '../../drawn-tables.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import { readPublicDomain } from '../public-domain.ts';
import type { TapsSeries } from '../series.ts';
import { readAuditSubject } from './audit-subject/audit-subject.ts';
import { readKnowledge } from './audit-subject/knowledge.ts';
import { type PrivacyFile, privacyFile } from './privacy-file.ts';
import { releaseCertificate } from './release-certificate.ts';

/** Attacks the staged files of a release of taps, with what everybody can know and what the shadow run has shown. */
export async function auditTaps(
  context: PublicContext,
  input: AuditInput,
  series: TapsSeries,
  data: ReleaseFiles,
): Promise<AuditReport> {
  const privacy = privacyFile(series, input, releaseCertificate(series, input.correction), input.holes);
  return auditRelease(await readSubject(context, input, series, data, privacy), input.shadow as ShadowCounts);
}

async function readSubject(
  context: PublicContext,
  input: DeriveInput,
  series: TapsSeries,
  files: ReleaseFiles,
  privacy: PrivacyFile,
): Promise<AuditSubject> {
  const { title, licence, attribution, notes } = series.publication;
  return readAuditSubject(files, {
    release: input,
    parameters: parametersOf(releaseCertificate(series, input.correction)),
    privacy,
    locations: await publicLocations(context.releaseStore, series, input.window),
    drawn: deriveTables(await readDrawnTables(context.releaseStore, input, privatizedTableSchema)),
    publicTexts: [title, licence, attribution ?? '', ...notes, series.timeZone],
    knowledge: await readKnowledge(context, input, series),
    rewrite: async (table) => (await writeParquet(context.scratch, [table]))[0]!,
  });
}

/** The public location domain of each mode (C4), the same on every day of the window. */
async function publicLocations(
  store: ObjectStore,
  series: TapsSeries,
  window: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const locations = new Map<string, ReadonlySet<string>>();
  for (const mode of series.modes)
    locations.set(mode, new Set((await readPublicDomain(store, series, { part: mode, day: window })).locations));
  return locations;
}
