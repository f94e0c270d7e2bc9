import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TAPS } from '../../../counts/tables/tap-tables.ts';
import { type Database, literal } from '../../../services/sql/duckdb.ts';
import { openDatabase } from '../../../services/sql/open-database.fixture.ts';
import {
  type CardBound,
  type CardTaps,
  type CountedTaps,
  countCardTaps,
  openCardTaps,
  tallyCards,
} from './card-taps.ts';
import { cellNumbers } from './cell-numbers.ts';
import type { PublicRules } from './end-taps.ts';
import { numberNames, type PublicLists } from './public-lists.ts';
import type { ObjectQuery } from './tally.ts';

type Tap = { card: string; mode: string; day: number; tap: string; slot: number; location: string };
type Counts = Map<string, number>;

const MODES = ['bus', 'train'];
const LABELS = ['08:00', '08:15', '08:30'];
const K = 3;
/** Of the taps that K leaves out, this many are counted. */
const C = 2;
const KEY = '00112233445566778899aabbccddeeff';
/** Nothing is put aside; and then everything, in every way. */
const ALL_IN_MEMORY = { blockRows: 1000, rowsAtOnce: 1000, cellsAtOnce: 1000 };

let folder: string;
let whole: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ folder, database: whole, close } = await openDatabase());
  await numberNames(whole, RULES.numbers);
});
afterAll(() => close());

/** What an activity knows before its first object. */
const LISTS: PublicLists = {
  modes: new Map(
    MODES.map((mode) => [mode, { unknown: 'UNKNOWN', dictionary: new Map([...'AB'].map((at) => [at, at])) }]),
  ),
  calendar: [1, 2].flatMap((day) =>
    LABELS.map((label, slot) => ({
      reading: 'wall',
      slot: day * 10 + slot,
      day: `2026-03-0${day}`,
      label,
      problem: null,
    })),
  ),
  slotMinutes: 15,
  wanted: MODES.flatMap((part) => [1, 2].map((day) => ({ part, day: `2026-03-0${day}` }))),
};
const RULES: PublicRules = { lists: LISTS, numbers: cellNumbers(LISTS), ends: TAPS };

/** An object whose rows a statement gives. */
const objectOf = (canonical: string): ObjectQuery => ({
  canonical,
  hash: 'CAST(hash(card) >> 32 AS UINTEGER)',
  canonicalWithRow: canonical,
  taps: [{ tap: 'either', reading: 'wall', slot: 'CAST(slot AS BIGINT)', location: 'location' }],
  mode: 'mode',
  card: 'card',
  declared: { partitions: LISTS.wanted, dated: null },
});

const query = (taps: readonly Tap[]): ObjectQuery => {
  const rows = taps.map(({ card, mode, day, tap, slot, location }) =>
    [literal(card), literal(mode), day * 10 + slot, literal(tap), literal(location)].join(', '),
  );
  return objectOf(
    rows.length === 0
      ? "SELECT '' AS card, '' AS mode, 0 AS slot, '' AS tap, '' AS location WHERE false"
      : `SELECT * FROM (VALUES ${rows.map((row) => `(${row})`).join(', ')}) AS t(card, mode, slot, tap, location)`,
  );
};

/** The cells of some objects; `twin` may spoil the SQL. */
const count = async (
  objects: readonly (readonly Tap[])[],
  change: Change = {},
  twin = (sql: string): string => sql,
): Promise<Counts> => cellsOf(await countObjects(objects.map(query), change, twin));

type Change = Partial<Omit<CardBound, 'memory'> & typeof ALL_IN_MEMORY>;

const boundOf = (own: string, change: Change): CardBound => {
  const { blockRows, cellsAtOnce, ...bound } = {
    key: KEY,
    maxTaps: K,
    place: null,
    clamp: 0,
    scope: 'window' as const,
    folder: own,
    ...ALL_IN_MEMORY,
    ...change,
  };
  return { ...bound, memory: { path: join(own, 'cells'), cellsAtOnce, blockRows } };
};

async function addObject(taps: CardTaps, object: ObjectQuery, twin = (sql: string): string => sql): Promise<void> {
  await tallyCards({ ...whole, words: (sql) => whole.words(twin(sql)) }, object, RULES, taps);
}

async function countObjects(
  objects: readonly ObjectQuery[],
  change: Change,
  twin = (sql: string): string => sql,
  threads = 1,
): Promise<CountedTaps> {
  const own = await mkdtemp(join(folder, 'count-'));
  const taps = openCardTaps(boundOf(own, change), RULES.numbers);
  for (const object of objects) await addObject(taps, object, twin);
  const { cells, leftOut } = await countCardTaps(taps, threads);
  const counted = { cells: [...cells], leftOut };
  expect(await readdir(own)).toEqual([]);
  return counted;
}

function cellsOf({ cells }: CountedTaps): Counts {
  const found: Counts = new Map();
  for (const { partition, cells: columns } of cells) {
    const { taps, times, locations, places, counts } = columns;
    for (const [at, place] of Array.from(places).entries()) {
      const row = Math.floor(place / locations.length);
      const names = [
        taps[Math.floor(row / times.length)],
        times[row % times.length],
        locations[place % locations.length],
      ];
      found.set([partition.part, partition.day, ...names].join(' '), counts[at]!);
    }
  }
  return new Map([...found].sort());
}

/** What the bound leaves out of some objects, by mode, day and end. */
async function leftOut(objects: readonly (readonly Tap[])[], change: Change = {}): Promise<Counts> {
  const found: Counts = new Map();
  const { leftOut: all } = await countObjects(objects.map(query), { clamp: C, ...change });
  for (const [partition, ends] of all!)
    for (const [tap, taps] of ends) found.set(`${partition.replace('/', ' ')} ${tap}`, taps);
  return new Map([...found].sort());
}

/** Cells as counts by mode, day and end. */
function byEnd(cells: Counts): Counts {
  const ends: Counts = new Map();
  for (const [cell, taps] of cells) {
    const end = cell.split(' ').slice(0, 3).join(' ');
    ends.set(end, (ends.get(end) ?? 0) + taps);
  }
  return ends;
}

const ALIKE: Tap = { card: '1', mode: 'bus', day: 1, tap: 'on', slot: 0, location: 'A' };

const anyTap = (card: string): fc.Arbitrary<Tap> =>
  fc.record({
    card: fc.constant(card),
    mode: fc.constantFrom(...MODES),
    day: fc.constantFrom(1, 2),
    tap: fc.constantFrom('on', 'off'),
    slot: fc.constantFrom(0, 1, 2),
    // The last two are one cell: the dictionary knows neither.
    location: fc.constantFrom('A', 'A ', 'B', 'elsewhere', 'nowhere'),
  });
const taps = (card: string): fc.Arbitrary<Tap[]> => fc.array(anyTap(card), { minLength: 0, maxLength: 12 });
/** The same taps in another order and in up to four objects. */
const arranged = (all: readonly Tap[]): fc.Arbitrary<Tap[][]> =>
  fc
    .tuple(
      fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length }),
      fc.array(fc.nat(3), { minLength: all.length, maxLength: all.length }),
    )
    .map(([order, places]) => [0, 1, 2, 3].map((object) => order.filter((_, index) => places[index] === object)));
const anyScope = fc.constantFrom<CardBound['scope']>('day', 'window');
const anyMemory = fc.record({
  blockRows: fc.constantFrom(1, 2, 1000),
  rowsAtOnce: fc.constantFrom(1, 3, 1000),
  cellsAtOnce: fc.constantFrom(7, 1000),
});
const RUNS = { seed: 41, numRuns: 15 };
const FEWER = { ...RUNS, numRuns: 8 };

const total = (counts: Counts): number => [...counts.values()].reduce((sum, taps) => sum + taps, 0);
const distance = (a: Counts, b: Counts): number =>
  [...new Set([...a.keys(), ...b.keys()])].reduce(
    (sum, cell) => sum + Math.abs((a.get(cell) ?? 0) - (b.get(cell) ?? 0)),
    0,
  );
const sum = (a: Counts, b: Counts): Counts =>
  new Map(
    [...new Set([...a.keys(), ...b.keys()])].sort().map((cell) => [cell, (a.get(cell) ?? 0) + (b.get(cell) ?? 0)]),
  );

describe('the taps of one card', () => {
  const arrangements = taps('1').chain((all) => fc.tuple(fc.constant(all), arranged(all)));

  it('@contract C2: any split into objects, any order and any memory give the same k', async () => {
    await fc.assert(
      fc.asyncProperty(arrangements, anyScope, anyMemory, async ([all, objects], scope, memory) => {
        expect(await count(objects, { scope, ...memory })).toEqual(await count([all], { scope }));
      }),
      RUNS,
    );
  });

  it('@contract C2: on two threads the same taps are counted and left out as on one', async () => {
    await fc.assert(
      fc.asyncProperty(arrangements, taps('2'), anyScope, anyMemory, async ([all], others, scope, memory) => {
        const objects = [query([...all, ...others])];
        const change = { scope, clamp: C, ...memory };
        const [one, two] = [await countObjects(objects, change), await countObjects(objects, change, undefined, 2)];
        expect(two).toEqual(one);
      }),
      FEWER,
    );
  });

  it('a twin that tells cards apart by more than their text is caught', async () => {
    const twin = (sql: string): string => sql.replace(', card))', ', card, slot))');
    const found = await fc.check(
      fc.asyncProperty(arrangements, async ([all]) => {
        expect(total(await count([all], {}, twin))).toBe(Math.min(K, all.length));
      }),
      { ...RUNS, endOnFailure: true },
    );
    expect(String(found.errorInstance)).toContain('AssertionError');
  });

  it('@contract C6: nothing of an object that fails is counted', async () => {
    const busy = Array.from({ length: 5 }, (): Tap => ({ ...ALIKE }));
    const failing = objectOf(`SELECT CASE WHEN i < 4000 THEN 'card' ELSE error('torn') END AS card, 'bus' AS mode,
      10 AS slot, 'on' AS tap, 'A' AS location FROM range(9000) AS rows(i)`);
    for (const blockRows of [1, 1000]) {
      const taps = openCardTaps(boundOf(await mkdtemp(join(folder, 'count-')), { blockRows }), RULES.numbers);
      await addObject(taps, query(busy));
      await expect(addObject(taps, failing)).rejects.toThrow('torn');
      await addObject(taps, query([{ ...ALIKE, card: '2' }]));
      expect(total(cellsOf(await countCardTaps(taps, 1)))).toBe(K + 1);
    }
  });

  it('counts min(k, taps) of them in each scope, each in a cell that the card has, and not more often', async () => {
    await fc.assert(
      fc.asyncProperty(taps('1'), async (all) => {
        const everything = await count([all], { maxTaps: 100 });
        expect(total(everything)).toBe(all.length);
        const window = await count([all]);
        expect(total(window)).toBe(Math.min(K, all.length));
        for (const [cell, taps] of window) expect(taps).toBeLessThanOrEqual(everything.get(cell) ?? 0);
        const daily = [1, 2].map((day) => Math.min(K, all.filter((tap) => tap.day === day).length));
        expect(total(await count([all], { scope: 'day' }))).toBe(daily[0]! + daily[1]!);
      }),
      RUNS,
    );
  });

  it('equal taps are told apart by their ordinal: k of them are counted, in whatever objects they lie', async () => {
    const cell = 'bus 2026-03-01 on 08:00 A';
    expect(await count([[ALIKE], [ALIKE, ALIKE], [ALIKE, ALIKE]])).toEqual(new Map([[cell, K]]));
    expect(await count([[ALIKE], [{ ...ALIKE, location: 'A ' }]])).toEqual(new Map([[cell, 2]]));
  });

  it('are these for one key: a later build chooses alike', async () => {
    const all = [1, 2].flatMap((day) =>
      [0, 1, 2].flatMap((slot) =>
        ['on', 'off'].map((tap) => ({ card: '1', mode: 'bus', day, tap, slot, location: 'A' })),
      ),
    );
    expect([...(await count([all])).keys()]).toEqual([
      'bus 2026-03-01 off 08:15 A',
      'bus 2026-03-01 on 08:15 A',
      'bus 2026-03-02 off 08:00 A',
    ]);
  });

  it('equal taps have their share of the choice: of five and one, the five are chosen five times in six', async () => {
    const rows =
      objectOf(`SELECT concat('card-', card) AS card, 'bus' AS mode, 10 + slot AS slot, 'on' AS tap, 'A' AS location
      FROM range(3000) AS cards(card), (VALUES (0), (0), (0), (0), (0), (1)) AS taps(slot)`);
    const chosen = cellsOf(await countObjects([rows], { maxTaps: 1 })).get('bus 2026-03-01 on 08:00 A') ?? 0;
    // Six standard deviations of a binomial of 3,000 and 5/6, which has 20.4: an error of less than 1e-8.
    expect(Math.abs(chosen - 2500)).toBeLessThan(123);
  });
});

describe('the taps of several cards', () => {
  it('@contract C2: what is counted of a card does not depend on the rows of others', async () => {
    const both = fc
      .tuple(taps('1'), taps('2'))
      .chain(([one, two]) => fc.tuple(fc.constant(one), fc.constant(two), arranged([...one, ...two])));
    await fc.assert(
      fc.asyncProperty(both, anyScope, anyMemory, async ([one, two, together], scope, memory) => {
        const apart = sum(await count([one], { scope }), await count([two], { scope }));
        expect(await count(together, { scope, ...memory })).toEqual(apart);
      }),
      RUNS,
    );
  });

  it('@contract C1: replacing all taps of a card moves the cells by at most 2k, adding a card by at most k', async () => {
    let worst = 0;
    await fc.assert(
      fc.asyncProperty(taps('1'), taps('1'), taps('2'), async (before, after, others) => {
        const [from, to] = [await count([others, before]), await count([after, others])];
        expect(distance(from, to)).toBeLessThanOrEqual(2 * K);
        expect(distance(from, await count([others]))).toBeLessThanOrEqual(K);
        worst = Math.max(worst, distance(from, to));
      }),
      RUNS,
    );
    expect(worst, 'the bound is reached').toBe(2 * K);
  });

  it('another key counts other taps, as many', async () => {
    const all = MODES.flatMap((mode) =>
      Array.from({ length: 40 }, (_, card) =>
        LABELS.flatMap((_label, slot) =>
          ['on', 'off'].map((tap) => ({ card: `${card}`, mode, day: 1, tap, slot, location: 'A' })),
        ),
      ).flat(),
    );
    const [one, other] = [await count([all], { key: '0a'.repeat(16) }), await count([all], { key: '0b'.repeat(16) })];
    expect([total(one), total(other)]).toEqual([40 * K, 40 * K]);
    expect(one).not.toEqual(other);
    // Each of the twelve cells has 10 expected, with a standard deviation of 2.7.
    for (const taps of one.values()) expect(Math.abs(taps - 10)).toBeLessThan(10);
  });
});

describe('the taps that the bound leaves out', () => {
  const two = fc.tuple(taps('1'), taps('2')).map(([one, other]) => [...one, ...other]);

  it('@contract C2: of each card and scope min(C, taps − k), of the ranks after k, in any memory', async () => {
    await fc.assert(
      fc.asyncProperty(two.chain(arranged), anyScope, anyMemory, async (objects, scope, memory) => {
        const found = await leftOut(objects, { scope, ...memory });
        // The same key counts the k lowest ranks of k + C.
        const more = byEnd(await count(objects, { scope, maxTaps: K + C }));
        const counted = byEnd(await count(objects, { scope }));
        const next = [...more].map(([end, taps]) => [end, taps - (counted.get(end) ?? 0)] as const);
        expect(found).toEqual(new Map(next.filter(([, taps]) => taps > 0).sort()));
        const all = objects.flat();
        const inScope = scope === 'window' ? [all] : [1, 2].map((day) => all.filter((tap) => tap.day === day));
        const expected = inScope.flatMap((scoped) =>
          ['1', '2'].map((card) => Math.min(C, Math.max(0, scoped.filter((tap) => tap.card === card).length - K))),
        );
        expect(total(found)).toBe(expected.reduce((sum, taps) => sum + taps, 0));
      }),
      FEWER,
    );
  });

  it('do not change what is counted', async () => {
    await fc.assert(
      fc.asyncProperty(two, anyScope, async (all, scope) => {
        expect(await count([all], { scope, clamp: C })).toEqual(await count([all], { scope }));
      }),
      FEWER,
    );
  });

  it('@contract C1: move by at most 2C when a card is replaced, and by at most C when it is added', async () => {
    const pair = fc.tuple(taps('1'), taps('1'), taps('2'));
    const moved = async (): Promise<{ replaced: number; added: number }> => {
      const worst = { replaced: 0, added: 0 };
      await fc.assert(
        fc.asyncProperty(pair, async ([before, after, others]) => {
          const [from, to] = [await leftOut([others, before]), await leftOut([after, others])];
          worst.replaced = Math.max(worst.replaced, distance(from, to));
          worst.added = Math.max(worst.added, distance(from, await leftOut([others])));
        }),
        { ...RUNS, numRuns: 40 },
      );
      return worst;
    };
    expect(await moved(), 'both bounds are reached').toEqual({ replaced: 2 * C, added: C });
  });
});
