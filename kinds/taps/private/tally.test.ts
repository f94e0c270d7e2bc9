import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRows } from '../../../activities/sql/insert-rows.ts';
import { openDatabase } from '../../../activities/sql/open-database.fixture.ts';
import { countedCells, type PartitionCells } from './counted-cells.ts';
import { createTables, numberNames } from './public-tables.ts';
import {
  addCells,
  hasRejects,
  judgeTally,
  keyedRows,
  type ObjectQuery,
  tallyObject,
  unlistedTaps,
  writeRejects,
} from './tally.ts';
import { NO_TIME } from './tap-keys.ts';

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
  const { database } = opened;
  await createTables(database);
  await insertRows(database, 'modes', [
    ['bus', 'UNKNOWN'],
    ['ferry', 'UNKNOWN'],
  ]);
  await insertRows(database, 'dictionary', [
    ['bus', 'a', 'Place A'],
    ['ferry', 'f', 'Pier F'],
  ]);
  await insertRows(database, 'calendar', [
    ['wall', 1, '2026-03-01', '08:00', null],
    ['wall', 2, '2026-03-01', '08:15', null],
    ['wall', 3, '2026-03-02', '08:00', null],
    ['wall', 4, '2026-03-01', null, 'time-nonexistent'],
  ]);
  await insertRows(database, 'wanted', [['bus', '2026-03-01']]);
  await numberNames(database);
  await database.run("CREATE TABLE declared AS SELECT 'bus' AS mode, '2026-03-01' AS day");
});
afterAll(() => opened.close());

/** mode, slot and place of the first tap, then of the second; who is put on the list of rejects has a name. */
const TRIPS = `SELECT * FROM (VALUES
  ('bus', 1, 'a', 2, 'a', 'two taps'),
  ('bus', 1, ' a ', 2, 'b', 'a blank around, a place that nobody knows'),
  ('bus', 1, NULL, ${NO_TIME.absent}, NULL, 'one tap without a place'),
  ('bus', 3, 'a', 1, 'f', 'a day that is not wanted, then one that is, at a place of another mode'),
  ('bus', 4, 'a', 5, 'a', 'an hour that is not, then a day of no window'),
  ('bus', ${NO_TIME['no-tap']}, NULL, ${NO_TIME.absent}, NULL, 'no tap'),
  ('ferry', 1, 'a', 1, 'a', 'a mode that the name does not declare'),
  ('tram', 1, 'a', ${NO_TIME['time-unreadable']}, 'a', 'a mode that nobody knows'),
  (NULL, 1, 'a', ${NO_TIME.absent}, 'a', 'no mode')
) AS trips(mode, first, first_place, second, second_place, source_row)`;

const query = (change: Partial<ObjectQuery> = {}): ObjectQuery => ({
  canonical: TRIPS,
  canonicalWithRow: TRIPS,
  taps: [
    { tap: 'on', reading: 'wall', slot: 'first', absent: 'false', location: 'first_place' },
    { tap: 'off', reading: 'wall', slot: 'second', absent: 'false', location: 'second_place' },
  ],
  mode: 'mode',
  card: null,
  dated: null,
  ...change,
});

const table = (sql: string): Promise<unknown[][]> => opened.database.rows(sql);

describe('the tally of trips', () => {
  it('counts each tap once by mode, slot and place, where no list knows the last by any', async () => {
    await tallyObject(opened.database, query());
    const rows = await table('SELECT tap, mode, slot::INTEGER, place, taps FROM tally WHERE slot > 0 ORDER BY ALL');
    expect(rows).toEqual([
      ['off', 'bus', 1, 'f', 1n],
      ['off', 'bus', 2, 'a', 1n],
      ['off', 'bus', 2, null, 1n],
      ['off', 'bus', 5, 'a', 1n],
      ['off', 'ferry', 1, 'a', 1n],
      ['on', 'bus', 1, 'a', 2n],
      ['on', 'bus', 1, null, 1n],
      ['on', 'bus', 3, 'a', 1n],
      ['on', 'bus', 4, 'a', 1n],
      ['on', 'ferry', 1, 'a', 1n],
      ['on', null, 1, 'a', 2n],
    ]);
  });

  it('is asked for by this text', () => {
    const nameNumber = (text: string, type: string): string =>
      `list_transform([trim(${text})], lambda name: TRY_CAST(name AS ${type}))[1]`;
    expect(keyedRows(query({ canonical: 'SELECT 1' }), ', card')).toBe(
      `SELECT ${nameNumber('mode', 'mode_name')} AS mode, ` +
        `first AS slot_0, ${nameNumber('first_place', 'place_name')} AS place_0, ` +
        `second AS slot_1, ${nameNumber('second_place', 'place_name')} AS place_1, card FROM (SELECT 1)`,
    );
    const [first] = query().taps;
    expect(keyedRows(query({ canonical: 'SELECT 1', taps: [{ ...first!, tap: 'either' }] }))).toBe(
      `SELECT ${nameNumber('lower(CAST(tap AS VARCHAR))', 'tap_name')} AS tap, ` +
        `${nameNumber('mode', 'mode_name')} AS mode, first AS slot_0, ` +
        `${nameNumber('first_place', 'place_name')} AS place_0 FROM (SELECT 1)`,
    );
  });

  it('@contract C4: is judged: cells of the wanted partitions, by the dictionary or as unknown', async () => {
    await tallyObject(opened.database, query());
    await judgeTally(opened.database, null, ['on', 'off']);
    expect(await table('SELECT mode, day, tap, time, location, taps FROM counted ORDER BY ALL')).toEqual([
      ['bus', '2026-03-01', 'off', '08:00', 'UNKNOWN', 1n],
      ['bus', '2026-03-01', 'off', '08:15', 'Place A', 1n],
      ['bus', '2026-03-01', 'off', '08:15', 'UNKNOWN', 1n],
      ['bus', '2026-03-01', 'on', '08:00', 'Place A', 2n],
      ['bus', '2026-03-01', 'on', '08:00', 'UNKNOWN', 1n],
    ]);
    await judgeTally(opened.database, null, ['off']);
    expect(await table('SELECT DISTINCT tap FROM counted')).toEqual([['off']]);
  });

  it('shows custodians by their names the places that the list of their mode does not have', async () => {
    await tallyObject(opened.database, query());
    await judgeTally(opened.database, null, ['on', 'off']);
    expect(await table(`${unlistedTaps(query(), 80)} ORDER BY ALL`)).toEqual([
      ['bus', 'b', 1n],
      ['bus', 'f', 1n],
      ['bus', null, 1n],
    ]);
    await judgeTally(opened.database, null, ['off']);
    expect(await table(`${unlistedTaps(query(), 80)} ORDER BY ALL`)).toEqual([
      ['bus', 'b', 1n],
      ['bus', 'f', 1n],
    ]);
  });

  it('gives each tap that is no tap its reason, and none to one that is absent or of another window', async () => {
    const path = join(opened.folder, 'rejects.parquet');
    const rejects = async (dated: 'day' | null) => {
      await tallyObject(opened.database, query());
      await judgeTally(opened.database, dated, ['on', 'off']);
      expect(await hasRejects(opened.database)).toBe(true);
      await writeRejects(opened.database, query({ dated }), { rows: true, lines: null }, path);
      return table(`SELECT reason, tap, row FROM '${path}' ORDER BY ALL`);
    };
    const always = [
      ['mode-undeclared', 'off', 'a mode that the name does not declare'],
      ['mode-undeclared', 'on', 'a mode that the name does not declare'],
      ['mode-unknown', 'on', 'a mode that nobody knows'],
      ['mode-unknown', 'on', 'no mode'],
      ['no-tap', 'on', 'no tap'],
      ['time-nonexistent', 'on', 'an hour that is not, then a day of no window'],
      ['time-unreadable', 'off', 'a mode that nobody knows'],
    ];
    expect(await rejects(null)).toEqual(always);
    // A name with a date promises that day: another day, and one that the calendar does not have, are not what it says.
    const undeclared = [
      ['day-undeclared', 'off', 'an hour that is not, then a day of no window'],
      ['day-undeclared', 'on', 'a day that is not wanted, then one that is, at a place of another mode'],
    ];
    expect(await rejects('day')).toEqual([...undeclared, ...always]);
  });

  it('of an object without rejects has none', async () => {
    const good = `${TRIPS} WHERE source_row = 'two taps'`;
    await tallyObject(opened.database, query({ canonical: good }));
    await judgeTally(opened.database, 'day', ['on', 'off']);
    expect(await hasRejects(opened.database)).toBe(false);
  });
});

describe('the tally of taps', () => {
  it('takes the end that the row names', async () => {
    const rows = `SELECT * FROM (VALUES (' On ', 1, 'a'), ('on', 1, 'a'), ('OFF', 1, 'a'),
      ('off', 1, 'nowhere'), ('up', 1, 'a')) AS t(tap, slot, place)`;
    const taps = [{ tap: 'either', reading: 'wall', slot: 'slot', absent: 'false', location: 'place' }] as const;
    const taken = query({ canonical: rows, taps, mode: "'bus'" });
    await tallyObject(opened.database, taken);
    expect(await table('SELECT tap, mode, slot, place, taps FROM tally ORDER BY ALL')).toEqual([
      ['off', 'bus', 1, 'a', 1n],
      ['off', 'bus', 1, null, 1n],
      ['on', 'bus', 1, 'a', 2n],
      [null, 'bus', 1, 'a', 1n],
    ]);
    await judgeTally(opened.database, null, ['on', 'off']);
    expect(await table(unlistedTaps(taken, 2))).toEqual([['bus', 'no', 1n]]);
  });
});

describe('cells', () => {
  const objects = async (canonical: string, times: number): Promise<PartitionCells[]> => {
    await opened.database.run('DELETE FROM cells');
    for (let object = 0; object < times; object += 1) {
      await tallyObject(opened.database, query({ canonical }));
      await judgeTally(opened.database, null, ['on', 'off']);
      await addCells(opened.database);
    }
    const found: PartitionCells[] = [];
    for await (const one of countedCells(opened.database)) found.push(one);
    return found;
  };

  it('are summed over objects and come in order, in lists of the locations that they have', async () => {
    expect(await objects(TRIPS, 2)).toEqual([
      {
        partition: { part: 'bus', day: '2026-03-01' },
        cells: {
          taps: ['off', 'on'],
          times: ['08:00', '08:15'],
          locations: ['Place A', 'UNKNOWN'],
          places: Uint32Array.of(1, 2, 3, 4, 5),
          counts: Float64Array.of(2, 2, 2, 4, 2),
        },
      },
    ]);
  });

  it('come partition by partition, in pieces of any size', async () => {
    const many = `SELECT CASE WHEN i % 3 = 0 THEN 'ferry' ELSE 'bus' END AS mode, 1 + i % 3 AS first, 'a' AS first_place,
      2 AS second, CASE WHEN i % 2 = 0 THEN 'f' END AS second_place FROM range(30000) AS numbers(i)`;
    await opened.database.run(`INSERT INTO wanted VALUES ('bus', '2026-03-02'), ('ferry', '2026-03-01');
      INSERT INTO declared VALUES ('bus', '2026-03-02'), ('ferry', '2026-03-01')`);
    const found = await objects(many, 1);
    expect(found.map(({ partition, cells }) => [partition.part, partition.day, cells.counts])).toEqual([
      ['bus', '2026-03-01', Float64Array.of(20000, 10000)],
      ['bus', '2026-03-02', Float64Array.of(10000)],
      ['ferry', '2026-03-01', Float64Array.of(5000, 5000, 10000)],
    ]);
  });

  it('are none where nothing was counted', async () => {
    expect(await objects(`${TRIPS} WHERE false`, 1)).toEqual([]);
  });
});
