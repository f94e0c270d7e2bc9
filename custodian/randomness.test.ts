import { randomFillSync } from 'node:crypto';
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { privatize } from '../activities/private/privatize.ts';
import { shadow } from '../activities/private/shadow.ts';
import { OpalineError } from '../contracts/errors.ts';
import { PRIVATE_KEYS } from '../contracts/names.ts';
import type { RandomSource } from '../core/random/random-source.ts';
import { readBytes } from '../services/stores/json-objects.ts';
import { seededSource } from '../test/support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../test/support/small-series.ts';
import type { PrivateKind } from './private-context.ts';
import { operatingSystemRandom, poolRandom, requireProductionRandom, withEmptyPool } from './randomness.ts';

/** A pool whose every fetched word is one more than the word before. */
function countingPool(processId: () => number) {
  let counter = 0;
  const buffers = new Set<Uint32Array | Uint16Array>();
  const source = poolRandom((words) => {
    buffers.add(words);
    for (let place = 0; place < words.length; place++) words[place] = ++counter;
  }, processId);
  return { source, pool: () => [...buffers][0]!, fetched: () => counter };
}

/** Words that a source hands out more than once. */
function repeated(words: number[]): number {
  return words.length - new Set(words).size;
}

test('C7: a production worker refuses a seeded source, and one that only claims to be the operating system', () => {
  const own = operatingSystemRandom();
  expect(requireProductionRandom(own)).toBe(own);
  const lookAlike: RandomSource = { ...seededSource(1), kind: 'operating-system' };
  for (const source of [seededSource(1), lookAlike, { ...own }, poolRandom(randomFillSync, () => 1)]) {
    const attempt = () => requireProductionRandom(source);
    expect(attempt).toThrow(OpalineError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'RANDOMNESS_REFUSED' }));
  }
});

test('C7: no word of the pool is handed out twice, and it is filled again when it is used up', () => {
  const { source, fetched } = countingPool(() => 1);
  const words = Array.from({ length: 10_000 }, () => source.uint32());
  expect(repeated(words)).toBe(0);
  expect(words).toEqual(Array.from({ length: 10_000 }, (_, place) => place + 1));
  expect(fetched()).toBeGreaterThanOrEqual(10_000);
});

test('C7: words are cleared as they are handed out', () => {
  const { source, pool } = countingPool(() => 1);
  const words = Array.from({ length: 100 }, () => source.uint32());
  expect([...pool().subarray(0, 100)]).toEqual(words.map(() => 0));
  expect(pool()[100]).toBe(101);
});

test('C7: a copy of the process does not hand out the words that its parent holds', () => {
  let id = 1;
  const { source, pool } = countingPool(() => id);
  source.uint32();
  const heldByParent = new Set(pool().subarray(1));
  id = 2;
  const inChild = Array.from({ length: 100 }, () => source.uint32());
  expect(inChild.filter((word) => heldByParent.has(word))).toEqual([]);
});

test('C7: a stage that draws asks anew: what the worker held when its machine was cloned is not used', () => {
  const own = operatingSystemRandom();
  own.uint32();
  // Two clones of the machine, each with the pool of `own`, would give the same words from it.
  const stages = [own, own].map((random) => withEmptyPool({ random }).random);
  for (const stage of stages) {
    expect(stage).not.toBe(own);
    expect(requireProductionRandom(stage)).toBe(stage);
  }
  const [here, clone] = stages.map((stage) => Array.from({ length: 2000 }, () => stage.uint32()));
  expect(repeated([...here!, ...clone!])).toBeLessThan(4);
  const seeded = seededSource(1);
  expect(withEmptyPool({ random: seeded }).random).toBe(seeded);
});

test('C7: draws and shadow runs ask the kernel again, and take nothing that the worker held', async () => {
  const random = operatingSystemRandom();
  const release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
  const context = { ...release.contexts().private, random };
  const { charge } = await release.through('bin', context);
  const held = (): never => {
    throw new Error('the words of the worker were used');
  };
  Object.assign(random, { uint32: held, fill: held });
  const [partition] = release.partitions;
  const [table] = await privatize(context, { ...release.run(), round: 0, partitions: [partition!], charge });
  expect(table!.partition).toEqual(partition);
  const taps: PrivateKind = {
    ...context.kinds.taps!,
    shadow: async (world) => ({ words: [world.context.random.uint32()] }),
  };
  await shadow({ ...context, kinds: { taps } }, release.run());
  const tallies = await readBytes(context.privateStore, PRIVATE_KEYS.shadow(release.run(), context.build));
  expect(JSON.parse(tallies.toString())).toHaveProperty('words');
});

test('C7: a kernel that gives a few bytes at a time is asked until every place is filled', () => {
  const { readSync } = fs;
  const few = (device: number, bytes: Uint8Array, from: number, length: number): number =>
    readSync(device, bytes, from, Math.min(length, 7), null);
  const read = vi.spyOn(fs, 'readSync').mockImplementation(few as typeof fs.readSync);
  const source = operatingSystemRandom();
  const words = Array.from({ length: 5000 }, () => source.uint32());
  const filled = new Uint32Array(5000);
  source.fill(new Uint16Array(filled.buffer));
  expect(read.mock.calls.length).toBeGreaterThan(4000);
  read.mockRestore();
  // 10,000 words: 0.012 repeats on average, zeros among them.
  expect(repeated([...words, ...filled])).toBeLessThan(4);
});

test('C7: bits come from the device of the kernel, and from no file in its place', () => {
  const read = vi.spyOn(fs, 'openSync');
  operatingSystemRandom().uint32();
  expect(read.mock.calls).toEqual([['/dev/urandom', 'r']]);
  const file = fs.openSync(import.meta.filename, 'r');
  read.mockImplementation(() => file);
  expect(() => operatingSystemRandom().uint32()).toThrow(expect.objectContaining({ code: 'RANDOMNESS_REFUSED' }));
  read.mockRestore();
});

test('broken twins of the pool are caught: one that does not move on, and one that outlives its process', () => {
  const pool = Uint32Array.from({ length: 4 }, (_, place) => place + 1);
  expect(repeated([pool[0]!, pool[0]!])).toBe(1);
  // Without the process id the second process goes on in the pool of the first.
  const { source, pool: words } = countingPool(() => 1);
  source.uint32();
  const heldByParent = new Set(words().subarray(1));
  expect(heldByParent.has(source.uint32())).toBe(true);
});

test('C7: two sources of one process, and a worker thread, have nothing in common', async () => {
  const here = Array.from({ length: 2000 }, (_, place) => place).map(() => 0);
  const [one, other] = [operatingSystemRandom(), operatingSystemRandom()];
  const words = [...here.map(() => one.uint32()), ...here.map(() => other.uint32())];
  const module = new URL('./randomness.ts', import.meta.url).href;
  const worker = new Worker(
    `import(${JSON.stringify(module)}).then(({ operatingSystemRandom }) => {
      const source = operatingSystemRandom();
      require('node:worker_threads').parentPort.postMessage(Array.from({ length: 2000 }, () => source.uint32()));
    });`,
    { eval: true },
  );
  const there = await new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  // 6,000 honest words hold 0.004 repeats on average; a shared pool would give 2,000. False alarm: 1e-9 at most.
  expect(repeated([...words, ...there])).toBeLessThan(4);
});

test('C7: fill asks the operating system anew each time and fills every place', () => {
  const source = operatingSystemRandom();
  const [first, second] = [new Uint32Array(5000), new Uint32Array(5000)];
  // Two places are looked at together: of 16 bits many would be alike by chance.
  for (const words of [first, second]) source.fill(new Uint16Array(words.buffer));
  // 10,000 words: 0.012 repeats and zeros on average.
  expect(repeated([...first, ...second])).toBeLessThan(4);
  expect(first.filter((word) => word === 0).length).toBeLessThan(4);
});
