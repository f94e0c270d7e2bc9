import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedWorker } from '../../workflows/scripted-worker.fixture.ts';
import { HeavyPlaces } from './heavy-places.ts';

const place = async (places: HeavyPlaces, signal = new AbortController().signal) => places.reserveSlot(null, signal);
const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise.then(() => 'given'), delay(20, 'pending')])) === 'pending';

test('a place is given when one is free, in the order in which they were asked for', async () => {
  const places = new HeavyPlaces(1);
  await place(places);
  const [second, third] = [place(places), place(places)];
  expect(await isPending(second)).toBe(true);
  places.releaseSlot();
  await second;
  expect(await isPending(third)).toBe(true);
  expect(places.tryReserveSlot()).toBeNull();
});

test('whoever is no longer asked leaves the line, with the reason of its signal', async () => {
  const places = new HeavyPlaces(1);
  await place(places);
  const leaving = new AbortController();
  const left = place(places, leaving.signal);
  const stays = place(places);
  leaving.abort('it stops');
  await expect(left).rejects.toBe('it stops');
  await expect(place(places, leaving.signal)).rejects.toBe('it stops');
  places.releaseSlot();
  await stays;
});

test('a worker without room on its scratch rests and is not ready; any other failure changes nothing', async () => {
  const places = new HeavyPlaces(2, 200);
  places.hear('STORE_UNAVAILABLE');
  await place(places);
  expect(places.hasRoom).toBe(true);
  places.hear('OUT_OF_SCRATCH');
  expect(places.hasRoom).toBe(false);
  const next = place(places);
  expect(await isPending(next)).toBe(true);
  await next;
});

const REST_MS = 60_000;

/** Longest that a task may wait in one worker while another could begin it, in milliseconds. */
const FAIR_MS = 2_000;
const fixed = { type: 'fixed-size', numSlots: 2 } as const;
const hostOf = (identity: string, places: HeavyPlaces) => ({
  identity,
  tuner: {
    activityTaskSlotSupplier: places,
    workflowTaskSlotSupplier: fixed,
    localActivityTaskSlotSupplier: fixed,
    nexusTaskSlotSupplier: fixed,
  },
});

describe('two hosts of one place each', () => {
  const [a, b] = [new HeavyPlaces(1), new HeavyPlaces(1, REST_MS)];
  let world: Awaited<ReturnType<typeof startScriptedWorker>>;
  beforeAll(async () => {
    world = await startScriptedWorker([hostOf('a', a), hostOf('b', b)]);
  });
  afterAll(() => world?.end());

  /** What `bin` did in releases that are started at once: on which host, and from when to when. */
  async function binsOf(name: string, count: number, bin: () => Promise<object>) {
    const names = Array.from({ length: count }, (_, place) => `${name}-${place}`);
    const releases = await Promise.all(names.map((one) => world.release(one, { bin })));
    await Promise.all(releases.map((release) => release.at('waiting')));
    const all = await Promise.all(
      releases.map(async ({ handle }) => {
        const events = (await handle.fetchHistory()).events ?? [];
        const at = (id: unknown) => events.find(({ eventId }) => String(eventId) === String(id))!;
        const time = (id: unknown) => Number(at(id).eventTime!.seconds) * 1e3 + (at(id).eventTime!.nanos ?? 0) / 1e6;
        return events.flatMap(({ eventId, activityTaskCompletedEventAttributes: done }) => {
          const scheduled = done && at(done.scheduledEventId).activityTaskScheduledEventAttributes;
          if (scheduled?.activityType?.name !== 'bin') return [];
          const host = at(done!.startedEventId).activityTaskStartedEventAttributes!.identity!;
          const [due, from, to] = [done!.scheduledEventId, done!.startedEventId, eventId].map(time);
          return [{ host, due: due!, from: from!, to: to! }];
        });
      }),
    );
    return all.flat();
  }

  test('take a heavy task only when they begin it, and none waits in one while the other is free', async () => {
    const bins = await binsOf('fair', 6, () => delay(700, { faults: [] }));
    expect(bins).toHaveLength(6);
    for (const host of ['a', 'b']) {
      const own = bins.filter((one) => one.host === host).sort((x, y) => x.from - y.from);
      expect(own.length).toBeGreaterThanOrEqual(2);
      for (const [place, { from }] of own.entries())
        if (place > 0) expect(from).toBeGreaterThanOrEqual(own[place - 1]!.to);
      // While any task waited this host was not free for long.
      const edges = [Math.min(...bins.map(({ due }) => due)), ...own.map(({ to }) => to)];
      const last = Math.max(...bins.map(({ from }) => from));
      for (const [place, freeFrom] of edges.entries())
        if (freeFrom < last) expect((own[place]?.from ?? last) - freeFrom).toBeLessThan(FAIR_MS);
    }
  }, 240_000);

  test('that whose scratch is full takes nothing while it rests, and the other does all', async () => {
    const until = Date.now() + REST_MS;
    b.hear('OUT_OF_SCRATCH');
    const bins = await binsOf('full', 5, () => delay(200, { faults: [] }));
    const early = bins.filter(({ from }) => from < until).map(({ host }) => host);
    expect(early).toContain('a');
    // It had asked for one task already.
    expect(early.filter((host) => host === 'b').length).toBeLessThanOrEqual(1);
  }, 240_000);
});
