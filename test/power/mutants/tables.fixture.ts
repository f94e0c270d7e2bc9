import { partitionPath } from '../../../contracts/names.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import { ALL, type CountRow, partitionOfRow } from '../../../counts/derive/count-row.ts';
import { TAPS } from '../../../counts/tables/tap-tables.ts';
import { compareRows, drawTable, sumOverLocations, sumOverTimes } from '../../support/draw-rows.ts';
import type { RowSubject } from '../../support/row-subject.ts';
import { seededSource } from '../../support/seeded-source.ts';
import { CERTIFICATE, COUNTS, DOMAIN, honestDraw, PARAMETERS, PARTITIONS } from '../honest-release.fixture.ts';
import { knowing, type Mutant, noisyDraw, withMargins, withTables } from './mutant.fixture.ts';

/** The rows that nobody may see. */
const RAW: CountRow[] = PARTITIONS.flatMap(({ part: mode, day }) =>
  COUNTS.map(([tap, time, location, count]) => ({ mode, day, tap, time, location, count })),
);

/** Sums of what the published cells leave out, exact. */
function exactRemainder({ cells, remainder }: RowSubject): CountRow[] {
  const counted = (rows: readonly CountRow[], line: CountRow): number =>
    rows
      .filter((row) => row.day === line.day && row.tap === line.tap)
      .filter((row) => (line.time === ALL ? row.location === line.location : row.time === line.time))
      .reduce((sum, row) => sum + row.count, 0);
  const published = new Set(cells.map((row) => `${row.day} ${row.tap} ${row.time} ${row.location}`));
  const suppressed = RAW.filter((row) => !published.has(`${row.day} ${row.tap} ${row.time} ${row.location}`));
  return remainder.map((line) => ({ ...line, count: counted(suppressed, line) }));
}

function withoutLastDay(subject: RowSubject): RowSubject {
  const last = partitionPath(PARTITIONS.at(-1)!);
  const kept = (rows: CountRow[] | null): CountRow[] => (rows ?? []).filter((row) => partitionOfRow(row) !== last);
  const { cells, hours, remainder, drawn, tables } = subject;
  return {
    ...subject,
    cells: kept(cells),
    hours: kept(hours),
    remainder: kept(remainder),
    drawn: drawn && {
      cells: kept(drawn.cells),
      hours: kept(drawn.hours),
      remainder: kept(drawn.remainder),
      margins: kept(drawn.margins),
    },
    tables: {
      cells: kept(tables.cells),
      time: kept(tables.time),
      location: kept(tables.location),
      hours: tables.hours && kept(tables.hours),
      remainder: kept(tables.remainder),
      margins: kept(tables.margins),
    },
  };
}

const placeOf = new Map(RAW.map((row, index) => [`${row.day} ${row.tap} ${row.time} ${row.location}`, index]));
const inputPlace = ({ day, tap, time, location }: CountRow): number =>
  placeOf.get(`${day} ${tap} ${time} ${location}`) ?? 0;

/** Tables that say more than the draw, or something else. */
export const TABLE_MUTANTS: Mutant[] = [
  {
    check: 'sums',
    name: 'a CSV with another count than the Parquet file',
    subject: withTables(({ cells }) => ({
      cells: cells!.map((row, i) => (i === 0 ? { ...row, count: row.count + 1 } : row)),
    })),
  },
  {
    check: 'sums',
    name: 'a table with other rows as Parquet than as CSV',
    subject: (subject) => ({ ...subject, differing: ['margins-time'] }),
  },
  {
    check: 'sums',
    name: 'a location table from the raw counts',
    subject: withTables(() => ({ location: sumOverTimes(RAW, []) })),
  },
  {
    check: 'sums',
    name: 'a remainder that is sharper than its margins',
    subject: (subject) => {
      const remainder = exactRemainder(subject);
      const { cells, drawn } = subject;
      const tables = { time: sumOverLocations(cells, remainder), location: sumOverTimes(cells, remainder), remainder };
      return { ...withTables(() => tables)(subject), remainder, drawn: drawn && { ...drawn, remainder } };
    },
  },
  {
    check: 'differencing',
    name: 'a time table from the raw counts',
    subject: withTables(() => ({ time: sumOverLocations(RAW, []) })),
  },
  {
    check: 'differencing',
    name: 'a time table with noise of its own',
    subject: withTables(({ time }) => ({ time: time!.map((row, i) => ({ ...row, count: row.count + (i % 3) })) })),
  },
  {
    check: 'linear-bounds',
    name: 'totals that were moved from one time to another',
    draw: withMargins((_, key) => (key === '07:00' ? 2000 : key === '08:15' ? -2000 : 0)),
  },
  {
    check: 'margin-noise',
    name: 'totals of places that count more than those of times',
    draw: withMargins((kind) => (kind === 'location' ? 300 : 0)),
  },
  {
    check: 'margin-noise',
    name: 'exact totals in the release',
    draw: noisyDraw(() => ({ time: () => 0, location: () => 0 })),
  },
  {
    check: 'scale',
    name: 'noise of eight times the scale in the release',
    draw: (random) => (partition) => {
      const { scale } = certify({ ...PARAMETERS, epsilon: '2/5', split: { cells: '2/5' } });
      return drawTable(partition, COUNTS, DOMAIN, { ...CERTIFICATE, scale }, random);
    },
  },
  {
    check: 'scale',
    name: 'noise of a sixteenth of the scale in the release',
    draw: (random) => (partition) => {
      const { scale } = certify({ ...PARAMETERS, epsilon: '256/5', split: { cells: '256/5' } });
      return drawTable(partition, COUNTS, DOMAIN, { ...CERTIFICATE, scale }, random);
    },
  },
  {
    check: 'reuse',
    name: 'noise from a seed: two versions with the same noise',
    draw: (_, seed) => honestDraw(seededSource(seed)),
  },
  {
    check: 'reuse',
    name: 'no noise at all in the release',
    draw: noisyDraw(() => ({ cell: () => 0 })),
  },
  {
    check: 'timetable-extremes',
    name: 'a cell that one ferry alone can feed',
    subject: (subject) =>
      knowing({ timetable: subject.knowledge.timetable.map((cell) => ({ ...cell, services: 1 })) })(subject),
  },
  {
    check: 'order',
    name: 'cells in the order of the input',
    subject: withTables(({ cells }) => ({
      cells: cells!.toSorted((a, b) => inputPlace(a) - inputPlace(b)),
    })),
  },
  {
    check: 'order',
    name: 'totals in the order of the times of day, before mode and day',
    subject: withTables(({ margins }) => ({
      margins: margins!.toSorted((a, b) => a.time.localeCompare(b.time) || compareRows(a, b)),
    })),
  },
  {
    check: 'domain',
    name: 'days that the series does not have',
    subject: (subject) => ({ ...subject, domains: new Map() }),
  },
  {
    check: 'domain',
    name: 'a place that only the data names',
    subject: (subject) => ({
      ...subject,
      domains: new Map(
        [...subject.domains].map(([partition, domain]) => [
          partition,
          { ...domain, locations: new Set(DOMAIN.locations.filter((place) => place !== 'Taronga')) },
        ]),
      ),
    }),
  },
  {
    check: 'domain',
    name: 'totals of those places alone that were not empty',
    subject: (subject) => ({
      ...subject,
      domains: new Map(
        [...subject.domains].map(([partition, domain]) => [
          partition,
          { taps: new Set(TAPS), times: domain.times, locations: new Set([...DOMAIN.locations, 'Watsons Bay']) },
        ]),
      ),
    }),
  },
  { check: 'holes', name: 'a day without data', subject: (subject) => ({ ...subject, holes: ['ferry/2026-03-05'] }) },
  { check: 'holes', name: 'a day that is neither there nor named', subject: withoutLastDay },
];
