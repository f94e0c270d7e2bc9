import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PRIVATE_KEYS } from '../../../contracts/names.ts';
import { withDatabase } from '../../../services/sql/duckdb.ts';
import { readBytesIfPresent } from '../../../services/stores/json-objects.ts';
import { readSeries } from '../../../services/stores/series-objects.ts';
import type { Objects } from '../../../test/support/day-release.ts';
import { publicTimetable } from '../public-timetable.ts';
import { type OccupancySeries, occupancySeries } from '../series.ts';
import { occupancyKind } from '../series-kind.ts';
import {
  ABOARD,
  binSmall,
  HEADER_ABOARD,
  HEADER_DOORS,
  NO_EVENTS,
  PARTITIONS,
  type SmallChange,
  STOPS_PRIVACY,
} from '../small-occupancy.fixture.ts';

const STOPS: SmallChange = { columns: ABOARD, privacy: STOPS_PRIVACY };

/** Counts of each partition by run, null where there are none; the faults; and reasons of rejects. */
async function outcome(objects: Objects, change: SmallChange = {}) {
  const { release, context, run, faults } = await binSmall(objects, change);
  const counts: Record<string, unknown> = {};
  for (const partition of PARTITIONS) {
    const bytes = await readBytesIfPresent(context.privateStore, PRIVATE_KEYS.cells(run, 0, partition));
    counts[partition.part] = bytes && Object.fromEntries(JSON.parse(bytes.toString('utf8')).runs);
  }
  const reasons: string[] = [];
  for (const number of [0, 1]) {
    const path = join(release.folder('private'), PRIVATE_KEYS.rejects(run, 0, number));
    const folder = join(path, '..');
    const rows = await withDatabase({ folder, memoryMiB: 512 }, (database) =>
      database.rows(`SELECT reason FROM read_parquet('${path}') ORDER BY reason`),
    ).catch(() => []);
    reasons.push(...rows.map(([reason]) => String(reason)));
  }
  return { counts, faults: faults.map(({ object, code }) => `${object} ${code}`), reasons };
}

const events = (header: string, ...rows: string[]): string => [header, ...rows, ''].join('\n');

describe('events', () => {
  test('C4: every scheduled run is there, with nothing counted when there are no events', async () => {
    expect(await outcome(NO_EVENTS)).toEqual({
      counts: {
        north: {
          n1: [
            [0, 0, 0],
            [0, 0, 0],
          ],
          n2: [
            [0, 0],
            [0, 0],
          ],
        },
        south: {
          s1: [
            [0, 0],
            [0, 0],
          ],
        },
      },
      faults: [],
      reasons: [],
    });
  });

  test('are counted at their departure; numbers are clamped, and of several events the largest count', async () => {
    const { counts, reasons } = await outcome({
      ...NO_EVENTS,
      'north.csv': events(
        HEADER_DOORS,
        'n1,A,08:00,mini,3,0',
        'n1,A,8:00:00,mini,1,2',
        'n1,C,25:00,mini,99999999999999999999,-4',
        'n2,B,09:10,bus,+007,1',
        'n2,B,09:10,bus,+007,1',
      ),
    });
    expect(counts.north).toEqual({
      n1: [
        [3, 0, 5],
        [2, 0, 0],
      ],
      n2: [
        [0, 7],
        [0, 1],
      ],
    });
    expect(reasons).toEqual([]);
  });

  test('aboard: a departure without an event has the passengers of the one before', async () => {
    const { counts } = await outcome(
      {
        'north.csv': events(HEADER_ABOARD, 'n1,B,08:10:30,mini,4', 'n2,A,09:00,bus,12'),
        'south.csv': events(HEADER_ABOARD),
      },
      STOPS,
    );
    expect(counts).toEqual({ north: { n1: [[0, 4, 4]], n2: [[12, 12]] }, south: { s1: [[0, 0]] } });
  });

  test('C5: a bad row is a private reject, whatever is in it, and no row decides about another', async () => {
    const { counts, faults, reasons } = await outcome({
      ...NO_EVENTS,
      'north.csv': events(
        HEADER_DOORS,
        'n1,A,08:00,mini,1,0',
        'n1,A,08:00,mini,1', // a field is missing
        'n1,A,08:00,mini,"1,0', // a quote is open
        'n1,B,08:10:30,mini,many,0',
        'n1,B,08:10:30,bus,2,0', // another vehicle than scheduled
        's1,X,08:00,bus,2,0', // of another part than the object declares
        'n7,A,08:00,mini,2,0',
        'n1,A\u2028n1,08:00,mini,3,0', // no end of a line
        `n1,${'A'.repeat(100_000)},08:00,mini,1,0`,
        'n1,C,25:00,mini,2,0',
      ),
    });
    expect(counts).toMatchObject({
      north: {
        n1: [
          [1, 0, 2],
          [0, 0, 0],
        ],
      },
      south: {
        s1: [
          [0, 0],
          [0, 0],
        ],
      },
    });
    expect(faults).toEqual([]);
    expect(reasons).toEqual([
      'field-count',
      'line-too-long',
      'no-count',
      'other-vehicle',
      'quote-unclosed',
      'unknown-departure',
      'unknown-departure',
      'unknown-departure',
    ]);
  });

  test('C3: an end of a line that only Unicode knows makes no second event of a row', async () => {
    const { counts } = await outcome({
      ...NO_EVENTS,
      'north.csv': events(`${HEADER_DOORS},note`, 'n1,A,08:00,mini,1,0,"x\u2028n1,B,08:10:30,mini,5,0,y"'),
    });
    expect(counts.north).toMatchObject({
      n1: [
        [1, 0, 0],
        [0, 0, 0],
      ],
    });
  });

  test('C6: an object that is missing or lacks a column holds back its part, and the other is finished', async () => {
    const { counts, faults } = await outcome({ 'north.csv': 'trip,stop,due,kind,on\n' });
    expect(counts).toEqual({ north: null, south: null });
    expect(faults).toEqual(['2026-03-02/north.csv OBJECT_SCHEMA', '2026-03-02/south.csv OBJECT_MISSING']);
  });

  test('equal objects of two days or parts are each counted: an event has its day from its object alone', async () => {
    const both = events(HEADER_DOORS, 'n2,A,09:00,bus,4,0', 's1,X,08:00,bus,6,0');
    const { counts } = await outcome({ 'north.csv': both, 'south.csv': both });
    expect(counts).toMatchObject({
      north: {
        n2: [
          [4, 0],
          [0, 0],
        ],
      },
      south: {
        s1: [
          [6, 0],
          [0, 0],
        ],
      },
    });
  });
});

describe('a stored series that nobody checked', () => {
  const changed = async (change: (series: OccupancySeries) => Partial<OccupancySeries>) => {
    const { context, run } = await binSmall(NO_EVENTS);
    const stored = await readSeries(context.releaseStore, run);
    return { context, series: { ...stored, ...change(occupancySeries(stored)) } };
  };

  test('C10: with an ε that nobody can draw costs nothing, as it is refused where its cost is asked for', async () => {
    for (const mechanism of ['tree', 'each-stop'] as const) {
      const { series } = await changed(({ privacy }) => ({
        privacy: { ...privacy, mechanism, epsilon: '1/1000000000' },
      }));
      expect(() => occupancyKind.cost(series, 'replace-one')).toThrow(
        expect.objectContaining({ code: 'CERTIFICATE_IMPOSSIBLE' }),
      );
    }
  });

  test.each<[name: string, change: (series: OccupancySeries) => Partial<OccupancySeries>]>([
    ['with other shapes than its timetable', ({ shapes }) => ({ shapes: shapes.slice(1) })],
    ['without a vehicle of its timetable', ({ vehicles: { bus } }) => ({ vehicles: { bus: bus! } })],
    ['without a part of its timetable', () => ({ parts: ['north'] })],
  ])('C4: %s is refused', async (_, change) => {
    const { context, series } = await changed(change);
    await expect(publicTimetable(context.releaseStore, occupancySeries(series))).rejects.toMatchObject({
      code: 'SERIES_INVALID',
    });
  });
});
