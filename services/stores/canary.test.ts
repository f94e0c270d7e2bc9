import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { ObjectBody, ObjectStore, PageObject } from '../../contracts/object-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { startVersitygw } from '../../test/support/versitygw.ts';
import { CANARY_PREFIX, hasPassed, refuseIgnoredConditions, refuseUnsafeStore } from './canary.ts';
import { list } from './conformance.fixture.ts';
import { type Faults, withFaultyServer } from './faulty-s3-server.fixture.ts';
import { FolderStore } from './folder-store.ts';
import { readBytes } from './json-objects.ts';
import { openStore } from './open-store.ts';

const folder = newFolder();

const UNSAFE = { name: 'OpalineError', code: 'STORE_UNSAFE' };

test('a folder passes, is not tested twice, and is left with nothing outside the canary’s prefix', async () => {
  const store = new FolderStore(join(folder, 'passes'));
  await refuseUnsafeStore(store);
  const after = await list(store, '');
  expect(after.every((facts) => facts.key.startsWith(CANARY_PREFIX))).toBe(true);
  await refuseUnsafeStore(new FolderStore(join(folder, 'passes')));
  expect(await list(store, '')).toEqual(after);
});

test('versitygw 1.8.0 passes, for two workers that start together too', async () => {
  const gateway = await startVersitygw('1.8.0');
  try {
    await gateway.createBucket('canary');
    const open = () => openStore(gateway.configuration('canary'));
    await Promise.all([refuseUnsafeStore(open()), refuseUnsafeStore(open())]);
  } finally {
    await gateway.stop();
  }
});

// On a disk it loses about one race in four, so that a canary of 60 races misses it in fewer than one run of a million;
// in memory about one in twenty, and it is missed in one run of thirty.
test('versitygw 1.7.0 is refused, ten times out of ten', async () => {
  const gateway = await startVersitygw('1.7.0', { folder: await mkdtemp('/var/tmp/opaline-') });
  try {
    for (let run = 0; run < 10; run++) {
      await gateway.createBucket(`canary-${run}`);
      const store = openStore(gateway.configuration(`canary-${run}`));
      await expect(refuseUnsafeStore(store)).rejects.toMatchObject(UNSAFE);
      await expect(refuseUnsafeStore(store)).rejects.toMatchObject(UNSAFE);
    }
  } finally {
    await gateway.stop();
  }
});

test.each<Faults>([{ ignoreIfNoneMatch: true }, { ignoreIfMatch: true }, { ignoreOnComplete: true }])(
  'a server that ignores a condition is refused: %o',
  (faults) =>
    withFaultyServer(faults, async ({ configuration }) => {
      await expect(refuseUnsafeStore(openStore(configuration))).rejects.toMatchObject(UNSAFE);
    }),
);

describe('conditions of a store that the world reads', () => {
  const bytes = Buffer.from('published');
  const ask = async (store: ObjectStore): Promise<void> => {
    await store.putIfAbsent('demo/manifest.json', bytes);
    await refuseIgnoredConditions(store, 'demo/manifest.json', bytes);
  };
  const left = async (store: ObjectStore): Promise<string[]> => (await list(store, '')).map(({ key }) => key);

  test('are honoured by a folder and by versitygw, and nothing is left there', async () => {
    const gateway = await startVersitygw('1.8.0');
    try {
      await gateway.createBucket('asked');
      for (const store of [new FolderStore(join(folder, 'asked')), openStore(gateway.configuration('asked'))]) {
        await ask(store);
        expect(await left(store)).toEqual(['demo/manifest.json']);
        expect(await readBytes(store, 'demo/manifest.json')).toEqual(bytes);
      }
    } finally {
      await gateway.stop();
    }
  });

  test.each<Faults>([{ ignoreIfNoneMatch: true }, { ignoreIfMatch: true }])(
    'a server that ignores one is refused, and the published bytes stay: %o',
    (faults) =>
      withFaultyServer(faults, async ({ configuration }) => {
        const store = openStore(configuration);
        await expect(ask(store)).rejects.toMatchObject(UNSAFE);
        expect(await readBytes(store, 'demo/manifest.json')).toEqual(bytes);
      }),
  );
});

test('a store that tells one winner, but keeps the bytes of another, is refused', async () => {
  class Overwriting extends FolderStore {
    readonly #last = new Map<string, Uint8Array>();
    override async putIfAbsent(key: string, body: ObjectBody): Promise<'created' | 'exists'> {
      if (body instanceof Uint8Array) this.#last.set(key, body);
      return super.putIfAbsent(key, body);
    }
    override async get(key: string) {
      const answer = await super.get(key);
      answer.stream.destroy();
      return { ...answer, stream: Readable.from([this.#last.get(key)]) };
    }
  }
  await expect(refuseUnsafeStore(new Overwriting(join(folder, 'overwrites')))).rejects.toMatchObject(UNSAFE);
});

test('a store that lets two uploads in parts win, and no others, is refused', async () => {
  class Parted extends FolderStore {
    override async putIfAbsent(key: string, body: ObjectBody) {
      const outcome = await super.putIfAbsent(key, body);
      return 'inParts' in body ? 'created' : outcome;
    }
  }
  await expect(refuseUnsafeStore(new Parted(join(folder, 'parted')))).rejects.toMatchObject(UNSAFE);
});

test('a server that calls itself otherwise is tested again, and one that says no version when somebody asks', async () => {
  class Named extends FolderStore {
    server = 'Server 1.0';
    ignores = false;
    writes = 0;
    override async putIfAbsent(key: string, body: ObjectBody) {
      this.writes++;
      const outcome = await super.putIfAbsent(key, body);
      return this.ignores ? 'created' : outcome;
    }
  }
  const store = new Named(join(folder, 'named'));
  const asked = async (again = false): Promise<boolean> => {
    const before = store.writes;
    await refuseUnsafeStore(store, { again });
    return store.writes - before > 100;
  };
  expect([await asked(), await asked()]).toEqual([true, false]);
  store.server = 'Server 1.1';
  expect(await hasPassed(store)).toBe(false);
  expect([await asked(), await asked(), await asked(true)]).toEqual([true, false, true]);
  store.ignores = true;
  await expect(asked(true)).rejects.toMatchObject(UNSAFE);
});

test('an S3 server is one by the name that it gives itself', () => {
  const faults: Faults = { name: 'Server 1.0' };
  return withFaultyServer(faults, async ({ configuration }) => {
    const store: ObjectStore = openStore(configuration);
    await store.head('canary');
    expect(store.server).toBe('Server 1.0');
    faults.name = 'Server 1.1';
    await store.head('canary');
    expect(store.server).toBe('Server 1.1');
  });
});

test('a store that lets two swaps win is refused', async () => {
  class Generous extends FolderStore {
    override async swapPage(key: string, current: PageObject | null, bytes: Uint8Array) {
      return (await super.swapPage(key, current, bytes)) || `${bytes}`.includes('"writer":7');
    }
  }
  await expect(refuseUnsafeStore(new Generous(join(folder, 'generous')))).rejects.toMatchObject(UNSAFE);
});

test('a store whose answers are lost now and then passes: nobody was told twice that he won', async () => {
  await withFaultyServer({ lostAnswers: 3 }, ({ configuration }) => refuseUnsafeStore(openStore(configuration)));
});
