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
