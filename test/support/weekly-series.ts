import { addDays } from '../../core/calendar/civil-day.ts';
import { type Edit, type SmallSeries, smallTrips, writeSmallSeries, writeTrips } from './small-series.ts';

/** First days of `count` weekly windows. */
export const weeks = (count: number, first = '2026-03-02'): string[] =>
  Array.from({ length: count }, (_, index) => addDays(first, 7 * index));

/** The small series with a schedule: every Friday at 06:00, three days each from Monday on. */
export async function writeWeeklySeries(
  folder: string,
  changes: { [field: string]: string } = {},
  schedule = 'schedule: { weekday: friday, time: "06:00" }',
  edit: Edit = (yaml) => yaml,
): Promise<SmallSeries> {
  return writeSmallSeries(folder, { yearEpsilon: '5000', ...changes }, (yaml) => edit(`${yaml}${schedule}\n`));
}

/** Source objects of the windows: three days of two modes each. */
export async function writeWeeklyTrips(source: string, windows: readonly string[]): Promise<void> {
  for (const window of windows)
    for (const mode of ['bus', 'ferry'])
      for (let day = 0; day < 3; day++) {
        const date = addDays(window, day);
        await writeTrips(source, date, mode, smallTrips(date, mode));
      }
}

const WIDE_MODES = ['bus', 'ferry', 'train', 'tram'];

/** The weekly series with seven days and four modes: 28 partitions a window. */
export async function writeWideSeries(folder: string, edit: Edit = (yaml) => yaml): Promise<SmallSeries> {
  const locations = WIDE_MODES.map((mode) => `    ${mode}: { dictionary: stops.csv }\n`).join('');
  return writeWeeklySeries(folder, { series: 'wide' }, 'schedule: { weekday: monday, time: "06:00" }', (yaml) =>
    edit(yaml)
      .replace('window: { days: 3,', 'window: { days: 7,')
      .replace('modes: [bus, ferry]', `modes: [${WIDE_MODES.join(', ')}]`)
      .replace(/ {4}bus: .*\n {4}ferry: .*\n/, locations),
  );
}

/** Source objects of whole weeks of four modes. */
export async function writeWideTrips(source: string, windows: readonly string[]): Promise<void> {
  for (const window of windows)
    for (const mode of WIDE_MODES)
      for (let day = 0; day < 7; day++) {
        const date = addDays(window, day);
        await writeTrips(source, date, mode, smallTrips(date, mode));
      }
}
