import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type LoadedSeries, loadSeriesFile } from '../../client/series/series-file.ts';
import type { SigningKey } from '../../services/signing/keys.ts';
import { newFolder } from './new-folder.ts';
import { ReleaseBench } from './release-bench.ts';
import { approverKey, sourceStoreOf, TEST_APPROVER } from './test-trust.ts';

/** Days and modes of the small series: six partitions. */
export const SMALL_DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
export const SMALL_MODES = ['bus', 'ferry'];
export const SMALL_WINDOW = SMALL_DAYS[0]!;

export type SmallSeries = { file: string; key: SigningKey };

/** A change of the text of a series file. */
export type Edit = (yaml: string) => string;

/** Writes a series file with its dictionaries below a folder; gives its path and the approver's key. */
export async function writeSmallSeries(
  folder: string,
  changes: { [field: string]: string } = {},
  edit: Edit = (yaml) => yaml,
): Promise<SmallSeries> {
  const field = (name: string, usual: string) => changes[name] ?? usual;
  const subject = field('subject', TEST_APPROVER);
  const key = approverKey(subject);
  const population = field('population', 'small-riders');
  const file = join(folder, 'series.yaml');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'stops.csv'), 'source,location\nstop-1,2000\nstop-2,2001\nstop-3,2002\n');
  await writeFile(
    file,
    edit(`series: ${field('series', 'small')}
population: ${population}
timeZone: Australia/Sydney
custodians: [custodian@example.org]
source:
  store: ${sourceStoreOf(population)}
  pattern: "{date}/{mode}.csv.gz"
  format: csv
  compression: gzip
  rows: trips
  clock: local
  columns: { mode: mode, on_time: on_time, on_location: on_stop, off_time: off_time, off_location: off_stop }
window: { days: 3, firstWeekday: monday }
bins:
  minutes: 15
  locations:
    bus: { dictionary: stops.csv, unknown: "-1" }
    ferry: { dictionary: stops.csv }
modes: [bus, ferry]
privacy:
  mechanism: stability-histogram
  unit: trip
  neighbours: replace-one
  epsilon: ${field('epsilon', '8')}
  delta: 1e-6
  caps:
    block: { epsilon: ${field('blockEpsilon', '100')}, delta: 1e-3 }
    year: { epsilon: ${field('yearEpsilon', '1000')}, delta: 1e-2 }
gate:
  approvers:
    - subject: ${subject}
publication:
  title: Small test series
  licence: CC-BY-4.0
`),
  );
  return { file, key };
}

/** The series file with remainder rows: more noise in every table, so that no two draws are ever the same. */
export const withMargins: Edit = (yaml) =>
  yaml.replace('  epsilon: 8\n', '  epsilon: 8\n  split: { cells: 7.2, time: 0.3, location: 0.5 }\n');

/** The small series, loaded once: every release of it in any folder has the same digest and the same approver. */
export async function loadSmallSeries(edit?: Edit): Promise<LoadedSeries> {
  return loadSeriesFile((await writeSmallSeries(newFolder(), {}, edit)).file);
}

/** The window of the small series, in folder stores and without Temporal. */
export const openSmallRelease = async (loaded: LoadedSeries): Promise<ReleaseBench> =>
  new ReleaseBench(newFolder(), loaded, SMALL_WINDOW).prepared();

/** Rows of one (date, mode) object: thirty trips at each of three stops in the morning, and a lone one at night. */
export function smallTrips(date: string, mode: string): string {
  const rows = ['mode,on_time,on_stop,off_time,off_stop'];
  for (let trip = 0; trip < 90; trip++) {
    const stop = `stop-${(trip % 3) + 1}`;
    const minute = String(trip % 15).padStart(2, '0');
    rows.push(`${mode},${date} 08:${minute}:00,${stop},${date} 08:${Number(minute) + 30}:00,stop-1`);
  }
  rows.push(`${mode},${date} 03:07:00,stop-3,,`);
  return `${rows.join('\n')}\n`;
}

/** Writes all source objects of the window as files. */
export async function writeSmallTrips(source: string, days: readonly string[] = SMALL_DAYS): Promise<void> {
  for (const date of days) for (const mode of SMALL_MODES) await writeTrips(source, date, mode, smallTrips(date, mode));
}

/** Key of the source object of a date and mode. */
export const smallKey = (date: string, mode: string): string => `${date}/${mode}.csv.gz`;

/** Writes one source object; replaces the one that is there, as a supplier does who repairs a delivery. */
export async function writeTrips(source: string, date: string, mode: string, text: string): Promise<void> {
  await writeObject(source, smallKey(date, mode), gzipSync(text));
}

/** Writes the front half of a source object, as a broken transfer leaves it. */
export async function writeTruncatedTrips(source: string, date: string, mode: string): Promise<void> {
  const whole = gzipSync(smallTrips(date, mode));
  await writeObject(source, smallKey(date, mode), whole.subarray(0, whole.length / 2));
}

async function writeObject(source: string, key: string, bytes: Uint8Array): Promise<void> {
  const path = join(source, key);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}
