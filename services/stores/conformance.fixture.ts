import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ObjectBody, ObjectFacts, ObjectStore } from '../../contracts/object-store.ts';
import { type MutableObject, readMutable, swapMutable } from './mutable-json.ts';

/** A fresh, empty store, and what the suite needs to know of it beside the interface. */
export type StoreUnderTest = {
  store: ObjectStore;
  /** The same store, opened once more, as another process would. */
  again(): ObjectStore;
  /** Names of what unfinished writes have left: temporary files, open uploads. */
  litter(): Promise<string[]>;
};

const WRITERS = 20;
const ROUNDS = 20;
const MIB = 2 ** 20;

/** MiB of an object, and of what resident memory may grow by while it passes: a store that held it would need more. */
export type LargeObject = { mebibytes: number; growth: number };

/** What every run of the tests tries; 1 GB is the claim of large-object.soak.test.ts. */
const LARGE: LargeObject = { mebibytes: 256, growth: 192 };

/** `count` chunks of 1 MiB, each filled with a number of its own; made while they are read. */
export const megabytes = (count: number): Readable =>
  Readable.from(
    (function* () {
      for (let index = 0; index < count; index++) yield Buffer.alloc(MIB, index % 251);
    })(),
  );

/** Lets writers put their numbers at one key; how many learned that they won, and whose bytes are there. */
export async function racePut(stores: ObjectStore[], key: string): Promise<{ winners: number[]; stored: string }> {
  const outcomes = await Promise.all(stores.map((store, writer) => store.putIfAbsent(key, Buffer.from(`${writer}`))));
  const winners = [...outcomes.keys()].filter((writer) => outcomes[writer] === 'created');
  return { winners, stored: await textOf(stores[0]!, key) };
}

const textOf = async (store: ObjectStore, key: string) =>
  (await buffer((await store.get(key)).stream)).toString('utf8');

/** All objects below a prefix. */
export async function list(store: ObjectStore, prefix: string): Promise<ObjectFacts[]> {
  const objects: ObjectFacts[] = [];
  for await (const facts of store.list(prefix)) objects.push(facts);
  return objects;
}

/** Runs the tests that every ObjectStore has to pass, on stores that `open` makes. */
export function describeConformance(open: () => Promise<StoreUnderTest>): void {
  test(`put-once: of ${WRITERS} racing writers exactly one wins, in ${ROUNDS} rounds, and its bytes stay`, async () => {
    const { store, again, litter } = await open();
    const stores = Array.from({ length: WRITERS }, (_, index) => (index % 2 === 0 ? store : again()));
    for (let round = 0; round < ROUNDS; round++) {
      const { winners, stored } = await racePut(stores, `race/${round}`);
      expect(winners).toHaveLength(1);
      expect(stored).toBe(`${winners[0]}`);
    }
    expect(await litter()).toEqual([]);
  });

  test(`swap-once: of ${WRITERS} racing writers exactly one swaps, in ${ROUNDS} rounds, and its value stays`, async () => {
    const { store, again, litter } = await open();
    const stores = Array.from({ length: WRITERS }, (_, index) => (index % 2 === 0 ? store : again()));
    let current: MutableObject | null = null;
    for (let round = 1; round <= ROUNDS; round++) {
      const before: MutableObject | null = current;
      const wins = await Promise.all(
        stores.map((each, writer) => swapMutable(each, 'race/pointer', before, { round, writer })),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      current = await readMutable(store, 'race/pointer');
      expect(current).toMatchObject({ generation: round, value: { round, writer: wins.indexOf(true) } });
    }
    expect(await litter()).toEqual([]);
  });

  test(`swap-once: of ${WRITERS} racing writers exactly one swaps a page, in ${ROUNDS} rounds, and its bytes stay`, async () => {
    const { store, again, litter } = await open();
    const stores = Array.from({ length: WRITERS }, (_, index) => (index % 2 === 0 ? store : again()));
    const pageOf = (round: number, writer: number) => Buffer.from(`<p>${round} ${writer}</p>`);
    for (let round = 1; round <= ROUNDS; round++) {
      const before = await store.readPage('race/index.html');
      const wins = await Promise.all(
        stores.map((each, writer) => each.swapPage('race/index.html', before, pageOf(round, writer))),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      expect(await textOf(store, 'race/index.html')).toBe(pageOf(round, wins.indexOf(true)).toString());
    }
    expect(await litter()).toEqual([]);
  });

  test('a page is swapped by who has read it last, and by nobody else', async () => {
    const { store } = await open();
    const page = (text: string) => Buffer.from(text);
    expect(await store.readPage('p/index.html')).toBeNull();
    expect(await store.swapPage('p/index.html', null, page('one'))).toBe(true);
    expect(await store.swapPage('p/index.html', null, page('again'))).toBe(false);
    const first = await store.readPage('p/index.html');
    expect(Buffer.from(first!.bytes).toString()).toBe('one');
    expect(await store.swapPage('p/index.html', first, page('two'))).toBe(true);
    expect(await store.swapPage('p/index.html', first, page('stale'))).toBe(false);
    expect(await textOf(store, 'p/index.html')).toBe('two');
  });

  test('an object is stored from bytes, from a stream of known size and from one of unknown size', async () => {
    const { store, litter } = await open();
    const bodies: Record<string, () => ObjectBody> = {
      'a/bytes': () => Buffer.from('hello'),
      'a/sized': () => ({ stream: Readable.from([Buffer.from('hel'), Buffer.from('lo')]), size: 5 }),
      'a/unsized': () => ({ stream: Readable.from([Buffer.from('hel'), Buffer.from('lo')]) }),
    };
    for (const [key, body] of Object.entries(bodies)) {
      expect(await store.putIfAbsent(key, body())).toBe('created');
      expect(await store.putIfAbsent(key, body())).toBe('exists');
      const { stream, facts } = await store.get(key);
      expect((await buffer(stream)).toString()).toBe('hello');
      expect(facts).toEqual({ key, size: 5, tag: expect.stringMatching(/./) });
      expect(await store.head(key)).toEqual(facts);
    }
    for (const [key, body] of [
      ['empty/bytes', Buffer.alloc(0)],
      ['empty/sized', { stream: Readable.from([]), size: 0 }],
      ['empty/unsized', { stream: Readable.from([]) }],
    ] as const) {
      expect(await store.putIfAbsent(key, body)).toBe('created');
      expect(await store.head(key)).toMatchObject({ size: 0 });
      expect(await textOf(store, key)).toBe('');
    }
    expect(await litter()).toEqual([]);
  });

  test('a range gives the bytes from start to before end, and stops at the end of the object', async () => {
    const { store } = await open();
    await store.putIfAbsent('digits', Buffer.from('0123456789'));
    await store.putIfAbsent('empty', Buffer.alloc(0));
    for (let start = 0; start <= 11; start++) {
      for (let end = start; end <= 12; end++) {
        const { stream, facts } = await store.get('digits', { start, end });
        expect((await buffer(stream)).toString()).toBe('0123456789'.slice(start, end));
        expect(facts).toEqual(await store.head('digits'));
      }
    }
    expect((await buffer((await store.get('empty', { start: 0, end: 4 })).stream)).length).toBe(0);
    for (const range of [
      { start: -1, end: 2 },
      { start: 3, end: 2 },
      { start: 0.5, end: 2 },
    ]) {
      await expect(store.get('digits', range)).rejects.toThrow(RangeError);
    }
  });

  test('what is not there is OBJECT_MISSING to get, and null to head and readMutable', async () => {
    const { store } = await open();
    await store.putIfAbsent('a/b', Buffer.from('x'));
    for (const key of ['absent', 'a', 'a/absent']) {
      await expect(store.get(key)).rejects.toMatchObject({ name: 'OpalineError', code: 'OBJECT_MISSING' });
      await expect(store.get(key, { start: 0, end: 1 })).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
      await expect(store.get(key, { start: 1, end: 1 })).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
      expect(await store.head(key)).toBeNull();
      expect(await readMutable(store, key)).toBeNull();
    }
  });

  test('a swap needs the generation that was read, also when the value has come back to what it was', async () => {
    const { store } = await open();
    const key = 'pointer.json';
    const absent = {
      generation: 1,
      value: {},
      page: { bytes: Buffer.from(''), tag: '"00000000000000000000000000000000"' },
    };
    expect(await swapMutable(store, key, absent, { to: 'x' })).toBe(false);
    expect(await readMutable(store, key)).toBeNull();
    expect(await swapMutable(store, key, null, { to: 'a' })).toBe(true);
    expect(await swapMutable(store, key, null, { to: 'b' })).toBe(false);
    const first = await readMutable(store, key);
    expect(first).toEqual({ generation: 1, value: { to: 'a' }, page: expect.any(Object) });
    for (const to of ['b', 'a']) {
      expect(await swapMutable(store, key, await readMutable(store, key), { to })).toBe(true);
    }
    expect(await swapMutable(store, key, first, { to: 'stale' })).toBe(false);
    expect(await readMutable(store, key)).toMatchObject({ generation: 3, value: { to: 'a' } });
    expect(JSON.parse(await textOf(store, key))).toEqual({ generation: 3, to: 'a' });
    expect(await store.putIfAbsent(key, Buffer.from('x'))).toBe('exists');
  });

  test('a write-once object is not swapped, and does not read as a mutable one', async () => {
    const { store } = await open();
    await store.putIfAbsent('once', Buffer.from('{"to":"a"}'));
    expect(await swapMutable(store, 'once', null, { to: 'b' })).toBe(false);
    expect(await textOf(store, 'once')).toBe('{"to":"a"}');
    await expect(readMutable(store, 'once')).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
  });

  test('a list holds each of 1,100 keys once, in the order of their bytes, with the facts of head', async () => {
    const { store } = await open();
    const odd = ['many-a', 'many.b', 'many/a-b', 'many/a/b', 'many/a/c', 'many/a0', 'many/ä', 'manyz', 'other/x'];
    const keys = [...odd, ...Array.from({ length: 1100 }, (_, index) => `many/n/${index}`)];
    const queue = [...keys];
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
          await store.putIfAbsent(key, Buffer.from(key));
        }
      }),
    );
    const keysBelow = (prefix: string) =>
      keys.filter((key) => key.startsWith(prefix)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const prefix of ['', 'many', 'many/', 'many/n/1', 'many/a', 'other/x', 'absent/']) {
      expect((await list(store, prefix)).map((facts) => facts.key)).toEqual(keysBelow(prefix));
    }
    for (const facts of await list(store, 'many/a')) expect(await store.head(facts.key)).toEqual(facts);
  });

  testLargeObject(open, LARGE);

  test.each(breaks)('a write that is broken off leaves nothing: $name', async ({ breakOff, message }) => {
    const { store, litter } = await open();
    for (const [key, size] of [
      ['sized', 64 * MIB],
      ['unsized', undefined],
    ] as const) {
      const stream = megabytes(64);
      const body = size === undefined ? { stream: breakOff(stream) } : { stream: breakOff(stream), size };
      await expect(store.putIfAbsent(key, body)).rejects.toThrow(message);
      expect(await store.head(key)).toBeNull();
    }
    expect(await list(store, '')).toEqual([]);
    expect(await litter()).toEqual([]);
    expect(await store.putIfAbsent('sized', { stream: megabytes(1), size: MIB })).toBe('created');
  });

  test.each([
    { name: 'fewer', size: 3 * MIB },
    { name: 'more', size: MIB },
  ])('a stream of $name bytes than announced is refused and leaves nothing', async ({ size }) => {
    const { store, litter } = await open();
    await expect(store.putIfAbsent('wrong', { stream: megabytes(2), size })).rejects.toMatchObject({
      code: 'OBJECT_UNREADABLE',
    });
    expect(await store.head('wrong')).toBeNull();
    expect(await litter()).toEqual([]);
  });

  test('readers that leave in the middle do not hold up the store', async () => {
    const { store } = await open();
    await store.putIfAbsent('large', { stream: megabytes(8), size: 8 * MIB });
    for (let reader = 0; reader < 120; reader++) {
      const { stream } = await store.get('large');
      for await (const _chunk of stream) break;
      stream.destroy();
    }
    expect(await checkMegabytes((await store.get('large')).stream)).toBe(8 * MIB);
  });

  test('keys that lead out of the store, or differ between stores, are refused by every operation', async () => {
    const { store } = await open();
    const bad = [
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/..',
      '.hidden',
      'a/.b',
      'a\\b',
      'a\nb',
      'a\0',
    ];
    for (const key of [...bad, 'x'.repeat(256), 'x/'.repeat(600)]) {
      const refusal = { code: 'CONFIGURATION_INVALID' };
      await expect(store.get(key)).rejects.toMatchObject(refusal);
      await expect(store.head(key)).rejects.toMatchObject(refusal);
      await expect(store.putIfAbsent(key, Buffer.from('x'))).rejects.toMatchObject(refusal);
      await expect(readMutable(store, key)).rejects.toMatchObject(refusal);
      await expect(swapMutable(store, key, null, {})).rejects.toMatchObject(refusal);
    }
    expect(await list(store, '')).toEqual([]);
    expect(await list(store, '../')).toEqual([]);
  });
}

/** Puts an object of `mebibytes` MiB into a store and reads it again; the process does not grow by its size meanwhile. */
export function testLargeObject(open: () => Promise<StoreUnderTest>, { mebibytes, growth }: LargeObject): void {
  test(`${mebibytes} MiB go in and out, and the process grows by less than ${growth}`, async () => {
    const { store, litter } = await open();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 10);
    try {
      const body = { stream: megabytes(mebibytes), size: mebibytes * MIB };
      expect(await store.putIfAbsent('large', body)).toBe('created');
      expect(await store.putIfAbsent('unsized', { stream: megabytes(64) })).toBe('created');
      expect(await checkMegabytes((await store.get('large')).stream)).toBe(mebibytes * MIB);
      expect(await checkMegabytes((await store.get('unsized')).stream)).toBe(64 * MIB);
      expect(await store.putIfAbsent('large', { stream: megabytes(64) })).toBe('exists');
    } finally {
      clearInterval(watch);
    }
    expect(peak - before).toBeLessThan(growth * MIB);
    expect(await litter()).toEqual([]);
  });
}

/** Ways in which the source of a write can end before its time, after some of it was read. */
const breaks: { name: string; message: string; breakOff(stream: Readable): Readable }[] = [
  {
    name: 'the source fails',
    message: 'the source broke',
    breakOff: (stream) => afterSome(stream, () => stream.destroy(new Error('the source broke'))),
  },
  {
    name: 'the source is destroyed without an error',
    message: 'Premature close',
    breakOff: (stream) => afterSome(stream, () => stream.destroy()),
  },
  {
    name: 'an AbortSignal fires',
    message: 'aborted',
    breakOff(stream) {
      const controller = new AbortController();
      return afterSome(addAbortSignal(controller.signal, stream), () => controller.abort());
    },
  },
];

function afterSome(stream: Readable, action: () => void): Readable {
  const read = stream.read.bind(stream);
  let chunks = 0;
  stream.read = (size?: number) => {
    const chunk = read(size);
    if (chunk !== null && ++chunks === 20) setImmediate(action);
    return chunk;
  };
  return stream;
}

/** The length of a stream that megabytes() made; throws when a byte at the edge of a piece is another. */
async function checkMegabytes(stream: Readable): Promise<number> {
  let position = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (const offset of [0, chunk.length - 1]) {
      if (chunk[offset] !== Math.floor((position + offset) / MIB) % 251) throw new Error('a byte has changed');
    }
    position += chunk.length;
  }
  return position;
}
