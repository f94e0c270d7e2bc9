import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { list, racePut } from './conformance.fixture.ts';
import { readBytesIfPresent } from './json-objects.ts';
import { MemoryStore } from './memory-store.ts';
import { readMutable, swapMutable } from './mutable-json.ts';

test('put-once: of many writers one wins, and its bytes stay', async () => {
  const store = new MemoryStore();
  const { winners, stored } = await racePut(Array(20).fill(store), 'race/1');
  expect(winners.map(String)).toEqual([stored]);
  expect(await store.putIfAbsent('race/1', { stream: Readable.from([Buffer.from('late')]) })).toBe('exists');
  expect(String(await readBytesIfPresent(store, 'race/1'))).toBe(stored);
});

test('bytes, ranges, facts and lists are those that were put, and a change of the caller’s bytes changes none', async () => {
  const store = new MemoryStore();
  const bytes = Buffer.from('0123456789');
  await store.putIfAbsent('b/2', bytes);
  await store.putIfAbsent('b/1', Buffer.from('other'));
  await store.putIfAbsent('a', Buffer.from(''));
  bytes.fill('x');
  expect(String(await buffer((await store.get('b/2', { start: 2, end: 5 })).stream))).toBe('234');
  expect((await list(store, 'b/')).map(({ key, size }) => [key, size])).toEqual([
    ['b/1', 5],
    ['b/2', 10],
  ]);
  expect(await store.head('b/2')).toEqual((await store.get('b/2')).facts);
  expect([await store.head('c'), await readBytesIfPresent(store, 'c')]).toEqual([null, null]);
});

test('swap-once: a second writer of one generation loses', async () => {
  const store = new MemoryStore();
  expect(await swapMutable(store, 'm', null, { a: 1 })).toBe(true);
  expect(await swapMutable(store, 'm', null, { a: 2 })).toBe(false);
  const first = await readMutable(store, 'm');
  expect(first).toMatchObject({ generation: 1, value: { a: 1 } });
  expect(await swapMutable(store, 'm', first, { a: 3 })).toBe(true);
  expect(await swapMutable(store, 'm', first, { a: 4 })).toBe(false);
  expect((await readMutable(store, 'm'))?.value).toEqual({ a: 3 });
});
