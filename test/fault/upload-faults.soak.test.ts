import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpalineError } from '../../contracts/errors.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { megabytes } from '../../services/stores/conformance.fixture.ts';
import { S3Store } from '../../services/stores/s3-store.ts';
import { type FaultProxy, STORE_FAULTS, seededFaults, startFaultProxy } from '../support/fault-proxy.ts';
import { type Gateway, startVersitygw } from '../support/versitygw.ts';

const BUCKET = 'uploads';
const MIB = 2 ** 20;

let gateway: Gateway;
let proxy: FaultProxy;
beforeAll(async () => {
  gateway = await startVersitygw();
  await gateway.createBucket(BUCKET);
  proxy = await startFaultProxy(gateway.endpoint);
});
afterAll(async () => {
  await proxy?.stop();
  await gateway?.stop();
});

/** As the retries of an activity do it: again with a new stream, as long as the store does not answer. */
async function putUntilDone(store: ObjectStore, key: string): Promise<string> {
  for (;;) {
    try {
      return await store.putIfAbsent(key, { stream: megabytes(17), size: 17 * MIB });
    } catch (error) {
      if (!(error instanceof OpalineError) || error.code !== 'STORE_UNAVAILABLE') throw error;
    }
  }
}

/**
 * When the late Complete and its repetition meet, versitygw 1.8.0 replaces the object with itself, and for a moment
 * there is no object. This happens only with one and the same upload: of several uploads one wins.
 */
async function getOnceThere(store: ObjectStore, key: string) {
  for (let waited = 0; waited < 50 && !(await store.head(key)); waited++) await delay(100);
  return store.get(key);
}

test.each(STORE_FAULTS)(
  'put-once: an upload in parts whose every step meets "%s" is whole in the end',
  async (fault) => {
    const key = `large ${fault}`;
    const configuration = gateway.configuration(BUCKET);
    const before = await gateway.unfinishedUploads(BUCKET);
    proxy.arm(seededFaults(1, [fault], 0.5));
    const store = new S3Store({ ...configuration, endpoint: proxy.endpoint, timeoutSeconds: 1 });
    expect(['created', 'exists']).toContain(await putUntilDone(store, key));
    proxy.arm(null);
    await proxy.idle();
    const injected = proxy.injected();
    for (const step of ['POST', 'PUT part', 'POST upload']) expect(injected.has(`${fault}: ${step}`), step).toBe(true);
    const stored = await getOnceThere(new S3Store(configuration), key);
    expect((await buffer(stored.stream)).equals(await buffer(megabytes(17)))).toBe(true);
    // Of an upload whose name never arrived nobody can say that it is to be aborted: the lifecycle rule removes it.
    const begun = injected.get(`${fault}: POST`) ?? 0;
    const left = (await gateway.unfinishedUploads(BUCKET)).length - before.length;
    expect(left).toBeLessThanOrEqual(['no answer', '500', '503', '409', 'slow answer'].includes(fault) ? 0 : begun);
  },
);

test('put-once, swap-once: a write of bytes that meets another one, four times in a row, is sent again at once', async () => {
  const store = new S3Store({ ...gateway.configuration(BUCKET), endpoint: proxy.endpoint });
  for (const [write, won] of [
    [() => store.putIfAbsent('met', Buffer.from('x')), 'created'],
    [() => store.swapPage('met page', null, Buffer.from('x')), true],
  ] as const) {
    let left = 4;
    proxy.arm(() => (left-- > 0 ? '409' : null));
    const began = performance.now();
    expect(await write()).toBe(won);
    expect(proxy.injected().get('409: PUT')).toBe(4);
    expect(performance.now() - began).toBeLessThan(5_000); // an activity pauses for thirty seconds
  }
  proxy.arm(null);
});

test('a server that stops in the middle of an object is given up after the time-out of the configuration', async () => {
  const configuration = { ...gateway.configuration(BUCKET), endpoint: proxy.endpoint, timeoutSeconds: 1 };
  const store = new S3Store(configuration);
  await store.putIfAbsent('stops', Buffer.alloc(MIB));
  proxy.arm(() => 'answer that stops');
  const { stream } = await store.get('stops');
  await expect(buffer(stream)).rejects.toMatchObject({ name: 'OpalineError', code: 'STORE_UNAVAILABLE' });
  proxy.arm(() => 'no answer');
  await expect(store.get('stops')).rejects.toMatchObject({ name: 'OpalineError', code: 'STORE_UNAVAILABLE' });
  proxy.arm(null);
  expect(await store.head('stops')).toMatchObject({ size: MIB });
});
