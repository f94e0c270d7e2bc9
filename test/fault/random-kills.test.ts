import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNHARMED } from '../support/reliability-record.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import type { TestStack } from '../support/test-stack.ts';
import { killAtRandom } from './random-kills.fixture.ts';

const SEED = 3;

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  ({ stack, series } = await startSmallStack());
});
afterAll(() => stack?.end());

test(`SIGKILL of each worker and of the Temporal server at random moments, seed ${SEED}: nothing is lost or doubled`, async () => {
  const { rows, story } = await killAtRandom(stack, series, { seed: SEED, kills: 4 });
  for (const row of rows) expect(row, story.join('\n')).toMatchObject({ completed: row.releases, ...UNHARMED });
}, 400_000);
