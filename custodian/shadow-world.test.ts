import { beforeEach, describe, expect, test } from 'vitest';
import { privatize } from '../activities/private/privatize.ts';
import { RELEASE_KEYS } from '../contracts/names.ts';
import type { PrivatizeInput } from '../contracts/stages.ts';
import { StageBench } from '../kinds/taps/private/stages.fixture.ts';
import { readLedger } from '../services/ledger/ledger.ts';
import { madeUpWorld } from '../test/support/made-up-world.ts';
import type { ShadowWorld } from './private-context.ts';

let bench: StageBench;
let world: ShadowWorld;
beforeEach(async () => {
  bench = await StageBench.open();
  world = madeUpWorld(bench.context, bench.series);
});

const inputOf = async (version = 1): Promise<PrivatizeInput> => {
  const window = '2000-01-03';
  const partition = { part: 'bus', day: window };
  const seriesDigest = await world.sign(bench.series);
  return {
    series: bench.series.series,
    window,
    version,
    seriesDigest,
    round: 0,
    partitions: [partition],
    charge: 'none',
  };
};

describe('@contract C15 @contract C11a the deployment of a shadow run', () => {
  test('has the worker’s randomness and kinds, and nothing else of it', async () => {
    const { context } = world;
    expect([context.random, context.kinds]).toEqual([bench.context.random, bench.context.kinds]);
    for (const part of ['privateStore', 'releaseStore', 'ledgerKey', 'policy', 'highWater'] as const)
      expect(context[part]).not.toBe(bench.context[part]);
    expect(() => context.sourceStore('source')).toThrow('A shadow run has no source.');
  });

  test('does not draw what is not charged in it, first versions and further ones', async () => {
    const [first, second] = [await inputOf(), await inputOf(2)];
    await expect(privatize(world.context, first)).rejects.toMatchObject({ code: 'NOT_CHARGED' });
    await world.charge(first, bench.series);
    // It gets as far as the counts, and there are none.
    await expect(privatize(world.context, first)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
    await expect(privatize(world.context, second)).rejects.toMatchObject({ code: 'NOT_CHARGED' });
    await world.charge(second, bench.series);
    await expect(privatize(world.context, second)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
  });

  test('knows no release of the worker, and the worker none of it', async () => {
    const real = { ...bench.run(), round: 0, partitions: [bench.partitions[0]!], charge: 'none' };
    await expect(privatize(world.context, real)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
    const made = await inputOf();
    await world.charge(made, bench.series);
    await expect(privatize(bench.context, made)).rejects.toMatchObject({ code: 'OBJECT_MISSING' });
    const { population } = bench.series;
    const { entries } = await readLedger(bench.context.privateStore, population);
    expect(entries.filter(({ kind }) => kind === 'reserve')).toHaveLength(1);
    expect(await bench.context.releaseStore.head(RELEASE_KEYS.ledgerEntry('shadow', 1))).toBeNull();
  });
});
