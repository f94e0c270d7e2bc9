import { join } from 'node:path';
import { updatePages } from '../../activities/public/update-pages.ts';
import { addDays } from '../../core/calendar/civil-day.ts';
import { certify } from '../../counts/certificate/certify.ts';
import type { CellCount } from '../../counts/mechanisms/cell-counts.ts';
import { tapsOf } from '../../kinds/taps/taps-domain.ts';
import { timeLabels } from '../../services/calendar/time-zone.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { drawTable } from '../support/draw-rows.ts';
import { publishRelease } from '../support/publish-release.ts';
import { seededSource } from '../support/seeded-source.ts';
import { testRelease, testSeries } from '../support/test-release.ts';

/** Taps of a week and places of each mode: a ferry with 200 taps beside a train with 2 million. */
const MODES = { bus: [300_000, 60], ferry: [200, 7], train: [2_000_000, 40] } as const;
type Mode = keyof typeof MODES;

const WORDS = ['Amber', 'Birch', 'Cedar', 'Dawn', 'Elm', 'Fern', 'Gale', 'Heron', 'Iris', 'Juniper'];
const ENDS = ['bay', 'ford', 'grove', 'hill', 'mere', 'point', 'vale', 'wick'];

/** Invented places around a harbour; every ninth of a mode is without coordinates. */
const placesOf = (mode: Mode) =>
  Array.from({ length: MODES[mode][1] }, (_, n) => {
    const angle = n * 2.399963;
    const far = (mode === 'ferry' ? 0.02 : 0.25) * Math.sqrt((n + 0.5) / MODES[mode][1]);
    const position =
      n % 9 === 8
        ? ','
        : `${(-33.86 + far * Math.sin(angle)).toFixed(4)},${(151.2 + far * Math.cos(angle)).toFixed(4)}`;
    return {
      code: `${mode.slice(0, 1).toUpperCase()}${100 + n}`,
      name: `${WORDS[n % 10]}${ENDS[(n * 3 + mode.length) % 8]}`,
      position,
    };
  });

const listOf = (mode: Mode): Buffer =>
  Buffer.from(
    `location,name,latitude,longitude\n${placesOf(mode)
      .map(({ code, name, position }) => `${code},${name},${position}\n`)
      .join('')}`,
  );

const MODE_NAMES = Object.keys(MODES) as Mode[];

const series = testSeries({
  series: 'town-taps',
  window: { days: 7, firstWeekday: 'monday' },
  bins: {
    minutes: 60,
    locations: Object.fromEntries(MODE_NAMES.map((mode) => [mode, { dictionary: sha256(listOf(mode)) }])),
  },
  modes: MODE_NAMES,
  schedule: { weekday: 'thursday', time: '06:00' },
  privacy: {
    mechanism: 'complete-domain',
    unit: 'trip',
    epsilon: '2',
    delta: '0',
    floor: 20,
    split: { cells: '1', time: '1/2', location: '1/2' },
    caps: { block: { epsilon: '4', delta: '0' }, year: { epsilon: '500', delta: '0' } },
  },
  publication: {
    title: 'Taps of Exampleton',
    licence: 'CC-BY-4.0',
    notes: ['Invented.'],
    publisher: { name: 'Exampleton Transport', homepage: 'https://transport.example/' },
    contact: 'data@transport.example',
    baseUrl: 'https://data.example/open',
  },
});

/** Exact counts of a day: the first places have most, mornings board and evenings alight, and Sunday is quiet. */
function cellsOf(mode: Mode, day: number): CellCount[] {
  const [taps, places] = MODES[mode];
  const ofDay = (taps * (day === 6 ? 0.5 : 1)) / 7 / 2;
  const weights = Array.from({ length: places }, (_, n) => 1 / (n + 1.5));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const hours = [
    ['06:00', 0.1],
    ['07:00', 0.2],
    ['08:00', 0.3],
    ['12:00', 0.1],
    ['17:00', 0.2],
    ['18:00', 0.1],
  ] as const;
  return placesOf(mode)
    .flatMap(({ code }, n) =>
      hours.flatMap(([time, share]) =>
        (['on', 'off'] as const).map(
          (tap): CellCount => [tap, time, code, Math.round((ofDay * share * weights[n]!) / whole)],
        ),
      ),
    )
    .filter(([, , , count]) => count > 0);
}

/** A published week of a town, with its pages; gives the folder of the series. */
export async function publishedTown(): Promise<string> {
  const random = seededSource(11);
  const tables = MODE_NAMES.flatMap((mode) =>
    Array.from({ length: 7 }, (_, day) => {
      const partition = { part: mode, day: addDays('2026-03-02', day) };
      const locations = [...placesOf(mode).map(({ code }) => code), 'UNKNOWN'];
      const domain = { taps: tapsOf(series), times: timeLabels(series, partition.day), locations };
      return drawTable(partition, cellsOf(mode, day), domain, certify(series.privacy), random);
    }),
  );
  const release = await testRelease(series, tables, [], MODE_NAMES.map(listOf));
  await publishRelease(release);
  await updatePages(release.context, release.run);
  return join(release.folder, 'publication', 'town-taps');
}
