import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { derive } from '../../../activities/public/derive.ts';
import { FILES, RELEASE_KEYS } from '../../../contracts/names.ts';
import { addDays } from '../../../core/calendar/civil-day.ts';
import { readBytes } from '../../../services/stores/json-objects.ts';
import { TEST_BUILD } from '../../../test/support/folder-contexts.ts';
import { zipArchive } from '../../../test/support/zip-archive.ts';
import { type SeriesChange, StageBench } from './stages.fixture.ts';

/**
 * Sources as suppliers write them, each from its files to the cells and the tables that are released, against the same
 * trips counted here. Every shape holds the same trips of one week of buses, in a zone that is hours from UTC.
 */

let bench: StageBench;

const WINDOW = '2026-03-02';
const DAYS = Array.from({ length: 7 }, (_, index) => addDays(WINDOW, index));
/** Names of the list of the bench, by the names in the sources. */
const PLACES = ['Central', 'Town Hall', '2000', 'Nowhere'];
const LISTED: Readonly<Record<string, string>> = {
  Central: 'Central Station',
  'Town Hall': 'Town Hall Station',
  '2000': '2000',
};
/** Sydney is eleven hours ahead of UTC in this week. */
const OFFSET_HOURS = 11;

type Tap = { day: string; minute: number; place: string };
type Trip = { on: Tap; off: Tap };

/** Trips of a day, the same at every run. */
const tripsOf = (day: string): Trip[] =>
  Array.from({ length: 60 }, (_, index) => ({
    on: { day, minute: 300 + 13 * index, place: PLACES[index % 3]! },
    off: { day, minute: 310 + 13 * index + (index % 5), place: PLACES[(index + DAYS.indexOf(day)) % 4]! },
  }));
const TRIPS = new Map(DAYS.map((day) => [day, tripsOf(day)]));

const two = (number: number): string => String(number).padStart(2, '0');
const clock = ({ minute }: Tap): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
const local = (tap: Tap): string => `${tap.day} ${clock(tap)}:30`;
const moment = (tap: Tap): number => Date.parse(`${tap.day}T${clock(tap)}:30Z`) - OFFSET_HOURS * 3_600_000;

/** The cells that these trips make. */
function counted(trips: readonly Trip[]): string[] {
  const cells = new Map<string, number>();
  for (const trip of trips)
    for (const tap of ['on', 'off'] as const) {
      const { day, minute, place } = trip[tap];
      const bin = clock({ day, place, minute: minute - (minute % 15) });
      const cell = `bus ${day} ${tap} ${bin} ${LISTED[place] ?? 'UNKNOWN'}`;
      cells.set(cell, (cells.get(cell) ?? 0) + 1);
    }
  return [...cells].map(([cell, count]) => `${cell} = ${count}`).sort();
}
const ALL = counted([...TRIPS.values()].flat());

const COLUMNS = { on_time: 'Start', on_location: 'From', off_time: 'End', off_location: 'To' };
const HEAD = 'Start,From,End,To\n';
const rows = (trips: readonly Trip[], write: (tap: Tap) => unknown): string =>
  trips.map(({ on, off }) => `${write(on)},${on.place},${write(off)},${off.place}\n`).join('');

type Shape = { source: Record<string, unknown>; change?: SeriesChange; files: Record<string, string | Uint8Array> };

/** One file a day, each made of its trips. */
const daily = (
  make: (trips: readonly Trip[], day: string) => string | Uint8Array,
  source: Record<string, unknown> = {},
  end = 'csv',
): Shape => ({
  source: { pattern: `{date}.${end}`, columns: COLUMNS, ...source },
  files: Object.fromEntries([...TRIPS].map(([day, trips]) => [`${day}.${end}`, make(trips, day)])),
});

const US = (tap: Tap): string => {
  const [year, month, day] = tap.day.split('-').map(Number);
  return `${month}/${day}/${year} ${Math.floor(tap.minute / 60)}:${two(tap.minute % 60)}`;
};
const GERMAN = (tap: Tap): string => `${tap.day.split('-').reverse().join('.')} ${clock(tap)}:30`;
const TWELVE = (tap: Tap): string => {
  const hour = Math.floor(tap.minute / 60);
  return `${tap.day} ${hour % 12 || 12}:${two(tap.minute % 60)} ${hour < 12 ? 'AM' : 'PM'}`;
};

const jsonTrip = (on: Tap, off: Tap): object => ({ Start: local(on), From: on.place, End: local(off), To: off.place });

const all = [...TRIPS.values()].flat();
const header = ['type', 'a', 'b', 'c', 'd', 'e'];

const SHAPES: Record<string, () => Shape> = {
  'taps in separate rows': () =>
    daily(
      (trips) =>
        `what,when,where\n${trips.map(({ on, off }) => `on,${local(on)},${on.place}\nOFF,${local(off)},${off.place}\n`).join('')}`,
      { rows: 'taps', columns: { tap: 'what', time: 'when', location: 'where' } },
    ),
  'records of several shapes in one ragged file without a header': () =>
    daily(
      (trips, day) =>
        `H,${day}\n${trips.map(({ on, off }, index) => (index % 2 === 0 ? `T,${local(on)},${on.place},${local(off)},${off.place}\n` : `U,x,${off.place},${local(off)},${on.place},${local(on)}\n`)).join('')}Z,60\n`,
      {
        csv: { header, ragged: true },
        columns: undefined,
        select: `SELECT CASE type WHEN 'T' THEN a ELSE e END AS on_time, CASE type WHEN 'T' THEN b ELSE d END AS on_location,
          c AS off_time, CASE type WHEN 'T' THEN d ELSE b END AS off_location FROM source WHERE type IN ('T', 'U')`,
      },
    ),
  'seconds since 1970': () =>
    daily((trips) => HEAD + rows(trips, (tap) => moment(tap) / 1000), { clock: 'unix-seconds' }),
  'milliseconds since 1970': () =>
    daily((trips) => HEAD + rows(trips, (tap) => `${moment(tap)}.0`), { clock: 'unix-milliseconds' }),
  'a clock such as 3/2/2026 7:08': () =>
    daily((trips) => HEAD + rows(trips, US), { clock: { format: '%m/%d/%Y %H:%M', zone: 'local' } }),
  'a clock such as 02.03.2026 07:08:30': () =>
    daily((trips) => HEAD + rows(trips, GERMAN), { clock: { format: '%d.%m.%Y %H:%M:%S', zone: 'local' } }),
  'a clock of twelve hours': () =>
    daily((trips) => HEAD + rows(trips, TWELVE), { clock: { format: '%Y-%m-%d %I:%M %p', zone: 'local' } }),
  'a clock of its own in UTC': () =>
    daily(
      (trips) => HEAD + rows(trips, (tap) => new Date(moment(tap)).toISOString().slice(0, 16).replace('T', ' ')),
      // Days of UTC are not those of Sydney.
      { clock: { format: '%Y-%m-%d %H:%M', zone: 'utc' }, pattern: '*.csv' },
    ),
  'a file a month, with days of other windows': () => ({
    source: { pattern: 'trips_{yyyymm}.csv', columns: COLUMNS },
    files: { 'trips_202603.csv': HEAD + rows([...all, ...tripsOf('2026-03-20')], local) },
  }),
  'a file a quarter': () => ({
    source: { pattern: '{yyyy}_Q{q}/all.csv', columns: COLUMNS },
    files: { '2026_Q1/all.csv': HEAD + rows(all, local), '2025_Q4/all.csv': HEAD + rows(tripsOf('2025-12-31'), local) },
  }),
  'days without hyphens, in folders of months': () => ({
    source: { pattern: '{yyyy}/{mm}/{yyyymmdd}.csv', columns: COLUMNS },
    files: Object.fromEntries(
      [...TRIPS].map(([day, trips]) => [`2026/03/${day.replaceAll('-', '')}.csv`, HEAD + rows(trips, local)]),
    ),
  }),
  'days of delivery up to three days after the trips': () => ({
    source: { pattern: '{date}.csv', columns: COLUMNS, deliveryDays: 3 },
    // Every trip comes in the delivery of its day, or of one of the three that follow.
    files: Object.fromEntries(
      [...DAYS, ...[1, 2, 3].map((late) => addDays(DAYS.at(-1)!, late))].map((delivery) => [
        `${delivery}.csv`,
        HEAD +
          rows(
            all.filter(({ on }, index) => addDays(on.day, index % 4) === delivery),
            local,
          ),
      ]),
    ),
  }),
  'a mode that is a constant': () =>
    daily((trips) => HEAD + rows(trips, local), {
      columns: undefined,
      select: `SELECT 'bus' AS mode, "Start" AS on_time, "From" AS on_location, "End" AS off_time, "To" AS off_location FROM source`,
    }),
  'a byte order mark and line ends of Windows': () =>
    daily((trips) => `\ufeff${HEAD}${rows(trips, local)}`.replaceAll('\n', '\r\n')),
  'Latin-1, in gzip': () =>
    daily(
      (trips) => gzipSync(Buffer.from(`Start,Von Z\xfcrich,End,\x80\n${rows(trips, local)}`, 'latin1')),
      {
        encoding: 'latin-1',
        compression: 'gzip',
        columns: { ...COLUMNS, on_location: 'Von Zürich', off_location: '€' },
      },
      'csv.gz',
    ),
  'a ZIP archive with one CSV': () =>
    daily(
      (trips, day) => zipArchive({ [`export/${day}.csv`]: HEAD + rows(trips, local) }),
      { compression: 'zip' },
      'zip',
    ),
  'a JSON document with meta data around its list': () =>
    daily(
      (trips) =>
        JSON.stringify({
          updated: '2026-03-09T04:00:00Z',
          data: { trips: trips.map(({ on, off }) => jsonTrip(on, off)), pages: [{ n: 1 }, { n: 2 }] },
        }),
      { format: 'json', json: { list: 'data.trips', first: 'Start' } },
      'json',
    ),
  'a JSON document that is a list, in gzip, with fields in fields': () =>
    daily(
      (trips) =>
        gzipSync(
          JSON.stringify(
            trips.map(({ on, off }) => ({ trip: jsonTrip(on, off) })),
            null,
            2,
          ),
        ),
      {
        format: 'json',
        json: { first: 'trip' },
        compression: 'gzip',
        columns: undefined,
        select: `SELECT json->>'$.trip.Start' AS on_time, json->>'$.trip.From' AS on_location,
          json->>'$.trip.End' AS off_time, json->>'$.trip.To' AS off_location FROM source`,
      },
      'json.gz',
    ),
  'tabs, in lines of several lengths without a header': () =>
    daily(
      (trips) =>
        trips
          .map(({ on, off }, n) => [local(on), on.place, local(off), off.place, ...(n % 2 ? ['x'] : [])].join('\t'))
          .join('\r\n'),
      { csv: { delimiter: '\t', header: ['Start', 'From', 'End', 'To', 'note'], ragged: true } },
      'tsv',
    ),
  'columns that were called differently once': () =>
    daily(
      (trips, day) => (day < '2026-03-05' ? HEAD : 'start_date,start_stop,end_date,end_stop\n') + rows(trips, local),
      {
        columns: [
          { on_time: 'start_date', on_location: 'start_stop', off_time: 'end_date', off_location: 'end_stop' },
          COLUMNS,
        ],
      },
    ),
};

const open = async ({ source, change, files }: Shape): Promise<void> => {
  bench = await StageBench.open({ modes: ['bus'], ...change, source }, WINDOW);
  for (const [key, content] of Object.entries(files)) await bench.deliver(key, content);
};

/** Noise of scale 1/25: one of the five thousand cells would get some in one of five million releases. */
const ALMOST_NO_NOISE = {
  mechanism: 'complete-domain',
  epsilon: '100',
  delta: '0',
  caps: { block: { epsilon: 100, delta: 0 }, year: { epsilon: 6000, delta: 0 } },
};

/** The cells of the released table that are not zero. */
async function released(): Promise<string[]> {
  const key = RELEASE_KEYS.staged(bench.run(), TEST_BUILD, FILES.table('time-location'));
  const [, ...lines] = (await readBytes(bench.store('release'), key)).toString('utf8').trim().split('\r\n');
  const cells = lines.map((line) => line.split(',')).filter((fields) => fields.at(-1) !== '0');
  return cells
    .map(([mode, date, tap, time, , , place, count]) => {
      const day = date!.replace(/^(\d{4})-?(\d{2})-?(\d{2})$/, '$1-$2-$3');
      return `${mode} ${day} ${tap} ${time} ${place} = ${count}`;
    })
    .sort();
}

describe('a source of', () => {
  test.each(Object.entries(SHAPES))('%s gives the cells and the tables that its trips make', async (_, shape) => {
    const { change, ...rest } = shape();
    await open({ ...rest, change: { ...change, privacy: ALMOST_NO_NOISE } });
    const drawn = await bench.through('privatize', bench.context);
    expect(drawn.faults).toEqual([]);
    expect((await bench.allCells()).sort()).toEqual(ALL);
    expect(await bench.rejects()).toEqual([]);
    await derive(bench.contexts().public, drawn);
    expect(await released()).toEqual(ALL);
  });

  test('a month holds no row of another one: it is a reject, as the month is not held back with it', async () => {
    const at = (day: string): Trip => ({
      on: { day, minute: 480, place: 'Central' },
      off: { day, minute: 500, place: 'Central' },
    });
    bench = await StageBench.open(
      { modes: ['bus'], source: { pattern: '{month}.csv', columns: COLUMNS } },
      '2026-03-30',
    );
    await bench.deliver('2026-03.csv', HEAD + rows([at('2026-03-31'), at('2026-04-02'), at('2026-03-05')], local));
    await bench.deliver('2026-04.csv', HEAD + rows([at('2026-03-31'), at('2026-04-03'), at('2026-04-20')], local));
    expect(await bench.count()).toEqual([]);
    expect(await bench.reasons()).toEqual(Array.from({ length: 4 }, () => 'day-undeclared'));
    expect((await bench.allCells()).sort()).toEqual(counted([at('2026-03-31'), at('2026-04-03')]));
  });

  test('C6: a missing month is missed by its name, and is the fault of its own days', async () => {
    await open({ source: { pattern: '{month}.csv', columns: COLUMNS }, files: {} });
    const faults = await bench.count();
    expect(faults).toEqual([{ object: '2026-03.csv', code: 'OBJECT_MISSING', partitions: bench.partitions }]);
  });

  test('C6: of pieces of a day one that is missing between others is missed by its number', async () => {
    const files = Object.fromEntries(
      [...TRIPS].flatMap(([day, trips]) =>
        [0, 1, 2].map((piece) => [
          `${day}/part-0000${piece}.csv`,
          HEAD +
            rows(
              trips.filter((_, index) => index % 3 === piece),
              local,
            ),
        ]),
      ),
    );
    const source = { pattern: '{date}/part-{piece}.csv', columns: COLUMNS };
    await open({ source, files });
    expect(await bench.count()).toEqual([]);
    expect((await bench.allCells()).sort()).toEqual(ALL);
    await bench.close();
    const { '2026-03-05/part-00001.csv': _, ...others } = files;
    await open({ source, files: others });
    expect(
      (await bench.count()).map(({ object, code, partitions }) => [object, code, partitions.map(({ day }) => day)]),
    ).toEqual([['2026-03-05/part-00001.csv', 'OBJECT_MISSING', ['2026-03-05', '2026-03-06']]]);
  });

  test('C6: a delivery that is missing holds back the days that its rows may be of', async () => {
    const shape = SHAPES['days of delivery up to three days after the trips']!();
    const { '2026-03-05.csv': _, ...files } = shape.files;
    await open({ ...shape, files });
    expect((await bench.count()).map(({ object, partitions }) => [object, partitions.map(({ day }) => day)])).toEqual([
      ['2026-03-05.csv', ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06']],
    ]);
  });

  test('C5: what a clock cannot read is a reject of its row, in every way to write a time', async () => {
    for (const [clockOf, texts] of [
      ['unix-seconds', ['1e9', 'soon', '99999999999999', '-', '']],
      ['unix-milliseconds', ['2026-03-02', '999999999999999999']],
      [
        { format: '%d.%m.%Y %H:%M:%S', zone: 'local' },
        ['31.02.2026 07:00:00', '1.3.2026 7:00', '01.03.2026 25:00:00', 'infinity'],
      ],
    ] as const) {
      await open({
        source: { pattern: '{date}.csv', columns: COLUMNS, clock: clockOf },
        files: Object.fromEntries(
          DAYS.map((day) => [
            `${day}.csv`,
            HEAD + (day === WINDOW ? texts.map((text) => `${text},Central,,\n`).join('') : ''),
          ]),
        ),
      });
      expect(await bench.count()).toEqual([]);
      expect(await bench.allCells()).toEqual([]);
      const reasons = texts.map((text) => (text === '' ? 'no-tap' : 'time-unreadable')).sort();
      expect((await bench.reasons()).sort()).toEqual(reasons);
      await bench.close();
    }
  });

  test('C6: an archive of two files, or one that is cut off, is unreadable', async () => {
    const whole = zipArchive({ 'a.csv': HEAD });
    await open({
      source: { pattern: '{date}.zip', columns: COLUMNS, compression: 'zip' },
      files: {
        ...Object.fromEntries(DAYS.map((day) => [`${day}.zip`, zipArchive({ 'a.csv': HEAD, day })])),
        '2026-03-03.zip': zipArchive({ 'a.csv': HEAD, 'b.csv': HEAD }),
        '2026-03-04.zip': whole.subarray(0, whole.length - 10),
      },
    });
    const faults = (await bench.ingest()).faults;
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['OBJECT_UNREADABLE']));
    expect(faults).toHaveLength(7);
  });
});

test('ids with leading zeros stay as they are, among tens of thousands of places', async () => {
  const places = Array.from({ length: 30_000 }, (_, index) => String(index).padStart(6, '0'));
  const dictionary = `source,location\n${places.map((place) => `${place},p${place}\n`).join('')}`;
  const trips = DAYS.map((day, index) => ({
    on: { day, minute: 480, place: places[7 * index]! },
    off: { day, minute: 500, place: String(7 * index) },
  }));
  bench = await StageBench.open({ modes: ['bus'], dictionary, source: { pattern: '{date}.csv', columns: COLUMNS } });
  for (const trip of trips) await bench.deliver(`${trip.on.day}.csv`, HEAD + rows([trip], local));
  expect(await bench.count()).toEqual([]);
  expect((await bench.allCells()).filter((cell) => cell.includes(' on '))).toEqual(
    trips.map(({ on }) => `bus ${on.day} on 08:00 p${on.place} = 1`),
  );
  expect((await bench.allCells()).filter((cell) => cell.includes(' off '))).toEqual(
    trips.map(({ off }) => `bus ${off.day} off 08:15 UNKNOWN = 1`),
  );
});
