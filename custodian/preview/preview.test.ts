import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reserve } from '../../activities/private/reserve.ts';
import { applySeries } from '../../client/series/apply-series.ts';
import { loadSeriesFile } from '../../client/series/series-file.ts';
import {
  binSmall,
  PARTITIONS,
  REPLACED,
  TRIPS,
  WINDOW,
  writeSmallSeries,
} from '../../kinds/synthetic/small-synthetic.fixture.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { POLICY_KEY } from '../../test/support/test-custody.ts';
import { recordLook } from './preview.ts';

test('C17: after a look, a series file that was not there before is charged only when it says so', async () => {
  const { context, run } = await binSmall(TRIPS);
  const look = { window: WINDOW, command: 'risk advise', shown: null } as const;
  await recordLook(context, { series: await readSeries(context.releaseStore, run), digest: run.seriesDigest }, look);
  /** A further version needs an order: it gets as far as that unless it is refused before. */
  const reserveUnder = async (seriesDigest: string, version: number) =>
    reserve(context, { ...run, seriesDigest, version, partitions: PARTITIONS });
  const written = async (privacy: string, rounds = 7, edit = (text: string) => text) => {
    const file = await writeSmallSeries(newFolder(), { privacy, rounds });
    await writeFile(file, edit(await readFile(file, 'utf8')));
    const loaded = await loadSeriesFile(file);
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

  // Other words for readers, and other ways to find and read objects, are no choice. A list, or a value of its own, is.
  const shown = (text: string) =>
    text
      .replace('title: Small', 'title: Smaller')
      .replace('manager@', 'director@')
      .replace('pattern: "{date}', 'encoding: latin-1\n  completeness: { waitHours: 1 }\n  pattern: "all/{date}');
  const same = await written(REPLACED, 6, shown);
  expect(same).not.toBe(run.seriesDigest);
  await expect(reserveUnder(same, 5)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
  const changes: [string, string][] = [
    ['epsilon: 4', 'epsilon: 3'],
    ['26:00', '25:00'],
    ['values: [adult, child]', 'values: [adult]'],
  ];
  for (const [version, [from, to]] of changes.entries()) {
    const other = await written(REPLACED, 6, (text) => shown(text).replace(from, to));
    await expect(reserveUnder(other, 6 + version)).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
  }
  // Who looks once more, now with another file, has not made its parameters older than the first look.
  const later = await written(REPLACED, 5);
  const second = await readSeries(context.releaseStore, { ...run, seriesDigest: later });
  await recordLook(context, { series: second, digest: later }, look);
  await expect(reserveUnder(later, 10)).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
  await expect(reserveUnder(same, 11)).rejects.toMatchObject({ code: 'ORDER_MISSING' });
});
