import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { newFolder } from '../support/new-folder.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { uploadFolder } from '../support/store-folders.ts';
import { startTwoSidedGateway, type TwoSidedGateway } from '../support/two-sided-gateway.ts';
import { expectUsualRelease, startJumpingStack } from './jumping-clock.fixture.ts';

let gateway: TwoSidedGateway;
const trips = newFolder();
beforeAll(async () => {
  gateway = await startTwoSidedGateway();
  await writeSmallTrips(trips);
  await uploadFolder(trips, gateway.store('source', undefined, 'trips'), '.csv.gz');
});
afterAll(async () => {
  await gateway?.stop();
});

test('S3 stores, and both workers start and work while their clocks jump every second by days and years, there and back: the release, its times and its ledger are as ever', async () => {
  const stack = await startJumpingStack((root) => gateway.deployments(root, ['trips']));
  try {
    const series = await writeSmallSeries(join(stack.root, 'small'));
    const places = {
      release: gateway.store('release'),
      publication: gateway.store('publication'),
      population: 'small-riders',
    };
    await expectUsualRelease(stack, series, places, gateway.unfinishedUploads);
  } finally {
    await stack.end();
  }
}, 300_000);
