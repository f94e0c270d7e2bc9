import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAPS } from '../../../counts/tables/tap-tables.ts';
import { SKETCH_ROWS } from '../../../custodian/preview/likeness.ts';
import { openDatabase } from '../../../services/sql/open-database.fixture.ts';
import { cellNumbers, type PartitionCells, splitCells } from './cell-numbers.ts';
import { type CountedCells, openCounts } from './counted-cells.ts';
import type { Declared, PublicRules, TapGroup } from './end-taps.ts';
import { numberNames, type PublicLists } from './public-lists.ts';
import { slotNumber, slotNumbers } from './slot-numbers.ts';
import {
  countCells,
  createListed,
  hasRejects,
  type ObjectQuery,
  queryUnlisted,
  readTally,
  writeRejects,
} from './tally.ts';
import type { CalendarRow } from './tap-calendar.ts';
import { NO_TIME } from './tap-keys.ts';

const SUNDAY = '2026-03-01';
const MONDAY = '2026-03-02';

const slot = (number: number, day: string, label: string | null): CalendarRow => ({
  reading: 'wall',
  slot: number,
  day,
  label,
  problem: label === null ? 'time-nonexistent' : null,
});
const LISTS: PublicLists = {
  modes: new Map([
    ['bus', { unknown: 'UNKNOWN', dictionary: new Map([['a', 'Place A']]) }],
    ['ferry', { unknown: 'UNKNOWN', dictionary: new Map([['f', 'Pier F']]) }],
  ]),
  calendar: [slot(1, SUNDAY, '08:00'), slot(2, SUNDAY, '08:15'), slot(3, MONDAY, '08:00'), slot(4, SUNDAY, null)],
  slotMinutes: 15,
  wanted: [{ part: 'bus', day: SUNDAY }],
};
const NUMBERS = cellNumbers(LISTS);
const rulesOf = (ends: PublicRules['ends'] = TAPS, change: Partial<PublicLists> = {}): PublicRules => ({
  lists: { ...LISTS, ...change },
  numbers: NUMBERS,
  ends,
});

let opened: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  opened = await openDatabase();
  await numberNames(opened.database, NUMBERS);
  await createListed(opened.database, NUMBERS);
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
  hash: 'CAST(7 AS UINTEGER)',
  canonicalWithRow: TRIPS,
  taps: [
    { tap: 'on', reading: 'wall', slot: 'first', location: 'first_place' },
    { tap: 'off', reading: 'wall', slot: 'second', location: 'second_place' },
  ],
  mode: 'mode',
  card: null,
  declared: declaring(null),
  ...change,
});

const declaring = (dated: Declared['dated'], partitions = LISTS.wanted): Declared => ({ partitions, dated });

/** Everything that an object has in a database of its own counts. */
async function counted(
  object = query(),
  rules = rulesOf(),
): Promise<{ tally: Awaited<ReturnType<typeof countCells>>; cells: string[] }> {
  const counts = await countsOf(1000);
  const tally = await countCells(opened.database, object, rules, counts);
  return { tally, cells: [...splitCells(NUMBERS, counts.ranges())].flatMap(linesOf) };
}

async function countsOf(cellsAtOnce: number): Promise<CountedCells> {
  const path = join(await mkdtemp(join(opened.folder, 'counts-')), 'cells');
  return openCounts(NUMBERS.size, { path, cellsAtOnce, blockRows: 2 });
}

function linesOf({ partition, cells: { taps, times, locations, places, counts } }: PartitionCells): string[] {
  return Array.from(places, (place, at) => {
    const row = Math.floor(place / locations.length);
    const names = [
      taps[Math.floor(row / times.length)],
      times[row % times.length],
      locations[place % locations.length],
    ];
    return `${partition.part} ${partition.day} ${names.join(' ')} = ${counts[at]}`;
  });
}

const groupLine = ({ tap, mode, day, reason, taps, unlisted }: TapGroup): string =>
  [tap, mode, day, reason, taps, unlisted].map(String).join(' ');
const groupLines = (tally: Awaited<ReturnType<typeof countCells>>): string[] =>
  tally.ends.flatMap((end) => Array.from(end.groups(), groupLine)).sort();

const table = (sql: string): Promise<unknown[][]> => opened.database.rows(sql);

describe('the tally of trips', () => {
  it('meets each tap once, by end, mode and slot, and counts those at places that no list of the mode has', async () => {
    const { tally } = await counted();
    expect(groupLines(tally)).toEqual([
      'off bus 2026-03-01 null 1 1',
      'off bus 2026-03-01 null 2 1',
      'off bus null null 1 0',
      'off bus null null 2 2',
      'off ferry 2026-03-01 mode-undeclared 1 1',
      'off null null null 1 0',
      'off null null time-unreadable 1 0',
      'on bus 2026-03-01 null 3 1',
      'on bus 2026-03-01 time-nonexistent 1 0',
      'on bus 2026-03-02 null 1 0',
      'on bus null no-tap 1 1',
      'on ferry 2026-03-01 mode-undeclared 1 1',
      'on null 2026-03-01 mode-unknown 2 0',
    ]);
    expect(readTally(tally)).toMatchObject({
      rows: 9,
      rejected: {
        'mode-undeclared': 2,
        'mode-unknown': 2,
        'no-tap': 1,
        'time-nonexistent': 1,
        'time-unreadable': 1,
      },
      taps: [
        { part: 'bus', day: SUNDAY, taps: 6, unknown: 3 },
        { part: 'bus', day: MONDAY, taps: 1, unknown: 0 },
      ],
    });
  });

  it('is the same when the rows are read for each part, as those of a large object are', async () => {
    const [once, large] = [await counted(), await counted(query({ isLarge: true }))];
    expect(groupLines(large.tally)).toEqual(groupLines(once.tally));
    expect([large.cells, large.tally.sketch]).toEqual([once.cells, once.tally.sketch]);
  });

  it('is of all groups, also when they are more than DuckDB hands over before somebody takes them', async () => {
    // Of 24 bytes each, for both taps: more than 8 MiB wait for nobody (services/sql/duckdb.ts).
    const many = 1_000_000;
    const canonical = `SELECT 'bus' AS mode, 10 + i AS first, 'a' AS first_place, 10 + i AS second, 'a' AS second_place
      FROM range(${many}) AS t(i)`;
    const { tally } = await counted(query({ canonical }));
    expect(readTally(tally)).toMatchObject({ rows: many, sketch: Array(SKETCH_ROWS).fill(7) });
  }, 30_000);

  it('keeps the lowest hashes of its rows, each as often as it is there, whatever becomes of its taps', async () => {
    const canonical = `SELECT i, 'bus' AS mode, i % 9 AS first, 'a' AS first_place, i % 4 AS second, 'b' AS second_place
      FROM range(5000) AS rows(i)`;
    const hash = 'CAST(hash(i // 3) >> 32 AS UINTEGER)';
    const lowest = await table(`SELECT ${hash} AS one FROM (${canonical}) ORDER BY one LIMIT ${SKETCH_ROWS}`);
    const { tally } = await counted(query({ canonical, hash }));
    expect(readTally(tally).sketch).toEqual(lowest.flat());
    expect((await counted(query({ canonical: `${canonical} WHERE false`, hash }))).tally.sketch).toEqual([]);
  });

  it('@contract C4: is judged: cells of the wanted partitions, by the dictionary or as unknown', async () => {
    const off = [
      'bus 2026-03-01 off 08:00 UNKNOWN = 1',
      'bus 2026-03-01 off 08:15 Place A = 1',
      'bus 2026-03-01 off 08:15 UNKNOWN = 1',
    ];
    expect((await counted()).cells).toEqual([
      ...off,
      'bus 2026-03-01 on 08:00 Place A = 2',
      'bus 2026-03-01 on 08:00 UNKNOWN = 1',
    ]);
    expect((await counted(query(), rulesOf(['off']))).cells).toEqual(off);
  });

  it('shows custodians by their names the places that the list of their mode does not have', async () => {
    const shown = async (rules: PublicRules): Promise<unknown[][]> => {
      const { tally } = await counted(query(), rules);
      const again = { database: opened.database, query: query(), numbers: NUMBERS, tally };
      return table(`${await queryUnlisted(again, 80)} ORDER BY ALL`);
    };
    expect(await shown(rulesOf())).toEqual([
      ['bus', 'b', 1n],
      ['bus', 'f', 1n],
      ['bus', null, 1n],
    ]);
    expect(await shown(rulesOf(['off']))).toEqual([
      ['bus', 'b', 1n],
      ['bus', 'f', 1n],
    ]);
  });

  it('gives each tap that is no tap its reason, and none to one that is absent or of another window', async () => {
    const path = join(opened.folder, 'rejects.parquet');
    const rejects = async (dated: Declared['dated']) => {
      const object = query({ declared: declaring(dated) });
      const { tally } = await counted(object);
      expect(hasRejects(tally)).toBe(true);
      await writeRejects({ database: opened.database, query: object, numbers: NUMBERS, tally }, null, path);
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
    const otherDay = ['day-undeclared', 'on', 'a day that is not wanted, then one that is, at a place of another mode'];
    const noDay = ['day-undeclared', 'off', 'an hour that is not, then a day of no window'];
    expect(await rejects('day')).toEqual([noDay, otherDay, ...always]);
    // Names of which one may be of another window promise nothing of a day that the calendar does not have.
    expect(await rejects('days')).toEqual([otherDay, ...always]);
  });

  it('of an object without rejects has none', async () => {
    const canonical = `${TRIPS} WHERE source_row = 'two taps'`;
    expect(hasRejects((await counted(query({ canonical, declared: declaring('day') }))).tally)).toBe(false);
  });
});

describe('the tally of taps', () => {
  it('takes the end that the row names', async () => {
    const rows = `SELECT * FROM (VALUES (' On ', 1, 'a'), ('on', 1, 'a'), ('OFF', 1, 'a'), ('off', 1, 'nowhere'),
      ('up', ${NO_TIME['tap-unknown']}, 'a')) AS t(tap, slot, place)`;
    const taps = [{ tap: 'either', reading: 'wall', slot: 'slot', location: 'place' }] as const;
    const taken = query({ canonical: rows, taps, mode: "'bus'" });
    const { tally, cells } = await counted(taken);
    expect(cells).toEqual([
      'bus 2026-03-01 off 08:00 Place A = 1',
      'bus 2026-03-01 off 08:00 UNKNOWN = 1',
      'bus 2026-03-01 on 08:00 Place A = 2',
    ]);
    expect(groupLines(tally)).toContain('null bus null tap-unknown 1 0');
    const again = { database: opened.database, query: taken, numbers: NUMBERS, tally };
    expect(await table(await queryUnlisted(again, 2))).toEqual([['bus', 'no', 1n]]);
  });
});

describe('the number of a slot', () => {
  it.each(['wall', 'minute'] as const)(
    'of the reading %s is that of the calendar, of no time, or 0',
    async (reading) => {
      const calendar = [30, 60, 90].map((each) => ({ ...slot(each, SUNDAY, '08:00'), reading }));
      const slots = slotNumbers(calendar, reading, 30);
      const asked = [29, 30, 60, 90, 91, 0, -1, 2 ** 40, ...Object.values(NO_TIME)];
      const rows = await table(
        `SELECT slot, ${slotNumber('slot', slots)} FROM unnest(${JSON.stringify(asked)}) AS t(slot)`,
      );
      const numbers = new Map(rows.map(([one, number]) => [Number(one), Number(number)]));
      for (const { slot: one } of calendar) expect(slots.rows.get(numbers.get(one)!)?.slot).toBe(one);
      for (const [at, one] of Object.values(NO_TIME).entries()) expect(numbers.get(one)).toBe(at + 1);
      for (const one of [29, 91, 0, -1, 2 ** 40]) expect(numbers.get(one), `${one}`).toBe(0);
      expect(slots.size).toBe(Math.max(...slots.rows.keys()) + 1);
    },
  );
});

describe('cells', () => {
  const objects = async (canonicals: readonly string[], cellsAtOnce = 1000, change: Partial<PublicLists> = {}) => {
    const counts = await countsOf(cellsAtOnce);
    const rules = rulesOf(TAPS, change);
    for (const canonical of canonicals) {
      const declared = declaring(null, rules.lists.wanted);
      const counting = countCells(opened.database, query({ canonical, declared }), rules, counts);
      await (canonical === TORN ? expect(counting).rejects.toThrow('torn') : counting);
    }
    return [...splitCells(NUMBERS, counts.ranges())];
  };
  const TORN = `SELECT CASE WHEN i < 9000 THEN 'bus' ELSE error('torn') END AS mode, 1 AS first, 'a' AS first_place,
    2 AS second, 'a' AS second_place FROM range(9001) AS rows(i)`;

  it('are summed over objects and come in order, in lists of the locations that they have', async () => {
    expect(await objects([TRIPS, TRIPS])).toEqual([
      {
        partition: { part: 'bus', day: SUNDAY },
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

  const many = `SELECT CASE WHEN i % 3 = 0 THEN 'ferry' ELSE 'bus' END AS mode, 1 + i % 3 AS first, 'a' AS first_place,
    2 AS second, CASE WHEN i % 2 = 0 THEN 'f' END AS second_place FROM range(30000) AS numbers(i)`;
  const wanted = [...LISTS.wanted, { part: 'bus', day: MONDAY }, { part: 'ferry', day: SUNDAY }];

  it('come partition by partition, whatever is in memory of them at once', async () => {
    for (const cellsAtOnce of [1, 3, 1000]) {
      const found = await objects([many], cellsAtOnce, { wanted });
      expect(found.map(({ partition, cells }) => [partition.part, partition.day, [...cells.counts]])).toEqual([
        ['bus', SUNDAY, [20000, 10000]],
        ['ferry', SUNDAY, [5000, 5000, 10000]],
        ['bus', MONDAY, [10000]],
      ]);
    }
  });

  it('@contract C6: are counted of no object that fails on the way', async () => {
    for (const cellsAtOnce of [3, 1000])
      expect(await objects([TORN, TRIPS, TORN, TRIPS], cellsAtOnce)).toEqual(await objects([TRIPS, TRIPS]));
  });

  it('that are put aside leave no file', async () => {
    const counts = await countsOf(3);
    await countCells(opened.database, query(), rulesOf(), counts);
    expect([...counts.ranges()].length).toBe(Math.ceil(NUMBERS.size / 3));
    const left = (await readdir(opened.folder, { recursive: true })).filter((name) => name.endsWith('cells'));
    expect(left).toEqual([]);
  });

  it('are none where nothing was counted', async () => {
    expect(await objects([`${TRIPS} WHERE false`])).toEqual([]);
  });
});
