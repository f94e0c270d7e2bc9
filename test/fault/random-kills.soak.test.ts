import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordReliability, UNHARMED } from '../support/reliability-record.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import type { TestStack } from '../support/test-stack.ts';
import { killAtRandom } from './random-kills.fixture.ts';

/** Sixty kills, in rounds of ten with a stack each; both can be set, to run a part of them. */
const SEED = Number(process.env.OPALINE_SOAK_SEED ?? 1);
const ROUNDS = Number(process.env.OPALINE_SOAK_ROUNDS ?? 6);
const KILLS = 10;

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  // Every release is charged, and all are of the same days. At ε = 1 a partition of ninety taps in its largest cell would
  // publish nothing once in 9,000 draws, and a release whose audit says so waits for somebody to acknowledge it.
  ({ stack, series } = await startSmallStack({ changes: { epsilon: '2', blockEpsilon: '1000' } }));
});
afterAll(() => stack?.end());

test.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'SIGKILL of each worker and of the Temporal server at ten random moments, seed %i',
  async (seed) => {
    const firstVersion = (seed - SEED) * KILLS + 1;
    const { rows, story } = await killAtRandom(stack, series, { seed, kills: KILLS, firstVersion });
    console.log(`seed ${seed}\n${story.join('\n')}`);
    for (const row of rows) await recordReliability(row);
    for (const row of rows)
      expect(row, story.join('\n')).toMatchObject({ releases: row.completed + row.failedClearly, ...UNHARMED });
  },
);
