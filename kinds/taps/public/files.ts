import { FILES, TAPS } from '../../../contracts/names.ts';
import { CSV_COLUMNS, type CsvShape } from '../../../core/derive/csv.ts';
import type { ColumnDescription, FileDescription } from '../../../core/metadata/description.ts';
import { PLACE_COLUMNS } from './place-files.ts';
import type { PrivacyFile } from './privacy-file.ts';

type Domain = PrivacyFile['domain'];

const CSV = 'text/csv';
const JSON_TYPE = 'application/json';

/** What every column means, whatever its table. */
function columnsOf(domain: Domain): Readonly<Record<string, ColumnDescription>> {
  const { dayStarts, dayEnds, timeZone, binMinutes } = domain;
  const traffic = dayEnds > '24:00' ? ` Times after 24:00 belong to the night after the day that is named.` : '';
  const hours = `A day runs from ${dayStarts} to ${dayEnds}.${traffic}`;
  return {
    kind: {
      name: 'kind',
      type: 'string',
      description: 'What the row is: a published cell, an hour row (its time is the hour), or a fitted remainder row.',
      values: ['cell', 'hour', 'remainder'],
    },
    mode: { name: 'mode', type: 'string', description: 'Mode of transport.', values: domain.modes },
    date: { name: 'date', type: 'string', description: 'Day, written YYYYMMDD.' },
    tap: { name: 'tap', type: 'string', description: 'Boarding (on) or alighting (off).', values: TAPS },
    time: {
      name: 'time',
      type: 'string',
      description: `Start of a time bin of ${binMinutes} minutes, HH:MM, by the clock of ${timeZone}; * stands for all times that no cell shows. ${hours}`,
    },
    hour: {
      name: 'hour',
      type: 'string',
      description: `Hour HH by the clock of ${timeZone}; it holds the time bins that start in it. ${hours}`,
    },
    loc: {
      name: 'loc',
      type: 'string',
      description: 'Place by its public list; * stands for all places that no cell shows.',
    },
    count: { name: 'count', type: 'integer', description: 'Taps, with noise; see statement.md.' },
  };
}

const named = (known: Readonly<Record<string, ColumnDescription>>, names: readonly string[]): ColumnDescription[] =>
  names.map((name) => known[name]!);

function csvTable(domain: Domain, shape: CsvShape): NonNullable<FileDescription['table']> {
  const columns = named(columnsOf(domain), CSV_COLUMNS[shape]);
  return { columns, key: columns.map(({ name }) => name).filter((name) => name !== 'count'), rows: 'data' };
}

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
export function tapsFiles(domain: Domain): FileDescription[] {
  const table = (shape: CsvShape) => csvTable(domain, shape);
  return [
    {
      name: FILES.table('time-location'),
      title: 'Cells',
      description: 'Taps by time bin and place: the published cells. A cell that is not listed is not a zero.',
      mediaType: CSV,
      table: table('time-location'),
    },
    {
      name: FILES.table('time'),
      title: 'Taps by time',
      description: 'Sums over all places: of published cells, and of remainder rows where there are any.',
      mediaType: CSV,
      table: table('time'),
    },
    {
      name: FILES.table('location'),
      title: 'Taps by place',
      description: 'Sums over all times: of published cells, and of hour rows and remainder rows where there are any.',
      mediaType: CSV,
      table: table('location'),
    },
    {
      name: FILES.hours,
      title: 'Hour rows',
      description: 'Sums of noisy counts of an hour and place that no cell shows.',
      mediaType: CSV,
      table: table('hours'),
    },
    {
      name: FILES.remainder,
      title: 'Remainder rows',
      description:
        'What the cells of a time, or of a place, leave out, fitted to noisy margins. Rows of times and rows of places describe the same taps: never add both.',
      mediaType: CSV,
      table: table('time-location'),
    },
    {
      name: FILES.margins,
      title: 'Noisy margins',
      description:
        'Noisy totals of each time over all places, and of each place over all times. Unbiased; they can be negative.',
      mediaType: CSV,
      table: table('time-location'),
    },
    {
      name: FILES.leftOut,
      title: 'Left-out taps',
      description:
        'Noisy numbers of the taps of each mode, day and end that the bound of cards leaves out, each card clamped. They can be negative.',
      mediaType: CSV,
      table: table('left-out'),
    },
    {
      name: FILES.leftOut,
      title: 'Left-out taps',
      description: 'Noisy numbers of taps that no cell can hold, such as those of units with too many.',
      mediaType: CSV,
      table: table('left-out'),
    },
    {
      name: FILES.parquet,
      title: 'All rows',
      description: 'Cells, hour rows and remainder rows for programs. Never add rows of different kinds.',
      mediaType: 'application/vnd.apache.parquet',
    },
    {
      name: FILES.places,
      title: 'Places',
      description: 'Every place that a row can name, with what its public list says of it.',
      mediaType: CSV,
      table: { columns: placeColumns(domain), key: ['mode', 'loc'], rows: 'list' },
    },
    ...domain.modes.map((mode) => ({
      name: FILES.placeList(mode),
      title: `List of places of ${mode}`,
      description: `The public list as it was given, with the digest that \`${FILES.privacy}\` names.`,
      mediaType: CSV,
    })),
    {
      name: FILES.privacy,
      title: 'Privacy parameters',
      description: 'Parameters of the privacy of the release, its domain, and how to read it, for programs.',
      mediaType: JSON_TYPE,
    },
    {
      name: FILES.certificate,
      title: 'Certificate',
      description: 'The proof object of epsilon and delta, which anyone can check again.',
      mediaType: JSON_TYPE,
    },
    {
      name: FILES.auditPage,
      title: 'Audit',
      description: 'What was tried against the release, with figures, for people.',
      mediaType: 'text/html',
    },
  ];
}
