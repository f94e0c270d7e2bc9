import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { smallPlaces } from '../support/small-stack.ts';
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
  await expectUsualRelease(stack, series, smallPlaces(stack));
}, 300_000);
