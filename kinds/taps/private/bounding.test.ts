import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { privatize } from '../../../activities/private/privatize.ts';
import { reingest } from '../../../activities/private/reingest.ts';
import { type Partition, PRIVATE_KEYS, RELEASE_KEYS } from '../../../contracts/names.ts';
import type { Run } from '../../../contracts/stages.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import type { CardUnit } from '../../../counts/certificate/units.ts';
import { jsonBytes, readBytes } from '../../../services/stores/json-objects.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import { cardBound } from './bounding.ts';
import { type SeriesChange, StageBench, sameNames } from './stages.fixture.ts';

let bench: StageBench;

const DAYS = ['2026-03-02', '2026-03-03'];
const HEAD = 'card,mode,on_time,on_location,off_time,off_location\n';
const NAMES = ['card', 'mode', 'on_time', 'on_location', 'off_time', 'off_location'];
const SOURCE = { pattern: '{date}/{mode}.csv', columns: sameNames(NAMES), card: 'text' };
const K = 3;

const open = (unit: string, change: SeriesChange = {}): Promise<StageBench> =>
  StageBench.open({ unit, maxTaps: K, days: 2, source: SOURCE, ...change });

/** The objects of the window: those given, and empty ones. */
async function deliver(objects: Record<string, string>): Promise<void> {
  for (const day of DAYS) {
    for (const mode of ['bus', 'train']) {
      const key = `${day}/${mode}.csv`;
      await bench.deliver(key, HEAD + (objects[key] ?? ''));
    }
  }
}

/** `many` taps of a card on one day, one trip each, in different quarters of an hour; trips differ in length. */
const trips = (card: string, mode: string, day: string, many: number): string =>
  Array.from({ length: many }, (_, n) => `${card},${mode},${day} 0${n}:00,2000,${day} ${10 + n}:30,2010\n`).join('');

const totalOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Number(line.split(' = ')[1]), 0);
const onDay = (lines: readonly string[], day: string): string[] => lines.filter((line) => line.includes(day));
const partitions = (...days: string[]): Partition[] =>
  ['bus', 'train'].flatMap((mode) => days.map((day) => ({ part: mode, day })));

describe('bounding', () => {
  /** Of each unit what is delivered, and how many taps count of what. */
  const COUNTED: Readonly<Record<CardUnit, () => [objects: Record<string, string>, counted: Record<string, number>]>> =
    {
      'card-window': () => [
        {
          '2026-03-02/bus.csv': trips('a', 'bus', DAYS[0]!, 4) + trips('b', 'bus', DAYS[0]!, 1),
          '2026-03-02/train.csv': trips('a ', 'train', DAYS[0]!, 4),
          '2026-03-03/bus.csv': trips('a', 'bus', DAYS[1]!, 4),
        },
        { '2026-03': K + 2 },
      ],
      'card-day': () => [
        {
          '2026-03-02/bus.csv': `${trips('a', 'bus', DAYS[0]!, 4)}a,bus,2026-03-02 23:50,2000,2026-03-03 00:10,2010\n`,
          '2026-03-02/train.csv': trips('a', 'train', DAYS[0]!, 4),
          '2026-03-03/bus.csv': trips('a', 'bus', DAYS[1]!, 1),
        },
        { '2026-03-02': K, '2026-03-03': K },
      ],
    };

  it.each(Object.entries(COUNTED))(
    '@contract C2: under %s at most k taps of a card, over all that its scope holds',
    async (unit, make) => {
      const [objects, counted] = make();
      bench = await open(unit);
      await deliver(objects);
      expect(await bench.count()).toEqual([]);
      const cells = await bench.allCells();
      for (const [days, taps] of Object.entries(counted)) expect(totalOf(onDay(cells, days)), days).toBe(taps);
    },
  );

  it('@contract C2: taps outside the window and ends that are not published take nothing of the k', async () => {
    bench = await open('card-window', { publish: 'on' });
    await bench.deliver('2026-03-01/bus.csv', HEAD + trips('a', 'bus', '2026-03-01', 9));
    await deliver({ '2026-03-03/bus.csv': trips('a', 'bus', DAYS[1]!, K) });
    expect(await bench.count()).toEqual([]);
    expect(await bench.allCells()).toEqual(
      ['00:00', '01:00', '02:00'].map((time) => `bus 2026-03-03 on ${time} 2000 = 1`),
    );
  });

  it('@contract C2: a row without a card is a reject', async () => {
    bench = await open('card-day', { publish: 'on' });
    await deliver({ '2026-03-02/bus.csv': `${trips(' ', 'bus', DAYS[0]!, 1)}${trips('a', 'bus', DAYS[0]!, 1)}` });
    expect(await bench.count()).toEqual([]);
    expect(totalOf(await bench.allCells())).toBe(1);
    expect(await bench.reasons()).toEqual(['card-missing']);
  });

  it.each([
    [
      'number',
      ['7::BIGINT', '7::INTEGER', '7::UTINYINT', '7::DECIMAL(18,0)', '7::DECIMAL(38,0)'],
      ['7::DOUBLE', '7::FLOAT', '7::DECIMAL(18,2)', "'7'", "'nan'::DOUBLE"],
    ],
    ['text', ["'7'", "' 7'", "'7 '"], ['7::BIGINT', '7::DOUBLE', "'7'::BLOB", 'uuid()', 'true']],
  ])('@contract C2: one card is one in Parquet objects of several types: %s', async (card, types, others) => {
    const source = { ...SOURCE, format: 'parquet', pattern: 'part-*.parquet', card };
    const row = (id: string, place: number): string =>
      `SELECT ${id} AS card, 'bus' AS mode, TIMESTAMP '2026-03-02 08:00' + INTERVAL (i) HOUR AS on_time,
        '2000' AS on_location, TIMESTAMP '2026-03-02 08:30' AS off_time, 'stop-${place}' AS off_location FROM range(5) AS t(i)`;
    bench = await open('card-window', { source });
    for (const [n, id] of types.entries()) await bench.deliverParquet(`part-${n}.parquet`, row(id, n));
    expect(await bench.count()).toEqual([]);
    expect(totalOf(await bench.allCells())).toBe(K);
    await bench.close();
    for (const [n, id] of others.entries()) {
      bench = await open('card-window', { source });
      await bench.deliverParquet('part-0.parquet', row(types[0]!, 0));
      await bench.deliverParquet('part-1.parquet', row(id, n));
      expect(await bench.count(), id).toMatchObject([{ object: 'part-1.parquet', code: 'OBJECT_SCHEMA' }]);
      await bench.close();
    }
    // What a select makes text of is what its column is.
    const select = `SELECT TRY_CAST(card AS VARCHAR) AS card, mode, on_time, on_location, off_time, off_location FROM source`;
    bench = await open('card-window', { source: { ...source, card: 'text', columns: undefined, select } });
    await bench.deliverParquet('part-0.parquet', row('7::BIGINT', 0));
    await bench.deliverParquet('part-1.parquet', row("'7'", 1));
    await bench.deliverParquet('part-2.parquet', row('7::DOUBLE', 2));
    expect(await bench.count()).toMatchObject([{ object: 'part-2.parquet', code: 'OBJECT_SCHEMA' }]);
  });

  it.each(['text', 'number'])('@contract C2: of lines of JSON, %s: equal digits are one card', async (card) => {
    const source = { ...SOURCE, format: 'jsonl', pattern: '{date}/{mode}.jsonl', card };
    bench = await open('card-window', { source, publish: 'on' });
    const line = (id: string, hour: number): string =>
      `{"card": ${id}, "mode": "bus", "on_time": "2026-03-02 0${hour}:00", "on_location": "2000"}\n`;
    const digits = ['123', '"123"', '" 123"', '123'];
    await bench.deliver('2026-03-02/bus.jsonl', digits.map(line).join(''));
    const others = ['123.0', '1.23e2', 'true', '{"x": 1}', '[123]', 'null', '"  "', '1e400'];
    await bench.deliver('2026-03-03/bus.jsonl', others.map((id) => line(id, 9).replace('03-02', '03-03')).join(''));
    for (const day of DAYS) await bench.deliver(`${day}/train.jsonl`, '');
    expect(await bench.count()).toEqual([]);
    expect(totalOf(await bench.allCells())).toBe(K);
    expect(await bench.reasons()).toEqual(others.map(() => 'card-missing'));
  });

  it('@contract C2: any split into objects and any order of the rows give the same cells', async () => {
    const row = fc
      .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('bus', 'train'), fc.constantFrom(...DAYS), fc.nat(3))
      .map(([card, mode, day, hour]) => `${card},${mode},${day} 0${hour}:05,2000,${day} 0${hour}:50,Central`);
    const split = fc
      .array(fc.record({ row, first: fc.nat(2), second: fc.nat(2), order: fc.nat() }), { minLength: 6, maxLength: 16 })
      .filter((rows) => rows.length > 0);
    const cells = async (rows: readonly { row: string; place: number }[], unit: string): Promise<string[]> => {
      bench = await open(unit, { source: { ...SOURCE, pattern: 'part-*.csv' } });
      for (const place of [0, 1, 2]) {
        const lines = rows.filter((one) => one.place === place).map((one) => `${one.row}\n`);
        // The last column makes the bytes of the objects differ: equal objects are one delivery.
        await bench.deliver(
          `part-${place}.csv`,
          `${HEAD.trimEnd()},part${place}\n${lines.map((line) => line.replace('\n', ',x\n')).join('')}`,
        );
      }
      expect(await bench.count()).toEqual([]);
      const found = await bench.allCells();
      await bench.close();
      return found;
    };
    await fc.assert(
      fc.asyncProperty(split, fc.constantFrom('card-day', 'card-window'), async (rows, unit) => {
        const shuffled = [...rows].sort((a, b) => a.order - b.order);
        const one = await cells(
          rows.map(({ row, first }) => ({ row, place: first })),
          unit,
        );
        expect(
          await cells(
            shuffled.map(({ row, second }) => ({ row, place: second })),
            unit,
          ),
        ).toEqual(one);
      }),
      { seed: 42, numRuns: 5 },
    );
  });

  it('@contract safe-to-retry: what is counted again after a stop in the middle is of the same choice', async () => {
    bench = await open('card-window');
    const [bus, train] = [trips('a', 'bus', DAYS[0]!, 4), trips('a', 'train', DAYS[1]!, 4)];
    await deliver({ '2026-03-02/bus.csv': bus, '2026-03-03/train.csv': train });
    await bench.count();
    const before = await bench.allCells();
    await bench.withdrawPrivate(PRIVATE_KEYS.cells(bench.run(), 0, { part: 'train', day: DAYS[1]! }));
    expect(await bench.bin()).toEqual({ faults: [] });
    expect(await bench.allCells()).toEqual(before);
    await bench.withdrawPrivate(PRIVATE_KEYS.cells(bench.run(), 0, { part: 'bus', day: DAYS[0]! }));
    expect(await bench.bin([{ part: 'bus', day: DAYS[0]! }])).toEqual({ faults: [] });
    expect(await bench.allCells()).toEqual(before);
  });

  it('keeps the key over versions and rounds, and changes it with the window', async () => {
    bench = await open('card-window');
    const limits = { folder: 'x', memoryMiB: 1 };
    const key = (run: Partial<Run>) => cardBound(bench.series, { ...bench.run(), ...run }, limits)?.key;
    expect(key({ version: 2 })).toBe(key({}));
    expect(key({ window: '2026-03-09' })).not.toBe(key({}));
  });

  it('refuses a card unit without maxTaps', async () => {
    await expect(open('card-day', { maxTaps: undefined })).rejects.toMatchObject({ code: 'CERTIFICATE_IMPOSSIBLE' });
  });
});

describe('faults under card units', () => {
  const again = (round: number, named: Partition[]) =>
    reingest(bench.context, { ...bench.run(), round, partitions: named });

  it.each([
    ['card-window', 'train', partitions(...DAYS)],
    ['card-day', 'train', partitions(...DAYS)],
  ])('@contract C2: a missing object holds back every partition of its scopes (%s)', async (unit, mode, held) => {
    bench = await open(unit);
    await deliver({ '2026-03-02/bus.csv': trips('a', 'bus', DAYS[0]!, 1) });
    await bench.withdraw(`2026-03-02/${mode}.csv`);
    const fault = { object: `2026-03-02/${mode}.csv`, code: 'OBJECT_MISSING', partitions: held };
    expect(await bench.ingest()).toEqual({ faults: [fault] });
    expect(await bench.bin()).toEqual({ faults: [fault] });
    expect(await bench.allCells()).toEqual([]);
  });

  it('@contract C2: card-day: the other days are finished, and so is what is retried', async () => {
    bench = await open('card-day');
    await deliver({ '2026-03-02/bus.csv': trips('a', 'bus', DAYS[0]!, 1), '2026-03-03/bus.csv': 'x' });
    await bench.deliver('2026-03-03/train.csv', 'card,on_time\n1,2\n');
    const faults = [{ object: '2026-03-03/train.csv', code: 'OBJECT_SCHEMA', partitions: partitions(DAYS[1]!) }];
    expect(await bench.count()).toMatchObject(faults);
    expect(totalOf(await bench.allCells())).toBe(2);
    await bench.deliver('2026-03-03/train.csv', HEAD + trips('a', 'train', DAYS[1]!, 1));
    expect(await again(1, partitions(DAYS[1]!))).toEqual({ faults: [] });
    expect(await bench.bin(partitions(DAYS[1]!), 1)).toEqual({ faults: [] });
    expect(await bench.cells('train', DAYS[1]!, 1)).toHaveLength(2);
  });

  it('@contract C2: a fault that shows on a retry holds back the partitions of the scope that have cells, too', async () => {
    bench = await open('card-window');
    await deliver({ '2026-03-02/bus.csv': trips('a', 'bus', DAYS[0]!, 1) });
    await bench.count();
    await bench.withdrawPrivate(PRIVATE_KEYS.cells(bench.run(), 0, { part: 'train', day: DAYS[1]! }));
    await bench.loseScratch();
    await bench.deliver('2026-03-02/bus.csv', HEAD + trips('a', 'bus', DAYS[0]!, 2));
    const { faults } = await bench.bin();
    expect(faults).toEqual([{ object: '2026-03-02/bus.csv', code: 'OBJECT_CHANGED', partitions: partitions(...DAYS) }]);
  });

  it('@contract C2: an object that has changed is refused when any partition of its scope is drawn', async () => {
    bench = await open('card-window');
    await deliver({});
    await bench.ingest();
    const drawn = PRIVATE_KEYS.draw(bench.run(), { part: 'train', day: DAYS[0]! });
    await bench.context.privateStore.putIfAbsent(drawn, Buffer.from('{}'));
    await bench.deliver('2026-03-03/bus.csv', HEAD + trips('a', 'bus', DAYS[1]!, 1));
    await expect(again(1, partitions(DAYS[1]!))).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
  });
});

describe('ingest, bin and privatize under card units', () => {
  it.each(['card-day', 'card-window'])('@contract C2 %s: numbers of left-out taps, each card clamped', async (unit) => {
    bench = await open(unit, { maxTaps: 1, clamp: 4, publish: 'on', modes: ['bus', 'train'] });
    const busy = (mode: string, day: string): string =>
      Array.from({ length: 200 }, (_, card) => trips(`${card}`, mode, day, 6)).join('');
    const objects = partitions(...DAYS).map(({ part: mode, day }) => [`${day}/${mode}.csv`, busy(mode, day)] as const);
    await deliver(Object.fromEntries(objects));
    expect(await bench.count()).toEqual([]);
    const found: number[] = [];
    for (const partition of bench.partitions) {
      await privatize(bench.context, { ...bench.run(), round: 0, partitions: [partition], charge: 'c' });
      const bytes = await readBytes(bench.context.releaseStore, RELEASE_KEYS.privatized(bench.run(), partition));
      const { leftOut } = privatizedTableSchema.parse(JSON.parse(bytes.toString('utf8')));
      expect(leftOut).toHaveLength(1);
      found.push(leftOut![0]!);
    }
    // Of each card and scope one tap is counted, and of the others four.
    const exact = 200 * 4 * (unit === 'card-day' ? DAYS.length : 1);
    // Scale 8·2: of four numbers a noise beyond 500 together has a probability below e^-28.
    expect(Math.abs(found.reduce((sum, one) => sum + one, 0) - exact)).toBeLessThan(500);
    expect(Math.min(...found)).toBeGreaterThan(0);
  });

  it('@contract C11 the draw record holds left-out taps: cells that do not name them are refused', async () => {
    bench = await open('card-day', { clamp: 4 });
    await deliver({});
    await bench.count();
    const partition = { part: 'bus', day: DAYS[0]! };
    const key = PRIVATE_KEYS.cells(bench.run(), 0, partition);
    const { privateStore } = bench.context;
    const stored = JSON.parse((await readBytes(privateStore, key)).toString('utf8'));
    await bench.withdrawPrivate(key);
    await privateStore.putIfAbsent(key, jsonBytes({ ...stored, leftOut: null }));
    const drawing = privatize(bench.context, { ...bench.run(), round: 0, partitions: [partition], charge: 'c' });
    await expect(drawing).rejects.toThrow('do not say what the bound left out');
  });

  it.each(['card-day', 'card-window'])(
    '%s: publishes counts near the bounded ones, under its certificate',
    async (unit) => {
      bench = await open(unit, { maxTaps: 1, publish: 'on', modes: ['bus', 'train'] });
      const crowd = (mode: string, day: string): string =>
        Array.from({ length: 400 }, (_, card) => `${card},${mode},${day} 08:00,2000,,\n`).join('');
      const objects = partitions(...DAYS).map(
        ({ part: mode, day }) => [`${day}/${mode}.csv`, crowd(mode, day)] as const,
      );
      await deliver(Object.fromEntries(objects));
      expect(await bench.count()).toEqual([]);
      const bounded = await bench.allCells();
      expect(totalOf(bounded)).toBe(unit === 'card-day' ? 800 : 400);

      const { threshold, d1 } = certify(bench.series.privacy);
      expect(d1).toBe(2);
      for (const partition of bench.partitions) {
        await privatize(bench.context, { ...bench.run(), round: 0, partitions: [partition], charge: 'c' });
        const table = await bench.context.releaseStore.get(RELEASE_KEYS.privatized(bench.run(), partition));
        const chunks: Buffer[] = [];
        for await (const chunk of table.stream) chunks.push(Buffer.from(chunk));
        const { cells } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        const [[, , , exact]] = (await bench.cells(partition.part, partition.day)) as [
          [string, string, string, number],
        ];
        expect(cells.counts).toHaveLength(1);
        const published = Number(cells.counts[0]);
        expect(published).toBeGreaterThanOrEqual(threshold ?? 0);
        // Scale 1/4: a noise beyond 20 has a probability below e^-79.
        expect(Math.abs(published - exact)).toBeLessThan(20);
      }
    },
  );
});
