import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import type { TestStack } from '../support/test-stack.ts';
import { expectUsualRelease, startJumpingStack } from './jumping-clock.fixture.ts';

let stack: TestStack;
let series: SmallSeries;
beforeAll(async () => {
  stack = await startJumpingStack();
  series = await writeSmallSeries(join(stack.root, 'small'));
  await writeSmallTrips(stack.source);
});
afterAll(() => stack?.end());

test('the clocks of both workers jump by days and years: the release, its times and its ledger are as ever', async () => {
  const publication = new FolderStore(stack.files.publication);
  await expectUsualRelease(stack, series, {
    release: stack.client.releaseStore,
    publication,
    population: 'small-riders',
  });
}, 300_000);
