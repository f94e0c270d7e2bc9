import type { AuditReport } from '../../../contracts/audit-report.ts';
import { gather } from '../../../core/text/paragraphs.ts';
import type { TableTotals } from '../../../counts/derive/table-totals.ts';
import type { ShownTable } from '../../../services/audit-page/page-subject.ts';

/** The section of a statement, and of a reader's page, that says what the counts of each table add up to. */
export const TOTALS_HEADING = 'The tables and their totals';

/** What the counts of each table add up to, in words. */
export const totalsWords = (totals: TableTotals): ShownTable => ({
  sentences: [
    'The counts of each table add up to its total, in its CSV file and in its Parquet file. Several tables count the same taps: never add rows of two of them.',
  ],
  headings: ['Table', 'Total'],
  rows: [...totals].map(([name, total]) => [name, `${total}`]),
});

/** Days, and earlier days of each, that are shown; audit.json has all. */
const [DAYS_SHOWN, WEEKS_SHOWN] = [70, 4];

/** The totals of the days beside those of the weeks before, in words; null where nothing was compared. */
export function daysWords({ history }: AuditReport): ShownTable | null {
  if (!history) return null;
  const { days, places, read, unusual } = history;
  const isOdd = ({ count, usual }: (typeof days)[number]): boolean =>
    usual !== null && (count < usual[0] || count > usual[1]);
  const rows = [...days.filter(isOdd), ...days.filter((one) => !isOdd(one))].slice(0, DAYS_SHOWN);
  const changes = places.map(({ part, place, count, before }) => `${part} ${place} (${before} before, now ${count})`);
  const periods = unusual.map(({ from, to, reason }) => `${from === to ? from : `${from} to ${to}`} (${reason})`);
  return {
    sentences: gather(
      `Published noisy totals (totals.csv), compared with ${read.length} earlier publications, whose digests are in audit.json. Exact totals are known to custodians alone.`,
      days.length > rows.length && `Of ${days.length} days ${rows.length} are shown, unusual ones first.`,
      changes.length > 0 &&
        `Places that changed most against the newest of them, by more than noise: ${changes.join(', ')}.`,
      periods.length > 0 && `Compared with nothing, as declared: ${periods.join(', ')}.`,
    ),
    headings: [
      'Day',
      'Noisy total',
      'Usual',
      ...Array.from({ length: WEEKS_SHOWN }, (_, week) => `${week + 1} before`),
    ],
    rows: rows.map((one) => [
      `${one.partition}${isOdd(one) ? ' (not usual)' : ''}`,
      `${one.count}`,
      one.usual ? `${one.usual[0]} to ${one.usual[1]}` : 'not known',
      ...Array.from({ length: WEEKS_SHOWN }, (_, week) => `${one.before[week] ?? '–'}`),
    ]),
  };
}
