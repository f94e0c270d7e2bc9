import { afterEach, describe, expect, test } from 'vitest';
import type { PrivateContext, PrivateKind } from '../../../activities/private/context.ts';
import { shadow } from '../../../activities/private/shadow.ts';
import { jsonBytes } from '../../../activities/stores/json-objects.ts';
import type { PrivatizedTable } from '../../../contracts/formats/privatized-table.ts';
import { privatizedTableSchema } from '../../../contracts/formats/privatized-table.ts';
import { MECHANISM_CHECKS } from '../../../core/audit/mechanism/checks.ts';
import type { ShadowCounts } from '../../../core/audit/mechanism/tallies.ts';
import { certify } from '../../../core/certificate/certificate.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { privateTaps } from './private-kind.ts';
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
    const counts = (await shadow({ ...context, random: seededSource(5) }, bench.run())) as ShadowCounts;
    expect(await shadow({ ...context, random: seededSource(5) }, bench.run())).toEqual(counts);
    expect(await shadow({ ...context, random: seededSource(6) }, bench.run())).not.toEqual(counts);
    expect([await keysOf(context.releaseStore), await keysOf(context.privateStore)]).toEqual(before);
    // A payload of Temporal: small, and the same after a round trip.
    expect(JSON.stringify(counts).length).toBeLessThan(8000);
    expect(JSON.parse(JSON.stringify(counts))).toEqual(counts);
    const certificate = certify(bench.series.privacy);
    const verdicts = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL).verdict);
    // The series has no margins, whose noise could be tried.
    expect(verdicts.filter((verdict) => verdict !== 'pass')).toEqual(['not-tried']);
  });

  /** A worker whose kind of taps changes what is drawn before the activity stores it. */
  const changing = (change: (table: PrivatizedTable) => PrivatizedTable): PrivateContext => {
    const counts: PrivateKind['counts'] = async (context, input, series) => {
      const honest = await privateTaps.counts(context, input, series);
      return {
        ...honest,
        draw: async () =>
          jsonBytes(change(privatizedTableSchema.parse(JSON.parse((await honest.draw()).toString('utf8'))))),
      };
    };
    return { ...bench.context, random: seededSource(5), kinds: { taps: { ...privateTaps, counts } } };
  };
  const failedBy = async (context: PrivateContext): Promise<string[]> => {
    const counts = (await shadow(context, bench.run())) as ShadowCounts;
    const checks = MECHANISM_CHECKS.map((check) => check(counts, certify(bench.series.privacy), TEST_LEVEL));
    return checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  };

  test('C15 broken twins: what the stage does between the draw and the store is caught', async () => {
    bench = await StageBench.open();
    expect(await failedBy(changing((table) => table))).toEqual([]);
    const rounded = changing(({ cells, ...table }) => ({
      ...table,
      cells: cells.map(([tap, time, location, count]) => [tap, time, location, 5 * Math.round(count / 5)]),
    }));
    expect(await failedBy(rounded)).toContain('mechanism-noise');
    const withoutFirst = changing(({ cells, ...table }) => ({ ...table, cells: cells.slice(1) }));
    expect(await failedBy(withoutFirst)).toContain('mechanism-noise');
  });

  test('C15 broken twin: another domain than that of the series leaves nothing to compare', async () => {
    bench = await StageBench.open();
    const renamed = changing(({ cells, ...table }) => ({
      ...table,
      cells: cells.map(([tap, time, location, count]) => [tap, time, location.toLowerCase(), count]),
    }));
    expect(await failedBy(renamed)).toContain('mechanism-noise');
  });

  test('broken twin: randomness that always says the same is caught', async () => {
    bench = await StageBench.open();
    const stuck = {
      kind: 'seeded',
      uint32: () => 0x9e3779b9,
      fill: (target: Uint32Array) => void target.fill(0x9e3779b9),
    } as const;
    const counts = (await shadow({ ...bench.context, random: stuck }, bench.run())) as ShadowCounts;
    const certificate = certify(bench.series.privacy);
    const failed = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL)).filter(
      ({ verdict }) => verdict === 'fail',
    );
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(['mechanism-noise', 'mechanism-independence']));
  });
});
