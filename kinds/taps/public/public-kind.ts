import { FILES } from '../../../contracts/names.ts';
import type { ObjectStore } from '../../../contracts/object-store.ts';
import type { DeriveInput } from '../../../contracts/stages.ts';
import { totalsOfTables } from '../../../counts/derive/table-totals.ts';
import { MECHANISMS } from '../../../counts/mechanisms/mechanisms.ts';
import { leftOutTotal, shownTaps } from '../../../counts/readers/shown-taps.ts';
import { auditPage } from '../../../services/audit-page/audit-page.ts';
import { releaseSubject } from '../../../services/audit-page/subject.ts';
import type { PublicKind } from '../../../services/release/context.ts';
import { type TapsSeries, tapsSeries } from '../series.ts';
import { tapsKind } from '../series-kind.ts';
import { auditTaps } from './audit.ts';
import { deriveTaps } from './derive.ts';
import { describeTaps } from './description.ts';
import { privacyFile } from './privacy-file.ts';
import { readPrivatizedTables } from './privatized-tables.ts';
import { releaseCertificate } from './release-certificate.ts';
import { shownWords } from './shown-words.ts';
import { privacyStatement } from './statement.ts';

/** Taps on the public side. */
export const publicTaps: PublicKind = {
  ...tapsKind,
  refusal: (series) => {
    const { mechanism } = tapsSeries(series).privacy;
    const isDrawn = MECHANISMS[mechanism].whyNotReleased === null;
    return isDrawn ? null : `Nothing is drawn by ${mechanism}; take stability-histogram.`;
  },
  derive: (context, input, series) => deriveTaps(context, input, tapsSeries(series)),
  audit: (context, input, series, data) => auditTaps(context, input, tapsSeries(series), data),
  pageNames: [FILES.auditPage, FILES.statement],
  pages: async (input, series, { report, versions }, { releaseStore }) => {
    const taps = tapsSeries(series);
    const { certificate, privacy, shown, totals } = await readTold(releaseStore, input, taps);
    const statement = privacyStatement(taps, privacy, certificate, { report, versions }, { shown, totals });
    const subject = releaseSubject(certificate, { title: taps.publication.title, privacy, shown });
    return [
      [FILES.auditPage, Buffer.from(await auditPage(report, subject), 'utf8')],
      [FILES.statement, Buffer.from(statement, 'utf8')],
    ];
  },
  describe: async (input, series, { releaseStore }) => {
    const { certificate, privacy, tables, ...told } = await readTold(releaseStore, input, tapsSeries(series));
    return describeTaps(privacy, certificate, tables, told);
  },
  publicLists: (series) =>
    Object.fromEntries(
      Object.entries(tapsSeries(series).bins.locations).map(([mode, { dictionary }]) => [mode, dictionary]),
    ),
};

/** What is told of a release: its parameters, its drawn tables, and how much of all taps they show. */
async function readTold(releaseStore: ObjectStore, input: DeriveInput, series: TapsSeries) {
  const certificate = releaseCertificate(series, input.correction);
  const tables = await readPrivatizedTables(releaseStore, input);
  const shown = shownWords(shownTaps(tables, certificate), leftOutTotal(tables, certificate), certificate);
  const totals = totalsOfTables(tables, series.tables);
  return { certificate, tables, shown, totals, privacy: privacyFile(series, input, certificate, input.holes) };
}
