import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bin } from '../../activities/private/bin.ts';
import type { PrivateContext } from '../../activities/private/context.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import type { Partition } from '../../contracts/names.ts';
import type { DeriveInput, ObjectFault, Run } from '../../contracts/stages.ts';
import { privateContextBelow } from '../../test/support/folder-contexts.ts';
import { POLICY_KEY, testPolicy } from '../../test/support/test-custody.ts';
import { widePopulation } from '../../test/support/test-trust.ts';
import { syntheticKind } from './series-kind.ts';

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

export type Objects = Readonly<Record<string, string>>;
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

export type SmallRun = { context: PrivateContext; run: Run; charge: string; faults: ObjectFault[] };

/** Runs ingest and bin of the series on these objects of the one day. */
export async function binned(
  root: string,
  objects: Objects,
  change: SmallChange = {},
  own: Partial<PrivateContext> = {},
): Promise<SmallRun> {
  const loaded = await loadSeriesFile(await writeSmallSeries(join(root, 'series'), change));
  const { unit, neighbours, mechanism } = syntheticKind.terms(loaded.series);
  const rules = { unit, neighbours: neighbours as 'add-remove', mechanisms: [mechanism] };
  const policy = testPolicy({ populations: { riders: widePopulation(['trips'], rules) } });
  const context = privateContextBelow(root, { policy, ...own });
  await applySeries({ releaseStore: context.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);
  for (const [name, text] of Object.entries(objects)) {
    const path = join(root, 'source', WINDOW, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const run: Run = { series: 'small', window: WINDOW, version: 1, seriesDigest: loaded.digest };
  const ingested = await ingest(context, { ...run, round: 0 });
  const { charge } = await reserve(context, { ...run, partitions: PARTITIONS });
  const { faults } = await bin(context, { ...run, round: 0, partitions: PARTITIONS });
  return { context, run, charge, faults: faults.length > 0 ? faults : ingested.faults };
}

/** Draws the partitions that have counts; the others are holes. What derive and audit are asked with. */
export async function drawn({ context, run, charge, faults }: SmallRun): Promise<DeriveInput> {
  const failed = faults.flatMap(({ partitions, code }) => partitions.map((partition) => ({ ...partition, code })));
  const draws: DeriveInput['draws'] = [];
  for (const partition of PARTITIONS) {
    if (failed.some(({ part }) => part === partition.part)) continue;
    draws.push(await privatize(context, { ...run, round: 0, partition, charge }));
  }
  return { ...run, correction: null, charge, draws, holes: failed };
}
