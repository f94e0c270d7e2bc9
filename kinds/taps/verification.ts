import type { AuditCheck } from '../../contracts/audit-report.ts';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES } from '../../contracts/names.ts';
import { canonicalJson } from '../../core/json/canonical.ts';
import { oncePer } from '../../core/memory/function-cache.ts';
import { checkCertified } from '../../counts/audit/checks/certificate-check.ts';
import { checkDomain } from '../../counts/audit/checks/domain.ts';
import { checkHourRows } from '../../counts/audit/checks/hour-rows.ts';
import { checkMetadata } from '../../counts/audit/checks/metadata.ts';
import { checkThreshold } from '../../counts/audit/checks/published-threshold.ts';
import { checkOrder } from '../../counts/audit/checks/row-order.ts';
import { checkSums } from '../../counts/audit/checks/sums.ts';
import type { AuditSubject } from '../../counts/audit/subject.ts';
import { NO_ROWS, sameTables, totalOf } from '../../counts/derive/count-table.ts';
import type { Publication } from '../../services/publication/publication.ts';
import { formOf } from '../../services/publication/staged-files.ts';
import {
  ensure,
  ensureOneRelease,
  exactCheck,
  type VerificationCheck,
} from '../../services/publication/verification-check.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { readAuditSubject } from './public/audit-subject/audit-subject.ts';
import { arePlacesOf, listPlaces, PLACE_FILES, readLists } from './public/place-files.ts';
import { privacyFileSchema } from './public/privacy-file.ts';

/** The rows and parameters of a publication of taps, for the checks that the audit has too; read once. */
export const subjectOf = oncePer(
  async ({ files, manifest: { series, window, version } }: Publication): Promise<AuditSubject> =>
    readAuditSubject(files, {
      release: { series, window, version },
      privacy: null,
      locations: domainOf(files),
      drawn: null,
      publicTexts: [],
      rewrite: null, // another version of the writer may be at work here
    }),
);

/** The places that the published lists name; null with lists that are no good: checkPlaces reports those. */
function domainOf(files: Publication['files']): ReadonlyMap<string, ReadonlySet<string>> | null {
  try {
    const { domain } = formOf(files, FILES.privacy, privacyFileSchema);
    return listPlaces(domain, readLists(files, domain.modes));
  } catch {
    return null;
  }
}

/** The lists have the digests that manifest and privacy.json name, and the tables of places follow from them. */
async function checkPlaces(publication: Publication): Promise<string> {
  const { files } = publication;
  const { domain } = privacyFileSchema.parse(publication.json(FILES.privacy));
  const lists = readLists(files, domain.modes);
  for (const [mode, bytes] of lists)
    ensure(sha256(bytes) === domain.locations[mode]?.dictionary, `The list of places of ${mode} has another digest.`);
  ensure(
    arePlacesOf(domain, lists, files),
    `${PLACE_FILES.all} or its Parquet file does not follow from the lists of places.`,
  );
  return `The lists of places of ${lists.size} modes are those that the release names.`;
}

function checkParameters(publication: Publication): string {
  const { manifest } = publication;
  const privacy = privacyFileSchema.parse(publication.json(FILES.privacy));
  const release = ensureOneRelease(publication, privacy, privacy.domain.modes, 'modes');
  const dictionaries = Object.entries(privacy.domain.locations).map(([mode, { dictionary }]) => [mode, dictionary]);
  ensure(
    canonicalJson(Object.fromEntries(dictionaries)) === canonicalJson(manifest.publicLists),
    'Manifest and privacy.json name different location lists.',
  );
  return `Manifest, privacy parameters and audit speak of the same release, ${release}.`;
}

async function checkParquet(publication: Publication): Promise<string> {
  const { tables, cells, hours, remainder, differing, parquet } = await subjectOf(publication);
  ensure(differing.length === 0, `CSV and Parquet of these tables have different rows: ${differing.join(', ')}.`);
  ensure(tables.cells === null || sameTables(tables.cells, cells), 'Parquet and CSV have different cells.');
  ensure(sameTables(tables.hours ?? NO_ROWS, hours), 'Parquet and CSV have different hour rows.');
  ensure(sameTables(tables.remainder ?? NO_ROWS, remainder), 'Parquet and CSV have different remainder rows.');
  ensure(parquet.length > 0, 'There is no Parquet file that can be read.');
  const rows = parquet.reduce((sum, one) => sum + one.rows, 0);
  return `The Parquet files have the same ${rows} rows as the CSV files.`;
}

/** What the counts of each table add up to is what the summary says that they do. */
async function checkTotals(publication: Publication): Promise<string> {
  const { files } = summarySchema.parse(publication.json(FILES.summary));
  const totals = new Map(files.flatMap(({ name, total }) => (total === undefined ? [] : [[name, total] as const])));
  const { parquet } = await subjectOf(publication);
  for (const { file, read } of parquet) {
    const total = totalOf({ count: read.count as Float64Array });
    const names = [file, file.replace(/\.parquet$/, '.csv')].filter((name) => publication.files.has(name));
    const wrong = names.filter((name) => totals.get(name) !== total);
    ensure(wrong.length === 0, `The counts of ${wrong.join(', ')} do not add up to what the summary says.`);
  }
  return `The counts of all ${parquet.length} tables add up to what the summary says.`;
}

/** Checks of the audit that need nothing but the publication; the check of the parameters reports holes. */
const AUDIT_CHECKS: Readonly<Record<string, (subject: AuditSubject) => AuditCheck>> = {
  certificate: checkCertified,
  threshold: checkThreshold,
  'hour-rows': checkHourRows,
  order: checkOrder,
  sums: checkSums,
  domain: checkDomain,
  metadata: checkMetadata,
};

/** What a publication of taps is checked for besides what every publication is. */
export const TAPS_VERIFICATION: readonly VerificationCheck[] = [
  { id: 'parameters', check: checkParameters },
  { id: 'places', check: checkPlaces },
  ...Object.entries(AUDIT_CHECKS).map(([id, again]) =>
    exactCheck(id, async (publication) => {
      const { verdict, sentence } = again(await subjectOf(publication));
      return { ok: verdict === 'pass' || verdict === 'not-tried', sentence };
    }),
  ),
  { id: 'parquet', check: checkParquet },
  { id: 'totals', check: checkTotals },
];
