import { afterEach, describe, expect, test } from 'vitest';
import type { PrivateContext } from '../../../activities/private/context.ts';
import { shadow } from '../../../activities/private/shadow.ts';
import { MECHANISM_CHECKS } from '../../../core/audit/mechanism/checks.ts';
import type { ShadowCounts } from '../../../core/audit/mechanism/tallies.ts';
import { certify } from '../../../core/certificate/certificate.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { StageBench } from './stages.fixture.ts';

let bench: StageBench;
afterEach(() => bench?.close());

/** The keys of all objects of a store. */
async function keysOf(store: PrivateContext['releaseStore']): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

describe('the shadow run', () => {
  test('C15, safe-to-retry: it draws from the worker’s own randomness, reads no source and writes nothing', async () => {
    bench = await StageBench.open();
    const noSource = () => {
      throw new Error('the source was read');
    };
    const context = { ...bench.context, sourceStore: noSource };
    const before = [await keysOf(context.releaseStore), await keysOf(context.privateStore)];
    const counts = (await shadow({ ...context, random: seededSource(5) }, bench.run)) as ShadowCounts;
    expect(await shadow({ ...context, random: seededSource(5) }, bench.run)).toEqual(counts);
    expect(await shadow({ ...context, random: seededSource(6) }, bench.run)).not.toEqual(counts);
    expect([await keysOf(context.releaseStore), await keysOf(context.privateStore)]).toEqual(before);
    // A payload of Temporal: small, and the same after a round trip.
    expect(JSON.stringify(counts).length).toBeLessThan(8000);
    expect(JSON.parse(JSON.stringify(counts))).toEqual(counts);
    const certificate = certify(bench.series.privacy);
    const verdicts = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL).verdict);
    expect(verdicts).toEqual(MECHANISM_CHECKS.map(() => 'pass'));
  });

  test('broken twin: randomness that always says the same is caught', async () => {
    bench = await StageBench.open();
    const stuck = {
      kind: 'seeded',
      uint32: () => 0x9e3779b9,
      fill: (target: Uint32Array) => void target.fill(0x9e3779b9),
    } as const;
    const counts = (await shadow({ ...bench.context, random: stuck }, bench.run)) as ShadowCounts;
    const certificate = certify(bench.series.privacy);
    const failed = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL)).filter(
      ({ verdict }) => verdict === 'fail',
    );
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(['mechanism-noise', 'mechanism-independence']));
  });
});
