import { describe, expect, test } from 'vitest';
import { abandon } from '../../activities/private/abandon.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reingest } from '../../activities/private/reingest.ts';
import { type Partition, PRIVATE_KEYS } from '../../contracts/names.ts';
import { StageBench } from '../../kinds/taps/private/stages.fixture.ts';
import { storeMethods } from '../support/store-methods.ts';

/**
 * Whoever may start activities of the private worker, and knows when a supplier delivers again: two partitions of one
 * release from two deliveries of one object would count a unit twice (C1, C2, C11).
 */
const HEAD = 'on_time,on_location,off_time,off_location\n';
const DAYS = ['2026-03-02', '2026-03-03'] as const;
const [first, second] = DAYS.map((day): Partition => ({ part: 'bus', day })) as [Partition, Partition];
const object = `${DAYS[0]}/bus.csv`;

let bench: StageBench;

/** A trip over midnight is in the object of the first day, which feeds both. */
async function open(): Promise<void> {
  bench = await StageBench.open({ modes: ['bus'], days: 2 });
  for (const day of ['2026-03-01', ...DAYS]) await bench.deliver(`${day}/bus.csv`, HEAD);
  await bench.deliver(object, `${HEAD}2026-03-02 23:50,2000,2026-03-03 00:20,2010\n`);
  await bench.count();
}
const refused = { code: 'NEEDS_CORRECTION' };
const deliverAgain = () => bench.deliver(object, `${HEAD}2026-03-02 22:50,2000,2026-03-03 00:40,2010\n`);
const draw = (partition: Partition, round: number) =>
  privatize(bench.context, { ...bench.run(), round, partitions: [partition], charge: 'none of mine' });
const isDrawn = async (partition: Partition) =>
  (await bench.context.privateStore.head(PRIVATE_KEYS.privatized(bench.run(), partition))) !== null;

test('C11 a release that was charged goes on in the rounds of its draws, with its holes, whatever it is asked', async () => {
  bench = await StageBench.open({ modes: ['bus'], days: 2 });
  for (const day of ['2026-03-01', DAYS[0]]) await bench.deliver(`${day}/bus.csv`, HEAD);
  const faults = [{ object: `${DAYS[1]}/bus.csv`, code: 'OBJECT_MISSING', partitions: [second] }];
  expect(await bench.count()).toEqual(faults);
  await draw(first, 0);
  expect(await ingest(bench.context, { ...bench.run(), round: 0 })).toEqual({ faults });
  await reingest(bench.context, { ...bench.run(), round: 1, partitions: [second] });
  const earlier = [{ partition: first, round: 0 }];
  for (const round of [0, 1, 7])
    expect(await ingest(bench.context, { ...bench.run(), round })).toEqual({
      faults,
      earlier,
      ...(round !== 1 && { round: 1 }),
    });
  await abandon(bench.context, { ...bench.run(), partitions: [second] });
  const holes = [{ ...second, code: 'OBJECT_MISSING' }];
  expect(await ingest(bench.context, { ...bench.run(), round: 0 })).toEqual({ faults, earlier, holes, round: 1 });
  await draw(first, 0);
});

describe('C11 one release is drawn from one input, in whatever order its activities are called', () => {
  test('a second ingest that is no retry pins what it likes, and nothing is drawn from it', async () => {
    await open();
    await draw(first, 0);
    await deliverAgain();
    const again = { ...bench.run(), round: 1 };
    await expect(reingest(bench.context, { ...again, partitions: [second] })).rejects.toMatchObject(refused);
    // Of a charged release it pins nothing more: it answers from the newest round that there is.
    expect(await ingest(bench.context, again)).toEqual({ faults: [], round: 0 });
    await expect(draw(second, 1)).rejects.toThrow();
    expect(await isDrawn(second)).toBe(false);
    // The attack leaves nothing behind: the release goes on from the round that it was begun with.
    await draw(second, 0);
    expect(await isDrawn(second)).toBe(true);
  });

  test.each([
    ['the older round first', first, 0, second, 1],
    ['the newer round first', second, 1, first, 0],
  ] as const)('two rounds that were counted before any draw are not mixed: %s', async (_, one, round, other, next) => {
    await open();
    await deliverAgain();
    await reingest(bench.context, { ...bench.run(), round: 1, partitions: [first, second] });
    await bench.bin([first, second], 1);
    await draw(one, round);
    await expect(draw(other, next)).rejects.toMatchObject(refused);
    expect(await isDrawn(other)).toBe(false);
    // Nor does it help to ask again.
    await expect(draw(other, next)).rejects.toMatchObject(refused);
  });

  test('two draws at once, neither of which saw the record of the other before: not both are made', async () => {
    await open();
    await deliverAgain();
    await reingest(bench.context, { ...bench.run(), round: 1, partitions: [first, second] });
    await bench.bin([first, second], 1);
    const { privateStore } = bench.context;
    let waiting = 0;
    let both = () => {};
    const arrived = new Promise<void>((resolve) => {
      both = resolve;
    });
    bench.context.privateStore = {
      ...storeMethods(privateStore),
      putIfAbsent: async (key, body) => {
        if (key.startsWith('draws/')) {
          waiting += 1;
          if (waiting === 2) both();
          await arrived;
        }
        return privateStore.putIfAbsent(key, body);
      },
    };
    await Promise.allSettled([draw(first, 0), draw(second, 1)]);
    expect(waiting).toBe(2);
    expect([await isDrawn(first), await isDrawn(second)]).not.toEqual([true, true]);
  });

  test('a round in which nothing that both were made of has changed goes with the other', async () => {
    await open();
    await bench.deliver(`${DAYS[1]}/bus.csv`, `${HEAD}2026-03-03 10:00,2000,,\n`);
    await reingest(bench.context, { ...bench.run(), round: 1, partitions: [second] });
    await bench.bin([second], 1);
    await draw(first, 0);
    await draw(second, 1);
    expect(await isDrawn(second)).toBe(true);
  });
});
