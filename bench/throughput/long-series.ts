import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { addDays } from '../../core/calendar/civil-day.ts';
import { type SmallSeries, smallTrips } from '../../test/support/small-series.ts';
import { weeks, writeWideSeries } from '../../test/support/weekly-series.ts';

export const LONG_SERIES = 'wide';
const MODES = ['bus', 'ferry', 'train', 'tram'];
const DAYS = 14;

/** First days of n windows of fourteen days. */
export const fortnights = (count: number): string[] =>
  weeks(2 * count, '2016-01-04').filter((_, index) => index % 2 === 0);

/** Partitions of a window: 56. */
export const partitionsOf = (window: string): { part: string; day: string }[] =>
  daysOf(window).flatMap((day) => MODES.map((mode) => ({ part: mode, day })));

const daysOf = (window: string): string[] => Array.from({ length: DAYS }, (_, day) => addDays(window, day));

/** The series of four modes with windows of fourteen days, and one source object a day. */
export const writeLongSeries = (folder: string): Promise<SmallSeries> =>
  writeWideSeries(folder, (yaml) =>
    yaml
      .replace(/^schedule: .*\n/m, '') // it starts a release every week, and these windows are longer
      .replace('window: { days: 3,', `window: { days: ${DAYS},`)
      .replace('{date}/{mode}.csv', '{date}.csv'),
  );

/** A few hundred trips a day, in five cells a partition: the work around a draw is measured, not the draw. */
export async function writeLongTrips(source: string, windows: readonly string[]): Promise<void> {
  await mkdir(source, { recursive: true });
  for (const day of windows.flatMap(daysOf)) {
    const [first, ...others] = MODES.map((mode) => smallTrips(day, mode));
    const rows = [first, ...others.map((text) => text.slice(text.indexOf('\n') + 1))];
    await writeFile(join(source, `${day}.csv.gz`), gzipSync(rows.join('')));
  }
}
