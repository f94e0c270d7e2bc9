import { momentAt } from '../../../core/calendar/moment.ts';
import { clockMinutes } from '../../../core/calendar/time-bins.ts';
import {
  type ColumnsOfTable,
  columnsFor,
  columnsOfRows,
  rowsOfColumns,
  type TableColumn,
  type TableDefinition,
} from '../../../core/table/published-table.ts';
import { type CountField, type CountTable, columnsOfTable, encodeNumbers } from '../../../counts/derive/count-table.ts';
import { type DayTotal, hasIntervals } from '../../../counts/readers/shown-taps.ts';
import { PUBLISHED_TABLES, type PublishedTable, TAPS } from '../../../counts/tables/tap-tables.ts';
import type { CsvDates } from '../../../services/publication/table-csv.ts';
import type { PrivacyFile } from './privacy-file.ts';

/** What the words of a table depend on: the domain, how its file writes days, and what its counts add up to. */
export type TableFacts = { domain: PrivacyFile['domain']; dates: CsvDates; total: number | undefined };

/** `start` and `end` of the bin or hour of a row follow from its day and its label. */
export type TapsField = CountField | 'start' | 'end';

type Column<Field extends string = TapsField> = TableColumn<Field, TableFacts>;

const column = columnsFor<TableFacts>();

function hoursOf({ dayStarts, dayEnds }: TableFacts['domain']): string {
  const traffic = dayEnds > '24:00' ? ` Times from 24:00 on belong to the night after the day that is named.` : '';
  return `A day runs from ${dayStarts} to ${dayEnds}.${traffic}`;
}

/** What every table begins with. Columns are as in the original Opal release. */
const PARTITION = [
  column('mode', 'mode', 'text', ({ domain }) => ({ description: 'Mode of transport.', values: domain.modes })),
  column('date', 'day', 'day', ({ dates }) =>
    dates === 'iso'
      ? { description: 'Day, written YYYY-MM-DD.' }
      : { format: '%Y%m%d', description: 'Day, written YYYYMMDD.' },
  ),
] as const;

/** What every table of one end of trips begins with. */
const SLICE: readonly Column[] = [
  ...PARTITION,
  column('tap', 'tap', 'text', () => ({ description: 'Boarding (on) or alighting (off).', values: TAPS })),
];

const TIME = column('time', 'time', 'text', ({ domain }) => ({
  description: `Start of a time bin of ${domain.binMinutes} minutes, HH:MM, by the clock of ${domain.timeZone}. ${hoursOf(domain)}`,
}));

const MOMENTS = [
  column('start', 'start', 'moment', ({ domain }) => ({
    description: `When it begins, ISO 8601 by the clock of ${domain.timeZone}; labels from 24:00 on are of the day after.`,
  })),
  column('end', 'end', 'moment', ({ domain }) => ({
    description: `When it ends, likewise, by the clock of ${domain.timeZone}.`,
  })),
];

const HOUR = column('hour', 'time', 'text', ({ domain }) => ({
  description: `Hour HH:00 by the clock of ${domain.timeZone}; it holds the time bins that start in it. ${hoursOf(domain)}`,
}));

const PLACE = column('loc', 'location', 'text', 'Place by its public list.');

const COUNT = column('count', 'count', 'integer', ({ total }) => ({
  description: `Taps, with noise; see statement.md.${total === undefined ? '' : ` The counts of this table add up to ${total}.`}`,
}));

/** Title, description, and the columns between slice and count. */
const TABLES: Readonly<Record<PublishedTable, readonly [title: string, description: string, ...columns: Column[]]>> = {
  'time-location': [
    'Cells',
    'Taps by time bin and place: the published cells. A cell that is not listed is not a zero.',
    TIME,
    ...MOMENTS,
    PLACE,
  ],
  time: ['Taps by time', 'Sums over all places, of all rows that count a tap once.', TIME, ...MOMENTS],
  location: ['Taps by place', 'Sums over all times, of all rows that count a tap once.', PLACE],
  hours: ['Hour rows', 'Sums of noisy counts of an hour and place that no cell shows.', HOUR, ...MOMENTS, PLACE],
  'remainder-time': [
    'Remainder rows of times',
    'What published cells leave out of a time, fitted to noisy margins.',
    TIME,
    ...MOMENTS,
  ],
  'remainder-location': [
    'Remainder rows of places',
    'What all other rows leave out of a place, fitted to noisy margins.',
    PLACE,
  ],
  'margins-time': [
    'Noisy margins of times',
    'Noisy totals of each time over all places. Unbiased; they can be negative.',
    TIME,
    ...MOMENTS,
  ],
  'margins-location': [
    'Noisy margins of places',
    'Noisy totals of each place over all times. Unbiased; they can be negative.',
    PLACE,
  ],
  'left-out': [
    'Left-out taps',
    'Noisy numbers of the taps of each mode, day and end that are in no other table. They can be negative.',
  ],
};

/** A table of taps. */
export type TapsTable = TableDefinition<TapsField, TableFacts> & { name: PublishedTable };

/** The tables of a release of taps, in the order for readers. */
export const TAPS_TABLES = Object.fromEntries(
  PUBLISHED_TABLES.map((name) => {
    const [title, description, ...own] = TABLES[name];
    const keys = [...SLICE, ...own];
    return [
      name,
      {
        name,
        title,
        description,
        columns: [...keys, COUNT],
        key: keys.flatMap(({ field, type }) => (type === 'moment' ? [] : [field])),
      },
    ];
  }),
) as unknown as Readonly<Record<PublishedTable, TapsTable>>;

const HOUR_MINUTES = 60;

/** The rows of a table in columns, as they are written; time bins have `binMinutes` minutes. Cost: O(rows). */
export function tapsColumns({ columns }: TapsTable, table: CountTable, binMinutes: number): ColumnsOfTable<TapsField> {
  const { slices, slice, times, time } = table;
  const none = { texts: [], codes: new Uint32Array() };
  if (!columns.some(({ field }) => field === 'start')) return { ...columnsOfTable(table), start: none, end: none };
  const length = columns.some(({ name }) => name === HOUR.name) ? HOUR_MINUTES : binMinutes;
  // Lists may name days and labels that no row has.
  const { numbers, codes } = encodeNumbers(slice.length, (at) => slice[at]! * times.length + time[at]!);
  const own = {
    slices: numbers.map((pair) => slices[Math.floor(pair / times.length)]!),
    times: numbers.map((pair) => times[pair % times.length]!),
  };
  const momentsAt = (later: number): string[] =>
    own.slices.map(({ day }, place) => momentAt(day, clockMinutes(own.times[place]!) + later));
  // One list of codes for all of these: a CSV file takes them as one.
  return {
    ...columnsOfTable({ ...table, ...own, slice: codes, time: codes }),
    start: { texts: momentsAt(0), codes },
    end: { texts: momentsAt(length), codes },
  };
}
/** The columns of `totals`; without rows that cover every tap there are no intervals (counts/readers/shown-taps.ts). */
type TotalField = 'mode' | 'day' | 'count' | 'low' | 'high';

/** A table of the taps of each mode and day. */
export type TotalsTable = TableDefinition<TotalField, TableFacts> & { name: 'totals' };

/** The table `totals` as a release of this certificate has it. */
export function totalsTable(certificate: Parameters<typeof hasIntervals>[0]): TotalsTable {
  const isKnown = hasIntervals(certificate);
  return {
    name: 'totals',
    title: 'Totals of each day',
    description: isKnown
      ? 'All taps of a mode and day, boarding and alighting together: the sum of those published rows that count every tap once and have the least noise (margins of times, margins of places, or all cells), with an interval. It is not fitted, so that the tables of times and places add up to nearly, and not exactly, as much.'
      : 'What the published cells of a mode and day add up to, boarding and alighting together. No total of all taps: how many taps no cell shows is not known, and so there is no interval.',
    columns: [...PARTITION, COUNT, ...(isKnown ? INTERVAL : [])],
    key: ['mode', 'day'],
  };
}

const INTERVAL = [
  column('low', 'low', 'integer', 'Lower end of the interval; never below 0 unless all of it is.'),
  column(
    'high',
    'high',
    'integer',
    'Upper end. The interval misses the exact number of counted taps with a chance of at most 5 %.',
  ),
];

/** Its rows in columns. */
export const totalColumns = (table: TotalsTable, totals: readonly DayTotal[]): ColumnsOfTable<TotalField> =>
  columnsOfRows(
    table,
    totals.map(({ part: mode, ...total }) => ({ low: 0, high: 0, mode, ...total })),
  );

/** The rows that its columns hold. */
export const totalsOfColumns = (columns: ColumnsOfTable<TotalField>): DayTotal[] =>
  rowsOfColumns(columns).map(({ mode, ...total }) => ({ part: mode, ...total }) as DayTotal);
