import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import { readInventory } from '../../custodian/source/inventory.ts';
import { type SeriesChange, StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { reingest } from './reingest.ts';

let bench: StageBench;
const HEAD = 'on_time,on_location,off_time,off_location\n';
const row = (day: string, hour = '08'): string => `${HEAD}${day} ${hour}:00,2000,,\n`;
const WINDOW = ['2026-03-02', '2026-03-03', '2026-03-04'];

/** Three days of buses; the overlap day's object too. */
const open = async (change: SeriesChange = {}): Promise<StageBench> => {
  bench = await StageBench.open({ modes: ['bus'], days: 3, ...change });
  for (const day of ['2026-03-01', ...WINDOW]) await bench.deliver(`${day}/bus.csv`, row(day));
  return bench;
};
const bus = (...days: string[]): Partition[] => days.map((day) => ({ part: 'bus', day }));
const again = (round: number, partitions: Partition[]) =>
  reingest(bench.context, { ...bench.run(), round, partitions });
const drawn = (day: string) =>
  bench.context.privateStore.putIfAbsent(PRIVATE_KEYS.draw(bench.run(), { part: 'bus', day }), Buffer.from('{}'));

describe('ingest', () => {
  it('pins key, size and digest of the stored bytes, the overlap day too, and leaves other days alone', async () => {
    await open();
    await bench.deliver('2026-03-05/bus.csv', row('2026-03-05'));
    await bench.deliver('2026-03-02/ferry.csv', HEAD);
    expect(await bench.ingest()).toEqual({ faults: [] });
    const { objects } = await readInventory(bench.context, bench.run(), 0);
    expect(objects.map(({ key }) => key)).toEqual(['2026-03-01', ...WINDOW].map((day) => `${day}/bus.csv`));
    expect(objects[1]).toMatchObject({ size: row(WINDOW[0]!).length, sha256: sha256(row(WINDOW[0]!)) });
    const copies = await readdir(`${bench.context.scratch}/objects`, { recursive: true });
    expect(copies.flatMap((path) => path.split('/').slice(1)).sort()).toEqual(objects.map((pin) => pin.sha256).sort());
  });

  it('answers with names, codes and partitions only, and keeps the inventory on the custodian side', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    expect(await bench.ingest()).toEqual({
      faults: [{ object: '2026-03-03/bus.csv', code: 'OBJECT_MISSING', partitions: bus('2026-03-03', '2026-03-04') }],
    });
    expect(await bench.releaseStoreText()).not.toContain(sha256(row('2026-03-02')));
  });

  it('takes a missing overlap object as the start of the series', async () => {
    await open();
    await bench.withdraw('2026-03-01/bus.csv');
    expect(await bench.ingest()).toEqual({ faults: [] });
  });

  it.each([
    ['truncated', (whole: Buffer) => whole.subarray(0, -9)],
    ['corrupt', (whole: Buffer) => Buffer.concat([whole.subarray(0, -6), Buffer.alloc(6, 1)])],
    ['followed by garbage', (whole: Buffer) => Buffer.concat([whole, Buffer.from('garbage')])],
    ['no gzip', () => Buffer.from(HEAD)],
    ['empty', () => Buffer.alloc(0)],
  ])('@contract C6: gzip that is %s is a fault of the partitions that it may feed', async (_, damage) => {
    bench = await StageBench.open({ modes: ['bus'], days: 3, source: { compression: 'gzip' } });
    for (const day of WINDOW) await bench.deliver(`${day}/bus.csv`, gzipSync(row(day)));
    await bench.deliver('2026-03-03/bus.csv', damage(gzipSync(row('2026-03-03'))));
    const fault = {
      object: '2026-03-03/bus.csv',
      code: 'OBJECT_UNREADABLE',
      partitions: bus('2026-03-03', '2026-03-04'),
    };
    expect(await bench.ingest()).toEqual({ faults: [fault] });
    expect(await bench.bin()).toEqual({ faults: [fault] });
    expect(await bench.cells('bus', '2026-03-02')).toHaveLength(1);
  });

  it('tells of an object that ends as the pattern does and does not fit it, and is stopped by none; leaves marker files alone', async () => {
    await open();
    await bench.deliver('2026-03-02/_SUCCESS', '');
    expect(await bench.ingest()).toEqual({ faults: [] });
    await bench.close();
    await open();
    await bench.deliver('2026-3-2/bus.csv', HEAD);
    expect((await bench.ingest()).faults).toEqual([
      { object: '2026-3-2/bus.csv', code: 'OBJECT_UNEXPECTED', partitions: [] },
    ]);
    expect(await bench.bin()).toEqual({ faults: [] });
  });

  it('names a group of objects of which there is none', async () => {
    await open({ source: { pattern: '{date}/*.csv' } });
    await bench.withdraw('2026-03-03/bus.csv');
    expect((await bench.ingest()).faults).toMatchObject([{ object: '2026-03-03/*.csv', code: 'OBJECT_MISSING' }]);
  });

  it('@contract safe-to-retry: a second ingest answers from the stored inventory, whatever the source holds now', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    const first = await bench.ingest();
    await bench.deliver('2026-03-03/bus.csv', row('2026-03-03'));
    expect(await bench.ingest()).toEqual(first);
  });

  it('stops with a retryable code when the store breaks off', async () => {
    await open();
    const store = bench.context.sourceStore('source');
    const broken = Object.assign(Object.create(store), {
      list: store.list.bind(store),
      get: async (key: string) => {
        const { stream, facts } = await store.get(key);
        return { stream, facts: { ...facts, size: facts.size + 1 } };
      },
    });
    Object.assign(bench.context, { sourceStore: () => broken });
    await expect(bench.ingest()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

describe('reingest', () => {
  it('pins a repaired object and keeps the other pins', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    await bench.ingest();
    await drawn('2026-03-02');
    await bench.deliver('2026-03-03/bus.csv', row('2026-03-03', '09'));
    expect(await again(1, bus('2026-03-03', '2026-03-04'))).toEqual({ faults: [] });
    const [before, after] = [
      await readInventory(bench.context, bench.run(), 0),
      await readInventory(bench.context, bench.run(), 1),
    ];
    expect(after.objects.filter(({ key }) => !key.startsWith('2026-03-03'))).toEqual(before.objects);
    expect(await bench.bin(bus('2026-03-03', '2026-03-04'), 1)).toEqual({ faults: [] });
    expect(await bench.cells('bus', '2026-03-03', 1)).toEqual([['on', '09:00', '2000', 1]]);
  });

  it('names again what is still at fault', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    const { faults } = await bench.ingest();
    expect(await again(1, bus('2026-03-03'))).toEqual({ faults });
  });

  it('keeps the faults of partitions that nobody retries', async () => {
    await open();
    await bench.withdraw('2026-03-02/bus.csv');
    await bench.withdraw('2026-03-04/bus.csv');
    await bench.ingest();
    await bench.deliver('2026-03-04/bus.csv', row('2026-03-04'));
    const { faults } = await again(1, bus('2026-03-04'));
    expect(faults.map(({ object }) => object)).toEqual(['2026-03-02/bus.csv']);
  });

  it('@contract C11: refuses an object that has changed and may feed a drawn partition', async () => {
    await open();
    await bench.ingest();
    await drawn('2026-03-02');
    await bench.deliver('2026-03-02/bus.csv', row('2026-03-02', '10'));
    await expect(again(1, bus('2026-03-03'))).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
  });

  it('@contract C11: refuses when an object of a drawn partition is gone, or a new one may feed it', async () => {
    await open({ source: { pattern: '{date}/*.csv' } });
    await bench.ingest();
    await drawn('2026-03-02');
    await bench.deliver('2026-03-02/more.csv', row('2026-03-02', '10'));
    await expect(again(1, bus('2026-03-03'))).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
    await bench.withdraw('2026-03-02/more.csv');
    await bench.withdraw('2026-03-02/bus.csv');
    await expect(again(1, bus('2026-03-03'))).rejects.toMatchObject({ code: 'NEEDS_CORRECTION' });
  });

  it('takes an object with another tag and the same bytes as unchanged, and does not look at those of drawn days', async () => {
    await open();
    await bench.ingest();
    await drawn('2026-03-02');
    await bench.deliver('2026-03-02/bus.csv', row('2026-03-02'));
    await bench.deliver('2026-03-01/bus.csv', row('2026-03-01', '11'));
    expect(await again(1, bus('2026-03-03'))).toEqual({ faults: [] });
  });

  it('@contract safe-to-retry: a second reingest answers from the stored inventory of its round', async () => {
    await open();
    await bench.withdraw('2026-03-03/bus.csv');
    await bench.ingest();
    const first = await again(1, bus('2026-03-03'));
    await bench.deliver('2026-03-03/bus.csv', row('2026-03-03'));
    expect(await again(1, bus('2026-03-03'))).toEqual(first);
  });
});
