import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { Partition } from '../../contracts/names.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import {
  type Binned,
  binnedDay,
  type DrawnDay,
  drawnDay,
  type ObjectBytes,
  type Objects,
} from '../../test/support/day-release.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { seededSource } from '../../test/support/seeded-source.ts';

/** A series of two lines on one day, small enough to look at every status. */
export const WINDOW = '2026-03-02';

export const TIMETABLE = `part,run,sequence,stop,departure,vehicle,days
north,n1,1,A,08:00,mini,daily
north,n1,2,B,08:10:30,mini,daily
north,n1,5,C,25:00,mini,daily
north,n2,1,A,09:00,bus,monday wednesday
north,n2,2,B,09:10,bus,monday wednesday
south,s1,1,X,08:00,bus,daily
south,s1,2,A,08:05,bus,daily
south,s9,1,X,08:00,bus,sunday
`;

/** Columns of the events, and privacy; by default what the doors count, and a tree. */
export type SmallChange = { columns?: string; privacy?: string; source?: string; vehicles?: string; more?: string };

export const DOORS = 'boardings: on, alightings: off';
export const ABOARD = 'passengers: aboard';
export const STOPS_PRIVACY = 'mechanism: each-stop, neighbours: add-remove, epsilon: 6, delta: 1e-4';
export const TREE_PRIVACY = 'mechanism: tree, neighbours: replace-one, epsilon: 2, delta: 0';

export const seriesText = ({
  columns = DOORS,
  privacy = TREE_PRIVACY,
  source = '',
  vehicles,
  more = '',
}: SmallChange = {}) => `series: small
kind: occupancy
population: riders
timeZone: Australia/Sydney
source:
  store: counts
  pattern: "{date}/{mode}.csv"
  columns: { run: trip, stop: stop, departure: due, vehicle: kind, ${columns} }
${source}
window: { days: 1, firstWeekday: monday }
parts: [north, south]
timetable: timetable.csv
vehicles: ${vehicles ?? '{ mini: { minimumCounts: { EMPTY: 0, MANY_SEATS_AVAILABLE: 1, FULL: 4 }, maximumCount: 5 }, bus: { minimumCounts: { FULL: 30, EMPTY: 0, FEW_SEATS_AVAILABLE: 10 }, maximumCount: 40 } }'}
privacy:
  { unit: ride, ${privacy}, caps: { block: { epsilon: 9, delta: 1 }, year: { epsilon: 999, delta: 1 } } }
gate:
  approvers:
    - subject: manager@example.org
publication: { title: Small, licence: CC0-1.0 }
${more}`;

/** Writes the series with its timetable below a folder; the path of the file. */
export async function writeSmallSeries(root: string, change: SmallChange = {}, timetable = TIMETABLE): Promise<string> {
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'timetable.csv'), timetable);
  await writeFile(join(root, 'small.yaml'), seriesText(change));
  return join(root, 'small.yaml');
}

export const PARTITIONS: Partition[] = [
  { part: 'north', day: WINDOW },
  { part: 'south', day: WINDOW },
];

export const HEADER_DOORS = 'trip,stop,due,kind,on,off';
export const HEADER_ABOARD = 'trip,stop,due,kind,aboard';
export const NO_EVENTS: Objects = { 'north.csv': `${HEADER_DOORS}\n`, 'south.csv': `${HEADER_DOORS}\n` };

/** Runs ingest and bin of the series on these objects of the one day; `own` is what a test has otherwise. */
export const binSmall = async (
  objects: ObjectBytes,
  change: SmallChange = {},
  own: Partial<PrivateContext> = {},
): Promise<Binned> =>
  binnedDay(await loadSeriesFile(await writeSmallSeries(newFolder(), change)), WINDOW, objects, own);

/** The same drawn, from this seed. */
export const drawSmall = async (objects: Objects, change: SmallChange = {}, seed = 1): Promise<DrawnDay> =>
  drawnDay(await binSmall(objects, change, { random: seededSource(seed) }));
