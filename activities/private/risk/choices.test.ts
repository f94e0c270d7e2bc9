import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { binned, PARTITIONS, REPLACED, TRIPS, WINDOW } from '../../../kinds/synthetic/small-synthetic.fixture.ts';
import type { Binned } from '../../../test/support/release-bench.ts';
import { readSeries } from '../../stores/series-objects.ts';
import { reserve } from '../reserve.ts';
import { recordChoice } from './choices.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-choices-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A second version needs an order: it gets as far as that unless it is refused before. */
const reserveAgain = ({ context, run }: Binned) => reserve(context, { ...run, version: 2, partitions: PARTITIONS });
const seriesOf = ({ context, run }: Binned) => readSeries(context.releaseStore, run);
const ORDER = { code: 'ORDER_MISSING' };

describe('C17: a choice on a window', () => {
  test('is recorded, and a release of the window is refused before it is charged', async () => {
    const run = await binned(join(folder, 'undeclared'), TRIPS);
    const series = await seriesOf(run);
    await expect(reserveAgain(run)).rejects.toMatchObject(ORDER);
    await recordChoice(run.context, series, '2026-03-09');
    const elsewhere = { ...series, source: { ...series.source, store: 'other' } };
    await recordChoice(run.context, elsewhere, WINDOW);
    await expect(reserveAgain(run)).rejects.toMatchObject(ORDER);
    await recordChoice(run.context, series, WINDOW);
    await expect(reserveAgain(run)).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      message: expect.stringContaining('privacy.chosenOn'),
    });
  });

  test('that the series declares is no reason to refuse it', async () => {
    const run = await binned(join(folder, 'declared'), TRIPS, { privacy: `${REPLACED}, chosenOn: this very day` });
    await recordChoice(run.context, await seriesOf(run), WINDOW);
    await expect(reserveAgain(run)).rejects.toMatchObject(ORDER);
  });

  test('does not take back what was charged before it', async () => {
    const run = await binned(join(folder, 'charged'), TRIPS);
    const again = () => reserve(run.context, { ...run.run, partitions: PARTITIONS });
    const before = await again();
    await recordChoice(run.context, await seriesOf(run), WINDOW);
    expect(await again()).toEqual(before);
  });
});
