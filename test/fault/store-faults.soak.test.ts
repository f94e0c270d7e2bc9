import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORE_FAULTS, type StoreFault } from '../support/fault-proxy.ts';
import { recordReliability, UNHARMED } from '../support/reliability-record.ts';
import { type FaultyStores, releaseWithFaults, startFaultyStores } from './store-faults.fixture.ts';

/** Releases for each fault, a seed each; both can be set, to run a part of them. */
const SEED = Number(process.env.OPALINE_SOAK_SEED ?? 1);
const ROUNDS = Number(process.env.OPALINE_SOAK_ROUNDS ?? 3);

let stores: FaultyStores;
beforeAll(async () => {
  // Every release is charged, and all are of the same days.
  stores = await startFaultyStores({ epsilon: '2' });
});
afterAll(() => stores?.end());

const CASES = STORE_FAULTS.flatMap((fault, number) =>
  Array.from({ length: ROUNDS }, (_, round): [StoreFault, number, number] => [
    fault,
    SEED + round,
    number * ROUNDS + round + 1,
  ]),
);

test.each(CASES)('S3 requests of a release meet "%s", seed %i', async (fault, seed, version) => {
  const { row, story, heldBack } = await releaseWithFaults(stores, { seed, version, faults: [fault], share: 0.05 });
  console.log(story);
  await recordReliability(row);
  expect(row, story).toMatchObject({ releases: row.completed + row.failedClearly, ...UNHARMED });
  expect(
    heldBack.filter((code) => code !== 'STORE_UNAVAILABLE'),
    story,
  ).toEqual([]);
});
