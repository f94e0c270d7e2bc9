import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { type Gateway, startVersitygw } from '../../test/support/versitygw.ts';
import { list, megabytes } from './conformance.fixture.ts';
import { type Faults, withFaultyServer } from './faulty-s3-server.fixture.ts';
import { readMutable, swapMutable } from './mutable-json.ts';
import { S3Store } from './s3-store.ts';

const DAY = 86_400_000;
const MIB = 2 ** 20;
const clock = Date.now;

/** How far the clock of this process is from that of the S3 server, in ms. S3 refuses what is 15 minutes off. */
let skew = 0;
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startVersitygw('1.8.0');
  await gateway.createBucket('stores');
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  skew = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => clock() + skew);
});
afterEach(() => {
  vi.restoreAllMocks();
});

let opened = 0;
const newStore = () => new S3Store({ ...gateway.configuration('stores'), prefix: `clock/${++opened}` });

/** All that a store does, on an object `a` that holds x; each has the answer that it has under a clock that is right. */
const OPERATIONS: { name: string; run: (store: ObjectStore) => Promise<unknown>; answer: unknown }[] = [
  { name: 'head', run: (store) => store.head('a'), answer: { size: 1 } },
  { name: 'head of nothing', run: (store) => store.head('none'), answer: null },
  {
    name: 'get',
    run: async (store) => (await buffer((await store.get('a')).stream)).toString(),
    answer: 'x',
  },
  { name: 'get of nothing', run: (store) => readMutable(store, 'none'), answer: null },
  { name: 'put', run: (store) => store.putIfAbsent('new', Buffer.from('x')), answer: 'created' },
  { name: 'put of what is there', run: (store) => store.putIfAbsent('a', Buffer.from('y')), answer: 'exists' },
  { name: 'upload in parts', run: (store) => store.putIfAbsent('large', { stream: megabytes(17) }), answer: 'created' },
  { name: 'swap', run: (store) => swapMutable(store, 'swapped', null, { to: 'x' }), answer: true },
  { name: 'list', run: async (store) => (await list(store, 'a')).map(({ key }) => key), answer: ['a'] },
];

describe('a clock that jumps from one time to another, by more than S3 allows', () => {
  const steps = [
    { from: 0, to: DAY },
    { from: 0, to: -DAY },
    { from: DAY, to: 0 },
    { from: -DAY, to: 0 },
  ];

  test.each(steps)('from $from to $to ms off: every operation has its usual answer', async ({ from, to }) => {
    for (const { name, run, answer } of OPERATIONS) {
      skew = from;
      const store = newStore();
      await store.putIfAbsent('a', Buffer.from('x'));
      skew = to;
      const found = await run(store);
      if (answer !== null && typeof answer === 'object') expect(found, name).toMatchObject(answer);
      else expect(found, name).toBe(answer);
    }
  });

  test('while the clock jumps every 200 ms: one of eight racing writers wins each race, and his bytes stay', async () => {
    const jumps = [DAY, -DAY, 0, 3652 * DAY, 0];
    let jump = 0;
    const timer = setInterval(() => {
      skew = jumps[jump++ % jumps.length]!;
    }, 200);
    try {
      const store = newStore();
      for (let race = 0; jump < 8; race++) {
        const bodies = Array.from({ length: 8 }, (_, writer) => Buffer.from(`writer ${writer}`));
        const outcomes = await Promise.all(bodies.map((body) => store.putIfAbsent(`race-${race}`, body)));
        expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
        const { stream } = await store.get(`race-${race}`);
        expect(await buffer(stream)).toEqual(bodies[outcomes.indexOf('created')]);
      }
    } finally {
      clearInterval(timer);
    }
  });
});

describe('a server with a fault', () => {
  const withServer = (faults: Faults, use: (store: S3Store, requests: () => number) => Promise<void>) =>
    withFaultyServer(faults, ({ configuration, requests }) => use(new S3Store(configuration), requests));

  test('that refuses the time of one request: the request is sent again, HEAD as a GET', async () => {
    await withServer({ tooSkewed: 1 }, async (store, requests) => {
      expect(await store.putIfAbsent('a', Buffer.from('x'))).toBe('created');
      expect(requests()).toBe(2);
    });
    const faults = { tooSkewed: 0 };
    await withServer(faults, async (store, requests) => {
      await store.putIfAbsent('a', Buffer.alloc(MIB));
      faults.tooSkewed = 1;
      expect(await store.head('a')).toMatchObject({ key: 'a', size: MIB });
      faults.tooSkewed = 2;
      expect(await store.head('none')).toBeNull();
      expect(requests()).toBe(1 + 2 + 3);
    });
  });

  test('that never accepts a time is STORE_UNAVAILABLE to every operation, and the sentence names the clock', async () => {
    await withServer({ tooSkewed: Number.POSITIVE_INFINITY }, async (store) => {
      for (const { name, run } of OPERATIONS) {
        const error: unknown = await run(store).catch((thrown: unknown) => thrown);
        expect(error, name).toMatchObject({ name: 'OpalineError', code: 'STORE_UNAVAILABLE' });
        expect(String(error), name).toMatch(/clock/);
        expect(String(error), name).not.toMatch(/THE-ACCESS-KEY|Signature|the-secret/);
      }
    });
  });

  test('while the clock is a day off, what is not there and what is taken is asked for once', async () => {
    skew = DAY;
    await withServer({}, async (store, requests) => {
      await store.putIfAbsent('a', Buffer.from('x'));
      for (let time = 0; time < 20; time++) {
        expect(await store.head('none')).toBeNull();
        expect(await store.putIfAbsent('a', Buffer.from('y'))).toBe('exists');
      }
      expect(requests()).toBe(41);
    });
  });
});
