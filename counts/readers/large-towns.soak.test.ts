import { expect, test } from 'vitest';
import { holds, measureTown, ROUNDING } from '../../test/support/measured-town.ts';

test('of towns of 3 million taps a week nine in ten are as they were said to be', { timeout: 600_000 }, () => {
  const towns = Array.from({ length: 20 }, (_, town) => measureTown(201 + town, 3_000_000));
  for (const figure of ['cells', 'hours', 'time', 'location'] as const)
    expect(towns.filter((town) => holds(town, figure)).length).toBeGreaterThanOrEqual(18);
  for (const town of towns) expect(town.worth).toBeGreaterThan(town.bestWorth - 0.1);
  expect(towns.filter(({ likeError }) => likeError <= ROUNDING).length).toBeGreaterThanOrEqual(18);
});
