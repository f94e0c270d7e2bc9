import { expect, test } from 'vitest';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import {
  binned,
  PARTITIONS,
  REPLACED,
  TRIPS,
  WINDOW,
  writeSmallSeries,
} from '../../kinds/synthetic/small-synthetic.fixture.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { POLICY_KEY } from '../../test/support/test-custody.ts';
import { readSeries } from '../stores/series-objects.ts';
import { recordLook } from './preview.ts';
import { reserve } from './reserve.ts';

test('C17: after a look, a series file that was not there before is charged only when it says so', async () => {
  const { context, run } = await binned(TRIPS);
  const look = { window: WINDOW, command: 'risk advise', shown: null } as const;
  await recordLook(context, { series: await readSeries(context.releaseStore, run), digest: run.seriesDigest }, look);
  /** A further version needs an order: it gets as far as that unless it is refused before. */
  const reserveUnder = async (seriesDigest: string, version: number) =>
    reserve(context, { ...run, seriesDigest, version, partitions: PARTITIONS });
  const written = async (privacy: string) => {
    const loaded = await loadSeriesFile(await writeSmallSeries(newFolder(), { privacy, rounds: 7 }));
    await applySeries({ releaseStore: context.releaseStore, signingKey: POLICY_KEY.privateKey }, loaded);
    return loaded.digest;
  };
  await expect(reserveUnder(await written(REPLACED), 2)).rejects.toMatchObject({
    code: 'POLICY_REFUSED',
    message: expect.stringMatching(/were looked at \(opaline risk advise\).*privacy\.chosenOn/),
  });
  const told = await written(`${REPLACED}, chosenOn: this very day`);
  await expect(reserveUnder(told, 3)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
  // What was there before the look was chosen without it, and what is charged stays.
  await expect(reserveUnder(run.seriesDigest, 4)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
  expect(await reserveUnder(run.seriesDigest, 1)).toEqual({ charge: expect.any(String) });
});
