import { certificateShape } from '../../../contracts/certificate.ts';
import { FILES, partitionPath } from '../../../contracts/names.ts';
import { hourOf } from '../../../core/calendar/time-bins.ts';
import type { CountTable } from '../../../counts/derive/count-table.ts';
import { sumOf, sumsOfTable, type TableSums, type TableTotals } from '../../../counts/derive/table-totals.ts';
import { dayTotals, leftOutTotal, tapsByMode } from '../../../counts/readers/shown-taps.ts';
import { PUBLISHED_TABLES, type PublishedTable } from '../../../counts/tables/tap-tables.ts';
import { auditPage } from '../../../services/audit-page/audit-page.ts';
import { releaseSubject } from '../../../services/audit-page/page-subject.ts';
import type { TextsOf } from '../../../services/publication/release-texts.ts';
import { fileOf, formOf, type ReleaseFiles } from '../../../services/publication/staged-files.ts';
import { readTyped } from './audit-subject/table-files.ts';
import { describeTaps } from './description.ts';
import { listPlaces, type PlaceLists, readLists } from './place-files.ts';
import { PLACE_TABLES, placeTotals } from './place-totals.ts';
import { type PrivacyFile, privacyFileSchema, publicDomains } from './privacy-file.ts';
import { type PossibleRows, rowsOfNobody, tapsWords } from './shown-words.ts';
import { privacyStatement } from './statement.ts';
import { TAPS_TABLES } from './tables.ts';
import { daysWords } from './totals-words.ts';

/** The texts about a release of taps. Cost: O(rows), one table at a time. */
export const tapsTexts: TextsOf = async (files) => {
  const privacy = formOf(files, FILES.privacy, privacyFileSchema);
  const certificate = formOf(files, FILES.certificate, certificateShape);
  const { modes, days } = privacy.domain;
  const partitions = modes
    .flatMap((part) => days.map((day) => ({ part, day })))
    .filter((partition) => !privacy.holes.includes(partitionPath(partition)));
  const tables = readSums(files, privacy);
  const ofDays = dayTotals(tables, partitions, certificate);
  const shows = tapsByMode(tables, [...new Set(partitions.map(({ part }) => part))], certificate);
  const lists = readLists(files, modes);
  const nobody = rowsOfNobody(certificate, possibleRows(privacy, lists));
  const words = tapsWords(shows, leftOutTotal(tables, certificate), certificate);
  const shown = { ...words, sentences: [...words.sentences, ...nobody] };
  const totals: TableTotals = new Map([
    ...[...tables.keys()].map((name) => [name, sumOf(tables, name).total] as const),
    ['totals', ofDays.reduce((sum, { count }) => sum + count, 0)],
  ]);
  const name = PLACE_TABLES.find((one) => files.has(FILES.table(one, 'parquet')));
  const places = name ? placeTotals(privacy, certificate, { name, table: rowsIn(files, name, privacy) }, lists) : null;
  const facts = { privacy, certificate, ofDays, shown, totals, places, nobody };
  return {
    description: describeTaps(facts),
    statement: (others) => privacyStatement(facts, others),
    auditPage: (title, report) =>
      auditPage(report, { ...releaseSubject(certificate, { title, privacy, shown }), days: daysWords(report) }),
  };
};

/** By the public lists and clocks of what was drawn. */
function possibleRows(privacy: PrivacyFile, lists: PlaceLists): PossibleRows {
  const rows = { cells: 0, hours: 0 };
  for (const { taps, times, locations } of publicDomains(privacy, listPlaces(privacy.domain, lists)).values()) {
    const places = taps.size * locations!.size;
    rows.cells += places * times.size;
    rows.hours += places * new Set([...times].map(hourOf)).size;
  }
  return rows;
}

/** The sums of every table, by its Parquet file. */
function readSums(files: ReleaseFiles, privacy: PrivacyFile): TableSums {
  const sums = new Map();
  for (const name of PUBLISHED_TABLES)
    if (files.has(FILES.table(name, 'parquet'))) sums.set(name, sumsOfTable(rowsIn(files, name, privacy)));
  return sums;
}

const rowsIn = (files: ReleaseFiles, name: PublishedTable, { domain }: PrivacyFile): CountTable =>
  readTyped(TAPS_TABLES[name], fileOf(files, FILES.table(name, 'parquet')), domain.binMinutes).own;
