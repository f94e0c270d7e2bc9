import { expect, test } from 'vitest';
import { simulate } from './release-simulation.ts';

test('a thousand seeds', async () => {
  for (let seed = 1; seed <= 1000; seed += 1)
    expect((await simulate(seed)).violations, `npm run sim -- --seed ${seed}`).toEqual([]);
});
