import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import { privateTaps } from '../../kinds/taps/private/private-kind.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readBytes, readBytesIfPresent, readJson, sha256 } from '../../services/stores/json-objects.ts';
import { newFolder } from '../support/new-folder.ts';
import { numberedId, ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import {
  loadSmallSeries,
  openSmallRelease,
  SMALL_WINDOW,
  withMargins,
  writeSmallTrips,
} from '../support/small-series.ts';
import { ordered } from '../support/test-custody.ts';
import type { Done, Order, Start } from './draw-once.child.ts';

const ENTRY = fileURLToPath(new URL('./draw-once.child.ts', import.meta.url));
const ROUNDS = 20;

/** A release with its cells counted and nothing charged or drawn: where every test begins. */
let counted: ReleaseBench;
const copies: ReleaseBench[] = [];
/** One partition is enough: the writes of another are the same. */
const partitionsOf = (release: ReleaseBench) => release.partitions.slice(0, 1);

beforeAll(async () => {
  const edit = (yaml: string) => withMargins(yaml).replace('block: { epsilon: 100', 'block: { epsilon: 10000');
  counted = await openSmallRelease(await loadSmallSeries(edit));
  await writeSmallTrips(counted.folder('source'));
  const { private: context } = counted.contexts({ random: seededSource(1), newId: () => numberedId(1) });
  const { ingest } = createPrivateActivities(context);
  await ingest({ ...counted.run(), round: 0 });
  // The kind itself counts, without the custody that asks for a charge first.
  const input = { ...counted.run(), round: 0, partitions: counted.partitions };
  await privateTaps.bin(context, input, counted.loaded.series);
});
afterAll(async () => {
  for (const release of [counted, ...copies]) await release.close();
});

async function copyOfCounted(): Promise<ReleaseBench> {
  const root = newFolder();
  for (const name of ['private', 'release', 'publication'])
    await cp(join(counted.root, name), join(root, name), { recursive: true });
  const release = new ReleaseBench(root, counted.loaded, SMALL_WINDOW);
  copies.push(release);
  return release;
}

/** A worker process that is ready. */
async function startWorker(release: ReleaseBench, broken: Start['broken'] = null): Promise<ChildProcess> {
  const child = fork(ENTRY, [], { execArgv: [] });
  await acquaint(child, release, broken);
  return child;
}

/** Gives a worker process a release of stores that it has never met. */
async function acquaint(child: ChildProcess, release: ReleaseBench, broken: Start['broken'] = null): Promise<void> {
  child.send({ root: release.root, loaded: release.loaded, broken } satisfies Start);
  await once(child, 'message');
}

/** What the worker says when it is done, or null when it was killed before. */
async function give(child: ChildProcess, order: Order): Promise<Done | null> {
  const settled = new AbortController();
  const { signal } = settled;
  child.send(order);
  const answer = await Promise.race([
    once(child, 'message', { signal }).then(([done]) => done as Done),
    once(child, 'exit', { signal }).then(() => null),
  ]);
  settled.abort();
  return answer;
}

async function oneProcess(
  release: ReleaseBench,
  kill: Extract<Order, { kind: 'release' }>['kill'],
  broken: Start['broken'] = null,
): Promise<Done | null> {
  const child = await startWorker(release, broken);
  const ended = once(child, 'exit');
  const done = await give(child, { kind: 'release', partitions: partitionsOf(release), kill });
  if (done) child.disconnect();
  const [, signal] = await ended;
  expect(signal).toBe(done ? null : 'SIGKILL');
  return done;
}

/** What anyone who reads the release store can see of the draws. */
const visible = (release: ReleaseBench): Promise<(string | null)[]> =>
  Promise.all(
    partitionsOf(release).map(async (partition) => {
      const bytes = await readBytesIfPresent(
        release.store('release'),
        RELEASE_KEYS.privatized(release.run(), partition),
      );
      return bytes && sha256(bytes);
    }),
  );

const recordSchema = z.object({ charge: z.uuid() });

/** What is wrong with a release that a fresh process has finished after another one stopped; best nothing. */
async function violations(release: ReleaseBench, seen: (string | null)[], done: Done): Promise<string[]> {
  const wrong: string[] = [];
  const { entries } = await readLedger(release.store('release'), release.loaded.series.population);
  if (entries.map(({ kind }) => kind).join() !== 'policy,reserve,commit') wrong.push('the ledger has other entries');
  const charges = new Set([done.charge, ...entries.flatMap((entry) => ('charge' in entry ? entry.charge : []))]);
  for (const partition of partitionsOf(release)) {
    const key = PRIVATE_KEYS.draw(release.run(), partition);
    charges.add((await readJson(release.store('private'), key, recordSchema)).charge);
  }
  if (charges.size !== 1) wrong.push('ledger, draw records and worker name different charges');
  const stored = await visible(release);
  if (stored.join() !== done.digests.join()) wrong.push('the worker reports another table than the stored one');
  if (seen.some((digest, place) => digest !== null && digest !== stored[place])) wrong.push('a second draw was seen');
  return wrong;
}

describe('C11 C12 reserve, private record, table, commit, in a process that is killed', () => {
  let writes: string[];
  beforeAll(async () => {
    const done = await oneProcess(await copyOfCounted(), null);
    writes = done!.writes;
  });

  test('a process that is not killed writes the charge, a record and a table for each partition, and the end', () => {
    const run = counted.run();
    const { population } = counted.loaded.series;
    const perPartition = partitionsOf(counted).flatMap((partition) => [
      `private/${PRIVATE_KEYS.draw(run, partition)}`,
      `private/${PRIVATE_KEYS.privatized(run, partition)}`,
      `release/${RELEASE_KEYS.privatized(run, partition)}`,
      `release/${RELEASE_KEYS.receipt(run, partition)}`,
    ]);
    const entry = (sequence: number) =>
      ['private', 'release'].map((store) => `${store}/${RELEASE_KEYS.ledgerEntry(population, sequence)}`);
    expect(writes).toEqual([...entry(1), ...entry(2), ...perPartition, ...entry(3)]);
  });

  test('SIGKILL before and after every write: one charge, one table a partition, and nobody saw a second draw', async () => {
    const points = writes.flatMap((_, place) =>
      (['before', 'after'] as const).map((point) => ({ write: place + 1, point })),
    );
    const work = async (): Promise<void> => {
      // It goes on where others stopped, one release after the other: an import of all code takes longer than that.
      const fresh = await startWorker(counted);
      for (let kill = points.shift(); kill; kill = points.shift()) {
        const release = await copyOfCounted();
        expect(await oneProcess(release, kill)).toBeNull();
        const seen = await visible(release);
        await acquaint(fresh, release);
        const done = await give(fresh, { kind: 'release', partitions: partitionsOf(release), kill: null });
        expect(done!.writes).toEqual(writes.slice(kill.point === 'before' ? kill.write - 1 : kill.write));
        expect(await violations(release, seen, done!)).toEqual([]);
      }
      fresh.disconnect();
    };
    await Promise.all([work(), work()]);
  });

  test('a broken twin that forgets what is stored is caught: a second draw was seen', async () => {
    const release = await copyOfCounted();
    const table = `private/${PRIVATE_KEYS.privatized(counted.run(), partitionsOf(counted)[0]!)}`;
    const afterFirstTable = { write: writes.indexOf(table) + 3, point: 'after' } as const;
    expect(await oneProcess(release, afterFirstTable, 'forgetful')).toBeNull();
    const seen = await visible(release);
    const done = await oneProcess(release, null, 'forgetful');
    expect(await violations(release, seen, done!)).toEqual(['a second draw was seen']);
  });
});

describe('C11 two zombies privatize the same partition at once', () => {
  type Round = { digests: string[]; stored: string; written: number };

  /** `rounds` releases whose cells are there, each for one race. */
  async function race(rounds: number, broken: Start['broken'] = null): Promise<Round[]> {
    const release = await copyOfCounted();
    const partition = release.partitions[0]!;
    const cells = await readBytes(release.store('private'), PRIVATE_KEYS.cells(release.run(), 0, partition));
    const inventory = await readBytes(release.store('private'), PRIVATE_KEYS.inventory(release.run(), 0));
    let charges = 0;
    const { private: context } = release.contexts({ random: seededSource(1), newId: () => numberedId(++charges) });
    const { reserve } = createPrivateActivities(context);
    const workers = await Promise.all([startWorker(release, broken), startWorker(release, broken)]);
    const results: Round[] = [];
    for (let version = 1; version <= rounds; version++) {
      const run = release.run(version);
      await release.store('private').putIfAbsent(PRIVATE_KEYS.cells(run, 0, partition), cells);
      await release.store('private').putIfAbsent(PRIVATE_KEYS.inventory(run, 0), inventory);
      if (version > 1) await ordered(release.store('release'), run);
      await reserve({ ...run, partitions: release.partitions });
      const order: Order = { kind: 'privatize', run, partition, charge: numberedId(version) };
      const done = await Promise.all(workers.map((worker) => give(worker, order)));
      const key = RELEASE_KEYS.privatized(run, partition);
      const stored = sha256(await readBytes(release.store('release'), key));
      const drawn = `private/${PRIVATE_KEYS.privatized(run, partition)}`;
      const written = done.flatMap((one) => one!.writes).filter((write) => write === drawn).length;
      results.push({ digests: done.flatMap((one) => one!.digests), stored, written });
    }
    for (const worker of workers) worker.disconnect();
    return results;
  }

  const isOnce = ({ digests, stored, written }: Round): boolean =>
    written === 1 && digests.every((digest) => digest === stored);

  test(`${ROUNDS} rounds: one table is written, and both report its digest`, async () => {
    const rounds = await race(ROUNDS);
    expect(rounds.filter(isOnce)).toHaveLength(ROUNDS);
    expect(new Set(rounds.map(({ stored }) => stored)).size).toBe(ROUNDS);
  });

  test('a broken twin is caught: a store that looks first and writes later lets both win', async () => {
    expect((await race(5, 'check-then-write')).every(isOnce)).toBe(false);
  });
});
