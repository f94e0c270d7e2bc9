import { expect, test } from 'vitest';
import { compareSafety, safetyReport } from '../../../custodian/risk/safety.ts';
import { filesWith } from '../../../test/support/files-with.ts';
import { seededSource } from '../../../test/support/seeded-source.ts';
import { binSmall, PARTITIONS, TRIPS, WINDOW } from '../small-synthetic.fixture.ts';

const RELEASE = { series: 'small', window: WINDOW, version: 1 };

const reportOf = async (rounds: number) => {
  const { context } = await binSmall(TRIPS, { rounds }, { random: seededSource(7) });
  return safetyReport(context, RELEASE, 8);
};

test('trips that are asked once are farther from what is drawn than those that are asked six times', async () => {
  const [once, often] = [await reportOf(1), await reportOf(6)];
  expect(often.partitions.map(({ partition }) => partition).sort()).toEqual(
    PARTITIONS.map(({ part, day }) => `${part}/${day}`).sort(),
  );
  for (const { draws, mean, variance } of often.partitions)
    expect({ draws, finite: Number.isFinite(mean) && mean > 0 && variance > 0 }).toEqual({ draws: 8, finite: true });
  const { relative } = compareSafety(often, once);
  expect(relative!.to).toBe('small/2026-03-02/v1');
  expect(relative!.safety!).toBeGreaterThan(1.1);
  // Broken twin: the other way round it would be the less safe one.
  expect(compareSafety(once, often).relative!.safety!).toBeCloseTo(1 / relative!.safety!, 9);
});

test('@contract C11 the draws of a report are kept nowhere: no store has a byte more than before', async () => {
  const { release, context } = await binSmall(TRIPS, {}, { random: seededSource(7) });
  const before = await filesWith(release.root, ['']);
  const { partitions, confidential } = await safetyReport(context, RELEASE, 3);
  expect(confidential).toContain('Confidential');
  expect(await filesWith(release.root, ['', ...partitions.map(({ mean }) => String(mean))])).toEqual(before);
  await expect(safetyReport(context, { ...RELEASE, window: '2026-03-09' }, 3)).rejects.toMatchObject({
    code: 'RELEASE_UNKNOWN',
  });
});
