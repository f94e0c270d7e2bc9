import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { S3StoreConfiguration } from '../../contracts/store-configuration.ts';
import { type Gateway, startVersitygw } from '../../test/support/versitygw.ts';
import { describeConformance, list, megabytes } from './conformance.fixture.ts';
import { type Faults, startFaultyServer, withFaultyServer } from './faulty-s3-server.fixture.ts';
import { readBytes } from './json-objects.ts';
import { readMutable, swapMutable } from './mutable-json.ts';
import { openStore } from './open-store.ts';
import { S3Store } from './s3-store.ts';

const MIB = 2 ** 20;
const BUCKET = 'stores';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startVersitygw('1.8.0');
  await gateway.createBucket(BUCKET);
});
afterAll(() => gateway?.stop());

let opened = 0;
const newPrefix = (): S3StoreConfiguration => ({ ...gateway.configuration(BUCKET), prefix: `test/${++opened}` });

const litter = (): Promise<string[]> => gateway.unfinishedUploads(BUCKET);

describe('versitygw 1.8.0', () => {
  describeConformance(async () => {
    const configuration = newPrefix();
    return { store: openStore(configuration), again: () => openStore(configuration), litter };
  });
});

describe('an upload in parts', () => {
  const large = () => ({ stream: megabytes(17), size: 17 * MIB });

  test.each([15, 16, 17, 32, 33])('puts the parts of %i MiB together in order, if the key is free', async (count) => {
    const store = new S3Store(newPrefix());
    expect(await store.putIfAbsent('sized', { stream: megabytes(count), size: count * MIB })).toBe('created');
    expect(await store.putIfAbsent('unsized', { stream: megabytes(count) })).toBe('created');
    expect(await store.putIfAbsent('sized', { stream: megabytes(18), size: 18 * MIB })).toBe('exists');
    for (const key of ['sized', 'unsized']) {
      const { stream, facts } = await store.get(key);
      expect(facts.size).toBe(count * MIB);
      expect((await buffer(stream)).equals(await buffer(megabytes(count)))).toBe(true);
    }
    expect(await litter()).toEqual([]);
  });

  test('put-once: of racing uploads in parts, and a small one among them, exactly one wins', async () => {
    const store = new S3Store(newPrefix());
    for (let round = 0; round < 5; round++) {
      const bodies = [large(), large(), Buffer.from('small'), large(), large()];
      const outcomes = await Promise.all(bodies.map((body) => store.putIfAbsent(`race/${round}`, body)));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
      const winner = bodies[outcomes.indexOf('created')]!;
      expect(await store.head(`race/${round}`)).toMatchObject({
        size: winner instanceof Uint8Array ? winner.byteLength : winner.size,
      });
    }
    expect(await litter()).toEqual([]);
  });

  test('that breaks off in its second part is aborted: no object and no parts stay', async () => {
    const store = new S3Store(newPrefix());
    const broken = Readable.from(
      (async function* () {
        for await (const chunk of megabytes(24)) yield chunk;
        throw new Error('the source broke');
      })(),
    );
    await expect(store.putIfAbsent('large', { stream: broken, size: 40 * MIB })).rejects.toThrow('the source broke');
    const short = store.putIfAbsent('large', { stream: megabytes(24), size: 40 * MIB });
    await expect(short).rejects.toMatchObject({ code: 'OBJECT_UNREADABLE' });
    expect(await store.head('large')).toBeNull();
    expect(await litter()).toEqual([]);
  });
});

describe('a connection that is cut in the middle of a write', () => {
  /** Hands on a number of bytes of each connection to the gateway, and closes both ends. */
  async function startCuttingProxy(bytes: number) {
    const server = createServer((incoming) => {
      const outgoing = connect(Number(new URL(gateway.endpoint).port), '127.0.0.1');
      let left = bytes;
      for (const socket of [incoming, outgoing]) socket.on('error', () => {});
      outgoing.pipe(incoming);
      incoming.on('data', (chunk) => {
        outgoing.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) {
          outgoing.end();
          incoming.destroy();
        }
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return { endpoint: `http://127.0.0.1:${address.port}`, stop: () => server.close() };
  }

  test.each([
    { name: 'bytes', body: () => Buffer.alloc(8 * MIB, 1) },
    { name: 'a short stream', body: () => ({ stream: megabytes(8), size: 8 * MIB }) },
    { name: 'a stream in parts', body: () => ({ stream: megabytes(40), size: 40 * MIB }) },
    { name: 'a stream of unknown size', body: () => ({ stream: megabytes(40) }) },
  ])('leaves nothing of $name, and the write can be done again', async ({ body }) => {
    const configuration = newPrefix();
    const proxy = await startCuttingProxy(4 * MIB);
    const cut = new S3Store({ ...configuration, endpoint: proxy.endpoint });
    await expect(cut.putIfAbsent('a', body())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    proxy.stop();
    const store = new S3Store(configuration);
    // Time for the server to notice, and to do the wrong thing.
    await sleep(200);
    expect(await store.head('a')).toBeNull();
    expect(await litter()).toEqual([]);
    expect(await store.putIfAbsent('a', body())).toBe('created');
  });
});

test('a prefix is a folder: what lies beside it is not seen, and it may end with a slash', async () => {
  const configuration = newPrefix();
  const beside = openStore({ ...configuration, prefix: `${configuration.prefix}-beside` });
  await beside.putIfAbsent('a', Buffer.from('x'));
  await openStore(configuration).putIfAbsent('b', Buffer.from('x'));
  const store = openStore({ ...configuration, prefix: `${configuration.prefix}/` });
  expect((await list(store, '')).map((facts) => facts.key)).toEqual(['b']);
  expect(store.location).toBe(`s3://${BUCKET}/${configuration.prefix}`);
});

test('a bucket that is not there is no missing object, and wrong credentials are told without them', async () => {
  const elsewhere = openStore({ ...newPrefix(), bucket: 'absent' });
  await expect(elsewhere.get('a')).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
  await expect(elsewhere.putIfAbsent('a', Buffer.from('x'))).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' });
  const credentials = { accessKeyId: 'NOBODY', secretAccessKey: 'the-secret' };
  const stranger = openStore({ ...newPrefix(), credentials });
  const error = await stranger.get('a').catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'OpalineError', code: 'CONFIGURATION_INVALID' });
  expect(JSON.stringify([error.message, error.cause, error.stack])).not.toMatch(/NOBODY|the-secret/);
});

test('the configuration that a store is opened with stays as it is', async () => {
  const { accessKeyId, secretAccessKey } = gateway.root;
  const configuration = { ...newPrefix(), credentials: { accessKeyId, secretAccessKey } };
  const before = structuredClone(configuration);
  expect(await openStore(configuration).head('a')).toBeNull();
  expect(configuration).toEqual(before);
});

describe('a server with a fault', () => {
  const withServer = (faults: Faults, use: (store: S3Store, requests: () => number) => Promise<void>) =>
    withFaultyServer(faults, ({ configuration, requests }) => use(new S3Store(configuration), requests));

  test('a server that asks for the MD5 of what it is to lock gets it, of files and of pages', async () => {
    await withServer({ demandsMd5: true }, async (store) => {
      expect(await store.putIfAbsent('a', Buffer.from('file'))).toBe('created');
      expect(await store.swapPage('b', null, Buffer.from('page'))).toBe(true);
      expect(await swapMutable(store, 'c', null, { pointer: 1 })).toBe(true);
    });
  });

  test('put-once: when the answer to a write is lost, the writer is told `exists` and reads his own bytes', async () => {
    await withServer({ lostAnswers: 1 }, async (store) => {
      expect(await store.putIfAbsent('a', Buffer.from('mine'))).toBe('exists');
      expect((await buffer((await store.get('a')).stream)).toString()).toBe('mine');
    });
    await withServer({ lostAnswers: 1 }, async (store) => {
      expect(await store.putIfAbsent('a', { stream: megabytes(17) })).toBe('exists');
      expect(await store.head('a')).toMatchObject({ size: 17 * MIB });
    });
  });

  test('swap-once: when the answer to a swap is lost, the writer is told false and reads his own value', async () => {
    await withServer({ lostAnswers: 1 }, async (store) => {
      expect(await swapMutable(store, 'a', null, { to: 'mine' })).toBe(false);
      expect(await readMutable(store, 'a')).toMatchObject({ generation: 1, value: { to: 'mine' } });
    });
  });

  test('409 means again: bytes are sent once more, a long stream is the caller’s to bring again', async () => {
    await withServer({ conflicts: 3 }, async (store, requests) => {
      expect(await store.putIfAbsent('a', Buffer.from('x'))).toBe('created');
      expect(requests()).toBe(4);
    });
    await withServer({ conflicts: 1 }, async (store) => {
      const body = () => ({ stream: megabytes(17) });
      await expect(store.putIfAbsent('a', body())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.putIfAbsent('a', body())).toBe('created');
      expect(await store.head('a')).toMatchObject({ size: 17 * MIB });
    });
  });

  test('a read that is answered 409 is asked again, and not for ever', async () => {
    await withServer({ readConflicts: 2 }, async (store, requests) => {
      expect(await store.head('a')).toBe(null);
      expect(requests()).toBe(3);
    });
    await withServer({ readConflicts: 3 }, async (store) => {
      await expect(store.head('a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });

  test.each([
    { status: 500, code: 'STORE_UNAVAILABLE' },
    { status: 503, code: 'STORE_UNAVAILABLE' },
    { status: 403, code: 'CONFIGURATION_INVALID' },
  ])('$status is $code to every operation, without the words of the server', async ({ status, code }) => {
    await withServer({ refuseWith: status }, async (store) => {
      for (const operation of [
        () => store.get('a'),
        () => store.head('a'),
        () => store.putIfAbsent('a', Buffer.from('x')),
        () => store.putIfAbsent('a', { stream: Readable.from([Buffer.from('x')]), size: 1 }),
        () => readMutable(store, 'a'),
        () => swapMutable(store, 'a', null, {}),
        () => list(store, ''),
      ]) {
        const error: unknown = await operation().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ name: 'OpalineError', code });
        expect(String(error)).not.toMatch(/THE-ACCESS-KEY|Signature|the-secret/);
      }
    });
  });

  test('a connection that closes in the middle of an object fails the reader with STORE_UNAVAILABLE', async () => {
    await withServer({ cutReads: 1 }, async (store) => {
      await store.putIfAbsent('a', Buffer.alloc(MIB));
      const { stream } = await store.get('a');
      await expect(buffer(stream)).rejects.toMatchObject({ name: 'OpalineError', code: 'STORE_UNAVAILABLE' });
    });
  });

  test('a small object whose answers break off is asked for again, and not for ever', async () => {
    await withServer({ cutReads: 7 }, async (store) => {
      await store.putIfAbsent('a', Buffer.alloc(MIB, 'x'));
      await expect(readBytes(store, 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await readBytes(store, 'a')).toEqual(Buffer.alloc(MIB, 'x'));
    });
  });

  test('a server that is not there is STORE_UNAVAILABLE', async () => {
    const server = await startFaultyServer({});
    await server.stop();
    const store = new S3Store(server.configuration);
    await expect(store.head('a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const body = { stream: Readable.from([Buffer.from('x')]), size: 1 };
    await expect(store.putIfAbsent('a', body)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
