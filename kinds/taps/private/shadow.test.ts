import { describe, expect, test } from 'vitest';
import { shadow } from '../../../activities/private/shadow.ts';
import { PRIVATE_KEYS, RELEASE_KEYS } from '../../../contracts/names.ts';
import { TEST_LEVEL } from '../../../core/statistics/holm.ts';
import { MECHANISM_CHECKS } from '../../../counts/audit/mechanism/mechanism-checks.ts';
import type { ShadowCounts } from '../../../counts/audit/mechanism/shadow-tallies.ts';
import { certify } from '../../../counts/certificate/certify.ts';
import type { PrivateContext, PrivateKind } from '../../../custodian/private-context.ts';
import { jsonBytes, readBytes } from '../../../services/stores/json-objects.ts';
import { madeUpWorld } from '../../../test/support/made-up-world.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { rowsOfTable, type TableRows, tableOfRows } from '../../../test/support/table-of-rows.ts';
import { PRIVATE_BUILD } from '../../../test/support/test-custody.ts';
import { privatizedTableSchema } from '../privatized-table.ts';
import { privateTaps } from './private-kind.ts';
import { StageBench, sameNames } from './stages.fixture.ts';

const CARD_COLUMNS = sameNames(['card', 'on_time', 'on_location', 'off_time', 'off_location']);

let bench: StageBench;

/** The keys of all objects of a store. */
async function keysOf(store: PrivateContext['releaseStore']): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list('')) keys.push(key);
  return keys;
}

describe('the shadow run', () => {
  /** What the kind does, without what the activity keeps of it. */
  const tried = (context: PrivateContext) =>
    context.kinds.taps!.shadow(madeUpWorld(context, bench.series), bench.series) as Promise<ShadowCounts>;

  test('C15, safe-to-retry: it draws from the worker’s own randomness, and reads no source', async () => {
    bench = await StageBench.open();
    const noSource = () => {
      throw new Error('the source was read');
    };
    const context = { ...bench.context, sourceStore: noSource };
    const counts = await tried({ ...context, random: seededSource(5) });
    expect(await tried({ ...context, random: seededSource(5) })).toEqual(counts);
    expect(await tried({ ...context, random: seededSource(6) })).not.toEqual(counts);
    // A payload of Temporal: small, and the same after a round trip.
    expect(JSON.stringify(counts).length).toBeLessThan(8000);
    expect(JSON.parse(JSON.stringify(counts))).toEqual(counts);
    const certificate = certify(bench.series.privacy);
    const verdicts = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL).verdict);
    // The series has no margins, whose noise could be tried.
    expect(verdicts.filter((verdict) => verdict !== 'pass')).toEqual(['not-tried']);
  });

  test('C15: its first tallies are those of the release, and are all that it writes, with a receipt', async () => {
    bench = await StageBench.open();
    const { context } = bench;
    const run = bench.run();
    const keys = async () => [...(await keysOf(context.releaseStore)), ...(await keysOf(context.privateStore))];
    const before = await keys();
    await shadow({ ...context, random: seededSource(5) }, run);
    const added = (await keys()).filter((key) => !before.includes(key));
    const own = PRIVATE_KEYS.shadow(run, PRIVATE_BUILD);
    expect(added).toEqual([RELEASE_KEYS.shadowReceipt(run, PRIVATE_BUILD), own]);
    const first = await readBytes(context.privateStore, own);
    // Whoever has it tried again and again gets the same: they cannot wait for tallies that they like.
    await shadow({ ...context, random: seededSource(6) }, run);
    expect((await keys()).filter((key) => !before.includes(key))).toEqual(added);
    expect(await readBytes(context.privateStore, own)).toEqual(first);
  });

  /** A worker whose kind of taps changes what is drawn before the activity stores it. */
  const changing = (change: (table: TableRows) => TableRows): PrivateContext => {
    const counts: PrivateKind['counts'] = async (context, input, series) => {
      const honest = await privateTaps.counts(context, input, series);
      return {
        ...honest,
        draw: async () =>
          jsonBytes(
            tableOfRows(
              change(rowsOfTable(privatizedTableSchema.parse(JSON.parse((await honest.draw()).toString('utf8'))))),
            ),
          ),
      };
    };
    return { ...bench.context, random: seededSource(5), kinds: { taps: { ...privateTaps, counts } } };
  };
  const failedBy = async (context: PrivateContext): Promise<string[]> => {
    const counts = await tried(context);
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

  test('C15 left-out taps: the stage passes, and without noise, or with the same noise at both ends, it is caught', async () => {
    bench = await StageBench.open({ unit: 'card-day', maxTaps: 2, clamp: 3, source: { columns: CARD_COLUMNS } });
    expect(await failedBy(changing((table) => table))).toEqual([]);
    const exactOf = (count: number): number => 1000 * Math.round(count / 1000);
    const exact = changing(({ leftOut = [], ...table }) => ({
      ...table,
      leftOut: leftOut.map(([tap, count]) => [tap, exactOf(count)]),
    }));
    expect(await failedBy(exact)).toContain('mechanism-margins');
    const shared = changing(({ leftOut = [], ...table }) => {
      const first = leftOut[0]![1];
      return { ...table, leftOut: leftOut.map(([tap, count]) => [tap, exactOf(count) + first - exactOf(first)]) };
    });
    expect(await failedBy(shared)).toContain('mechanism-independence');
    expect(await failedBy(changing(({ leftOut: _, ...table }) => table))).toContain('mechanism-margins');
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
      fill: (target: Uint16Array) => void target.fill(0x9e37),
    } as const;
    const counts = await tried({ ...bench.context, random: stuck });
    const certificate = certify(bench.series.privacy);
    const failed = MECHANISM_CHECKS.map((check) => check(counts, certificate, TEST_LEVEL)).filter(
      ({ verdict }) => verdict === 'fail',
    );
    expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining(['mechanism-noise', 'mechanism-independence']));
  });
});
