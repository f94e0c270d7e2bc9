import { auditReportSchema } from '../../contracts/audit-report.ts';
import { summarySchema } from '../../contracts/formats/summary.ts';
import { FILES, type ReleaseReference } from '../../contracts/names.ts';
import { csvFields, csvRecords } from '../../core/text/csv.ts';
import type { LedgerReader } from '../../services/ledger/verify-ledger.ts';
import { findRelease, loadFile } from '../../services/publication/audited-release.ts';

/** What would be published of a release, for people: every byte of it is as it was audited. */
export type ReleaseReview = NonNullable<Awaited<ReturnType<typeof reviewRelease>>>;

/**
 * The parts of an audited release that somebody who decides looks at. Null before its audit. Throws COPY_DIFFERS, and
 * what the ledger and the trust file throw.
 *
 * @contract C16
 */
export async function reviewRelease(reader: LedgerReader, release: ReleaseReference) {
  const audit = await findRelease(reader, release);
  if (!audit) return null;
  const { manifest, manifestDigest, report } = audit;
  const textOf = async (name: string) => (await loadFile(reader.releaseStore, audit, name))?.toString('utf8') ?? null;
  const [summary, statement, totals, times, first] = await Promise.all(
    [FILES.summary, FILES.statement, FILES.table('totals'), FILES.table('time'), FILES.audit].map(textOf),
  );
  return {
    manifestDigest,
    summary: summarySchema.parse(JSON.parse(summary ?? 'null')),
    report,
    /** The first audit, where a second one under a corrected declaration counts (C15). */
    first: report.corrected ? auditReportSchema.parse(JSON.parse(first ?? 'null')) : null,
    totals: totals ? totalsOf(totals) : [],
    byHour: times ? hoursOf(times) : [],
    /** Partitions without data, and why. */
    holes: manifest.partitions.flatMap(({ part, day, hole }) => (hole === null ? [] : [{ part, day, code: hole }])),
    /** As readers will see it, Markdown. */
    statement: statement ?? '',
    files: manifest.files.map(({ name, bytes }) => ({ name, size: bytes })),
  };
}

/** The rows of a table that has all of the named columns, in their order; none of another table. */
function rowsOf(text: string, columns: readonly string[]): string[][] {
  const [head, ...records] = csvRecords(text);
  const names = csvFields(head ?? '');
  // The part of a partition has a name of its own kind, and comes first.
  const places = [0, ...columns.map((column) => names.indexOf(column))];
  if (places.includes(-1)) return [];
  return records.map((record) => {
    const fields = csvFields(record);
    return places.map((place) => fields[place] ?? '');
  });
}

/** The total of each partition, with its interval where the release has one. */
function totalsOf(text: string) {
  const intervals = rowsOf(text, ['date', 'count', 'low', 'high']);
  const rows = intervals.length > 0 ? intervals : rowsOf(text, ['date', 'count']);
  return rows.map(([part, day, count, low, high]) => ({
    part: part!,
    day: day!,
    count: Number(count),
    low: low === undefined ? null : Number(low),
    high: high === undefined ? null : Number(high),
  }));
}

/** Counts of each part by the hour of the day, over all days of the release. */
function hoursOf(text: string) {
  const parts = new Map<string, Map<string, number>>();
  for (const [part, time, count] of rowsOf(text, ['time', 'count'])) {
    const hours = parts.get(part!) ?? new Map<string, number>();
    const hour = time!.slice(0, 2);
    hours.set(hour, (hours.get(hour) ?? 0) + Number(count));
    parts.set(part!, hours);
  }
  return [...parts].map(([part, hours]) => ({
    part,
    hours: [...hours].map(([hour, count]) => ({ hour, count })).sort((a, b) => (a.hour < b.hour ? -1 : 1)),
  }));
}
