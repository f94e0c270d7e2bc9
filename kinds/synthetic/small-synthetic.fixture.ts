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

/** A series of two parts on one day, small enough to look at every cell. */
export const WINDOW = '2026-03-02';

export const STOPS = 'source,location\nA1,Airport\nA2,Airport\nB1,"Beach, north"\n';

export const REPLACED = 'neighbours: replace-one, rows: { bus: 300, ferry: 60 }';
export const ADDED = 'neighbours: add-remove, split: { rows: 1/2 }';

/** What a test changes of the series. */
export type SmallChange = {
  privacy?: string;
  rounds?: number;
  attributes?: string;
  workload?: string;
  source?: string;
};

const ATTRIBUTES = `
  - { name: time, column: on_time, minutes: 60, unknown: other }
  - { name: place, column: stop, list: stops.csv }
  - { name: fare, column: fare, values: [adult, child] }`;
const WORKLOAD = '[{ cells: [time, fare], ranges: time }, { cells: [place, fare] }]';

export const seriesText = ({
  privacy = REPLACED,
  rounds = 6,
  attributes,
  workload,
  source,
}: SmallChange = {}) => `series: small
kind: synthetic
population: riders
timeZone: Australia/Sydney
source:
  store: trips
  ${source ?? 'pattern: "{date}/{mode}.csv"'}
day: { starts: "06:00", ends: "26:00" }
window: { days: 1, firstWeekday: monday }
parts: [bus, ferry]
attributes: ${attributes ?? ATTRIBUTES}
workload: ${workload ?? WORKLOAD}
rounds: ${rounds}
passes: 2
privacy:
  { unit: trip, epsilon: 4, delta: 0, ${privacy}, caps: { block: { epsilon: 8, delta: 0 }, year: { epsilon: 999, delta: 0 } } }
gate:
  approvers:
    - subject: manager@example.org
publication: { title: Small, licence: CC0-1.0 }
`;

/** Writes the series with its list below a folder; the path of the file. */
export async function writeSmallSeries(root: string, change: SmallChange = {}): Promise<string> {
  await mkdir(root, { recursive: true });
  await writeFile(join(root, 'stops.csv'), STOPS);
  await writeFile(join(root, 'small.yaml'), seriesText(change));
  return join(root, 'small.yaml');
}

export const PARTITIONS: Partition[] = [
  { part: 'bus', day: WINDOW },
  { part: 'ferry', day: WINDOW },
];

export const HEADER = 'card,on_time,stop,fare';

/** A made-up day: most trips are of adults to the airport in the morning. */
export const TRIPS: Objects = {
  'bus.csv': [
    HEADER,
    ...Array.from({ length: 280 }, (_, n) => `c${n},2026-03-02 08:${10 + (n % 50)}:00,A${1 + (n % 2)},adult`),
    ...Array.from({ length: 20 }, (_, n) => `d${n},2026-03-03 00:30:00,B1,child`),
    '',
  ].join('\n'),
  'ferry.csv': [HEADER, ...Array.from({ length: 60 }, (_, n) => `e${n},17:05,elsewhere,senior`), ''].join('\n'),
};

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
