import { FILES } from '../../../contracts/names.ts';
import { COUNTS, PARTITIONS } from '../honest-release.fixture.ts';
import type { Mutant } from './mutant.fixture.ts';

const text =
  (words: string): Mutant['subject'] =>
  (subject) => ({
    ...subject,
    texts: [{ file: FILES.privacy, texts: [words] }],
  });
const TAPS_OF_CELLS = COUNTS.map(([, , , count]) => count);

/** Files that say more than their rows. */
export const FILE_MUTANTS: Mutant[] = [
  {
    check: 'removed-rows',
    name: 'a share of removed rows in the reading guide',
    subject: text('0.0005 % of the rows were removed.'),
  },
  {
    check: 'removed-rows',
    name: 'the number of removed rows in a text',
    subject: text('12 rows were removed.'),
  },
  {
    check: 'metadata',
    name: 'an entry with a count in the Parquet footer',
    subject: (subject) => ({ ...subject, parquet: subject.parquet.map((file) => ({ ...file, keyValues: 1 })) }),
  },
  {
    check: 'metadata',
    name: 'exact counts in the Parquet statistics',
    subject: (subject) => ({
      ...subject,
      parquet: subject.parquet.map((file) => ({
        ...file,
        columns: [
          {
            name: 'count',
            values: COUNTS.length * PARTITIONS.length,
            extremes: [String(Math.min(...TAPS_OF_CELLS)), String(Math.max(...TAPS_OF_CELLS))],
          },
        ],
      })),
    }),
  },
  { check: 'metadata', name: 'the path of the raw file in a text', subject: text('read /srv/raw/ferry.csv') },
  { check: 'metadata', name: 'the time of the run in a text', subject: text('made at 2026-03-05T04:12') },
  { check: 'metadata', name: 'the number of a card in a text', subject: text('without card 308425017000421') },
  {
    check: 'metadata',
    name: 'bytes of the Parquet file that its rows do not give',
    subject: (subject) => ({ ...subject, parquet: subject.parquet.map((file) => ({ ...file, rewritten: false })) }),
  },
  {
    check: 'metadata',
    name: 'lines after the end of a table that are no rows',
    subject: (subject) => ({
      ...subject,
      unreadable: [{ file: FILES.table('margins-time'), reason: 'line 90 is no row' }],
    }),
  },
];
