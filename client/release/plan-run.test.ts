import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { putOrder, requireOrder, signOrder } from '../../services/orders/orders.ts';
import { nextNumber, putSignature, requireSignature, signSeries } from '../../services/orders/series-signature.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { SMALL_WINDOW, writeSmallSeries } from '../../test/support/small-series.ts';
import { TEST_CHAIN } from '../../test/support/trust-files.ts';
import { planRun, requireStartable } from './plan-run.ts';

const folder = newFolder();
let file: string;
beforeAll(async () => {
  ({ file } = await writeSmallSeries(folder));
});

const planAt = (moment: string, series = file) =>
  planRun(
    { releaseStore: new FolderStore(join(folder, 'release')), trust: async () => TEST_CHAIN },
    series,
    SMALL_WINDOW,
    1,
    new Date(moment),
  );

test('the dry run of a complete domain says how large it is, and how many rows nobody made', async () => {
  const floors = await writeSmallSeries(join(folder, 'floors'));
  const text = await readFile(floors.file, 'utf8');
  await writeFile(
    floors.file,
    text
      .replace('mechanism: stability-histogram', 'mechanism: complete-domain\n  hours: {}')
      .replace('delta: 1e-6', 'delta: 0'),
  );
  const { summary, loaded } = await planAt('2026-03-05T13:00:00Z', floors.file);
  expect(loaded.series.privacy).toMatchObject({ floor: 6, hours: { floor: 8, bins: 4 } });
  expect(summary.inWords.join(' ')).toContain('cells, and each gets noise');
  const { summary: histogram } = await planAt('2026-03-05T13:00:00Z');
  expect(histogram.inWords.join(' ')).not.toContain('domain');
});

describe('a window that has not ended yet', () => {
  // The window ends on 4 March 2026 in Sydney, eleven hours ahead of UTC.
  test('is refused up to its last minute in the zone of the series', async () => {
    await expect(planAt('2026-03-04T12:59:59.999Z')).rejects.toMatchObject({
      code: 'WINDOW_INVALID',
      message:
        'The window 2026-03-02 is complete at 2026-03-05 00:00 (Australia/Sydney), lag days included; start its release then.',
    });
  });

  test('is planned from the first moment after it on', async () => {
    const { summary } = await planAt('2026-03-04T13:00:00Z');
    expect(summary).toMatchObject({ release: 'small/2026-03-02/v1', partitions: 6, overCap: null });
  });

  test('waits for its lag days, and for the end of a traffic day', async () => {
    const late = await writeSmallSeries(join(folder, 'late'));
    const text = await readFile(late.file, 'utf8');
    const changed = text.replace(
      'window: { days: 3,',
      'day: { starts: "04:00", ends: "28:30" }\nwindow: { lagDays: 2, days: 3,',
    );
    await writeFile(late.file, changed);
    await expect(planAt('2026-03-06T17:29:00Z', late.file)).rejects.toMatchObject({ code: 'WINDOW_INVALID' });
    await expect(planAt('2026-03-06T17:30:00Z', late.file)).resolves.toMatchObject({ run: { window: SMALL_WINDOW } });
  });
});

describe('a dry run refuses what the run would refuse', () => {
  const key = generateSigningKey().privateKey;
  const store = new MemoryStore();
  const place = (signingKey: string | null = null) => ({ releaseStore: store, signingKey });
  const planned = async (version = 1) => {
    const plan = await planAt('2026-03-05T13:00:00Z');
    return { ...plan, run: { ...plan.run, version } };
  };

  test('a series file that nobody has signed, and not one that is signed beside it, in the store, or by the own key', async () => {
    const plan = await planned();
    const unsigned = { ...plan, loaded: { ...plan.loaded, signature: null } };
    await expect(requireStartable(place(), unsigned)).rejects.toMatchObject({ code: 'SERIES_UNSIGNED' });
    await requireStartable(place(key), unsigned);
    const signature = signSeries(plan.loaded, 1, key);
    await requireStartable(place(), { ...plan, loaded: { ...plan.loaded, signature } });
    const other = signSeries({ ...plan.loaded, digest: 'b'.repeat(64) }, 1, key);
    const misplaced = { ...plan, loaded: { ...plan.loaded, signature: other } };
    await expect(requireStartable(place(), misplaced)).rejects.toMatchObject({ code: 'SIGNATURE_INVALID' });
    for await (const { key } of store.list('')) expect(key).toBe('nothing is put');
    await putSignature(store, { ...plan.loaded, signature }, null);
    await requireStartable(place(), unsigned);
  });

  test('a second version without an order, and an order of something else', async () => {
    const plan = await planned(2);
    await expect(requireStartable(place(), plan)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
    const draft = (version: number) => ({ kind: 'version' as const, ...plan.run, version, correction: null });
    const order = signOrder(draft(2), key);
    await requireStartable(place(), plan, order);
    await expect(requireStartable(place(), plan, signOrder(draft(3), key))).rejects.toMatchObject({ code: 'USAGE' });
    await requireStartable(place(key), plan);
    await putOrder(store, order);
    await requireStartable(place(), plan);
  });

  test('the order of windows is one for the first version of each of them, and for no other', async () => {
    const [first, second] = [await planned(), await planned(2)];
    const { series, seriesDigest } = first.run;
    const windows = (from: string) => signOrder({ kind: 'windows', series, seriesDigest, from, to: '2026-03-09' }, key);
    await requireStartable(place(key), first, windows(SMALL_WINDOW));
    for (const [plan, from] of [
      [first, '2026-03-03'],
      [second, SMALL_WINDOW],
    ] as const)
      await expect(requireStartable(place(key), plan, windows(from))).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('the order of a correction is named with all that makes it', async () => {
    const correction = { of: 1, partitions: [{ part: 'bus', day: SMALL_WINDOW }], reason: 'object-late' as const };
    const draft = { kind: 'version' as const, ...(await planned(2)).run, correction };
    await expect(requireOrder({ releaseStore: new MemoryStore(), signingKey: null }, draft, null)).rejects.toThrow(
      `opaline order version small/${SMALL_WINDOW}/v1 --partition bus/${SMALL_WINDOW} --reason object-late --key KEY.pem`,
    );
  });

  test('a file that is signed anew without a stack counts on from the signature beside it', async () => {
    const { loaded } = await planned();
    const beside = (digest: string) => signSeries({ ...loaded, digest }, 4, key);
    expect(await nextNumber(null, { ...loaded, signature: null }, key)).toBe(1);
    expect(await nextNumber(null, { ...loaded, signature: beside(loaded.digest) }, key)).toBe(4);
    expect(await nextNumber(null, { ...loaded, signature: beside('b'.repeat(64)) }, key)).toBe(5);
    const others = signSeries({ series: { series: 'other' }, digest: loaded.digest }, 7, key);
    expect(await nextNumber(null, { ...loaded, signature: others }, key)).toBe(1);
  });

  test('a number that a stranger signed counts for nothing, and the last one has a sentence', async () => {
    const { loaded } = await planned();
    const store = new MemoryStore();
    const other = { ...loaded, digest: 'b'.repeat(64) };
    const sign = (privateKey: string) =>
      putSignature(store, { ...other, signature: signSeries(other, Number.MAX_SAFE_INTEGER, privateKey) }, null);
    await sign(generateSigningKey().privateKey);
    expect(await nextNumber(store, { ...loaded, signature: null }, key)).toBe(1);
    await sign(key);
    await expect(nextNumber(store, { ...loaded, signature: null }, key)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('the greatest number that there is'),
    });
  });

  test('a signature and an order are found behind thousands of objects of others', async () => {
    const { loaded, run } = await planned(2);
    const store = new MemoryStore();
    for (let n = 0; n < 1500; n += 1) {
      const name = `${n.toString(16).padStart(64, '0')}.json`;
      await store.putIfAbsent(`${RELEASE_KEYS.seriesSignatures(run.series, loaded.digest)}${name}`, Buffer.from('{}'));
      await store.putIfAbsent(`${RELEASE_KEYS.orders(run.series)}${name}`, Buffer.from('junk'));
    }
    const draft = { kind: 'version' as const, ...run, correction: null };
    await putOrder(store, signOrder(draft, key));
    await putSignature(store, { ...loaded, signature: signSeries(loaded, 3, key) }, null);
    expect(await requireOrder({ releaseStore: store, signingKey: null }, draft, null)).toBe(null);
    await expect(requireSignature(store, { ...loaded, signature: null }, null)).resolves.toBeUndefined();
  });
});
