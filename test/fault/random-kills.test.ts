import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { startTestStack, type TestStack } from '../support/test-stack.ts';
import { killAtRandom } from './random-kills.fixture.ts';

const SEED = 3;

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  stack = await startTestStack();
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
});
afterAll(() => stack?.end());

test(`SIGKILL of each worker and of the Temporal server at random moments, seed ${SEED}: nothing is lost or doubled`, async () => {
  const places = {
    release: stack.client.releaseStore,
    publication: new FolderStore(stack.files.publication),
    population: 'small-riders',
  };
  const { rows, story } = await killAtRandom(stack, series, places, { seed: SEED, kills: 4 });
  for (const row of rows)
    expect(row, story.join('\n')).toMatchObject({
      completed: row.releases,
      outputsDiffering: 0,
      ledgerErrors: 0,
      leftovers: 0,
    });
}, 400_000);
