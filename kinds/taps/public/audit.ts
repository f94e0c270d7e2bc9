import type { ObjectStore } from '../../../contracts/object-store.ts';
import { auditRelease } from '../../../counts/audit/audit-release.ts';
import type { ShadowCounts } from '../../../counts/audit/mechanism/shadow-tallies.ts';
import { deriveTables } from '../../../counts/derive/tables.ts';
import { writeParquet } from '../../../services/publication/table-parquet.ts';
import type { PublicKind } from '../../../services/release/public-context.ts';
import { readDrawnTables } from '../../drawn-tables.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import { type TapsSeries, tapsSeries } from '../series.ts';
import { readPublicDomain } from '../taps-domain.ts';
import { readAuditSubject } from './audit-subject/audit-subject.ts';
import { readKnowledge } from './audit-subject/knowledge.ts';
import { privacyFile } from './privacy-file.ts';
import { releaseCertificate } from './release-certificate.ts';

/** Attacks the staged files of a release of taps, with what everybody can know and what the shadow run has shown. */
export const auditTaps: PublicKind['audit'] = async (context, input, document, data) => {
  const series = tapsSeries(document);
  const certificate = releaseCertificate(series, input.correction);
  const { title, licence, attribution, notes } = series.publication;
  const subject = await readAuditSubject(data, {
    release: input,
    privacy: privacyFile(series, input, certificate),
    locations: await publicLocations(context.releaseStore, series, input.window),
    drawn: deriveTables(await readDrawnTables(context.releaseStore, input, privatizedTableSchema)),
    publicTexts: [title, licence, attribution ?? '', ...notes, series.timeZone],
    knowledge: await readKnowledge(context, input, series),
    rewrite: async (table) => (await writeParquet(context.scratch, [table]))[0]!,
  });
  return auditRelease(subject, input.shadow as ShadowCounts);
};

/** The public location domain of each mode (C4), the same on every day of the window. */
async function publicLocations(store: ObjectStore, series: TapsSeries, window: string) {
  const locations = new Map<string, ReadonlySet<string>>();
  for (const mode of series.modes)
    locations.set(mode, new Set((await readPublicDomain(store, series, { part: mode, day: window })).locations));
  return locations;
}
