import { FILES, PUBLISHED_TABLES, type PublishedTable, TAPS } from '../../../contracts/names.ts';
import { CSV_COLUMNS, type CsvDates } from '../../../counts/derive/csv.ts';
import { TABLE_SHAPES } from '../../../counts/derive/published-tables.ts';
import type { TableTotals } from '../../../counts/derive/table-totals.ts';
import { type ColumnDescription, type FileDescription, PROOF_FILES } from '../../../services/metadata/description.ts';
import { PLACE_COLUMNS } from './place-files.ts';
import type { PrivacyFile } from './privacy-file.ts';

type Domain = PrivacyFile['domain'];

/** What every column means, whatever its table; `dates` is how the file writes days. */
function columnsOf(domain: Domain, dates: CsvDates): Readonly<Record<string, ColumnDescription>> {
  const { dayStarts, dayEnds, timeZone, binMinutes } = domain;
  const traffic = dayEnds > '24:00' ? ` Times from 24:00 on belong to the night after the day that is named.` : '';
  const hours = `A day runs from ${dayStarts} to ${dayEnds}.${traffic}`;
  return {
    mode: { name: 'mode', type: 'string', description: 'Mode of transport.', values: domain.modes },
    date:
      dates === 'iso'
        ? { name: 'date', type: 'date', description: 'Day, written YYYY-MM-DD.' }
        : { name: 'date', type: 'date', format: '%Y%m%d', description: 'Day, written YYYYMMDD.' },
    tap: { name: 'tap', type: 'string', description: 'Boarding (on) or alighting (off).', values: TAPS },
    time: {
      name: 'time',
      type: 'string',
      description: `Start of a time bin of ${binMinutes} minutes, HH:MM, by the clock of ${timeZone}. ${hours}`,
    },
    hour: {
      name: 'hour',
      type: 'string',
      description: `Hour HH by the clock of ${timeZone}; it holds the time bins that start in it. ${hours}`,
    },
    loc: { name: 'loc', type: 'string', description: 'Place by its public list.' },
    count: { name: 'count', type: 'integer', description: 'Taps, with noise; see statement.md.' },
  };
}

/** A table as one of its two files. */
function tableOf(domain: Domain, name: PublishedTable, dates: CsvDates, total: number | undefined) {
  const known = columnsOf(domain, dates);
  const sum = total === undefined ? '' : ` The counts of this table add up to ${total}.`;
  const columns = CSV_COLUMNS[TABLE_SHAPES[name]].map((column) => {
    const described = known[column]!;
    return column === 'count' ? { ...described, description: `${described.description}${sum}` } : described;
  });
  const key = columns.map((column) => column.name).filter((column) => column !== 'count');
  return { columns, key, rows: 'data' as const, ...(total === undefined ? {} : { total }) };
}

/** What each table is, in the order for readers. */
const TABLE_TEXTS: Readonly<Record<PublishedTable, readonly [title: string, description: string]>> = {
  'time-location': [
    'Cells',
    'Taps by time bin and place: the published cells. A cell that is not listed is not a zero.',
  ],
  time: ['Taps by time', 'Sums over all places: of published cells, and of remainder rows where there are any.'],
  location: [
    'Taps by place',
    'Sums over all times: of published cells, and of hour rows and remainder rows where there are any.',
  ],
  hours: ['Hour rows', 'Sums of noisy counts of an hour and place that no cell shows.'],
  'remainder-time': [
    'Remainder rows of times',
    'What the cells of a time leave out, fitted to noisy margins. Those of places describe the same taps: never add both.',
  ],
  'remainder-location': [
    'Remainder rows of places',
    'What the cells and hour rows of a place leave out, fitted to noisy margins. Those of times describe the same taps: never add both.',
  ],
  'margins-time': [
    'Noisy margins of times',
    'Noisy totals of each time over all places. Unbiased; they can be negative. Those of places count the same taps.',
  ],
  'margins-location': [
    'Noisy margins of places',
    'Noisy totals of each place over all times. Unbiased; they can be negative. Those of times count the same taps.',
  ],
  'left-out': [
    'Left-out taps',
    'Noisy numbers of the taps of each mode, day and end that are in no other table: beyond the bound of cards, each card clamped, or rejected. They can be negative.',
  ],
};

/** Every table in its two forms. */
const tables = (domain: Domain, dates: CsvDates, totals: TableTotals): FileDescription[] =>
  PUBLISHED_TABLES.flatMap((name) => {
    const [title, description] = TABLE_TEXTS[name];
    return [
      {
        name: FILES.table(name),
        title,
        description,
        table: tableOf(domain, name, dates, totals.get(name)),
      },
      {
        name: FILES.table(name, 'parquet'),
        title: `${title}, Parquet`,
        description: `The rows of ${FILES.table(name)} with their types, for programs.`,
        table: tableOf(domain, name, 'iso', totals.get(name)),
      },
    ];
  });

/** The columns of places.csv. */
function placeColumns({ modes }: Domain): ColumnDescription[] {
  const texts: Record<(typeof PLACE_COLUMNS)[number], string> = {
    mode: 'Mode of transport.',
    loc: 'Place, as the tables name it.',
    name: 'Name for people.',
    latitude: 'Degrees north (WGS 84); empty where the list has none.',
    longitude: 'Degrees east (WGS 84); empty where the list has none.',
    parent: 'The place that it is a part of; empty where the list has none.',
    source: 'Where the list is from.',
    licence: 'Licence of the list.',
    version: 'Version of the list.',
  };
  return PLACE_COLUMNS.map((name) => ({
    name,
    type: name === 'latitude' || name === 'longitude' ? 'number' : 'string',
    description: texts[name],
    optional: name !== 'mode' && name !== 'loc' && name !== 'name',
    ...(name === 'mode' ? { values: modes } : {}),
  }));
}

/** Every file that a release of taps can have, in the order for readers. */
export function tapsFiles(domain: Domain, dates: CsvDates, totals: TableTotals): FileDescription[] {
  return [
    ...tables(domain, dates, totals),
    {
      name: FILES.places,
      title: 'Places',
      description: 'Every place that a row can name, with what its public list says of it.',
      table: { columns: placeColumns(domain), key: ['mode', 'loc'], rows: 'list' },
    },
    ...domain.modes.map((mode) => ({
      name: FILES.placeList(mode),
      title: `List of places of ${mode}`,
      description: `The public list as it was given, with the digest that \`${FILES.privacy}\` names.`,
    })),
    ...PROOF_FILES,
    {
      name: FILES.auditPage,
      title: 'Audit',
      description: 'What was tried against the release, with figures, for people.',
    },
  ];
}
