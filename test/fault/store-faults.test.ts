import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreFault } from '../support/fault-proxy.ts';
import { UNHARMED } from '../support/reliability-record.ts';
import { type FaultyStores, releaseWithFaults, startFaultyStores } from './store-faults.fixture.ts';

const SEED = 5;

let stores: FaultyStores;
beforeAll(async () => {
  stores = await startFaultyStores();
});
afterAll(() => stores?.end());

const FAULTS: StoreFault[] = [
  ...(['no answer', 'answer lost', 'write after its time-out', 'slow answer', 'answer that stops'] as const),
  ...(['500', '503', '409', 'truncated answer'] as const),
];

test('a release whose S3 requests of every kind meet faults is published as one without faults', {
  tags: 'soak',
  timeout: 200_000,
}, async () => {
  const plan = { seed: SEED, version: 1, faults: FAULTS, share: 0.05 };
  const { row, story, met, heldBack } = await releaseWithFaults(stores, plan);
  for (const operation of ['GET', 'GET list', 'HEAD', 'PUT'])
    expect(
      met.filter((name) => name.endsWith(`: ${operation}`)),
      story,
    ).not.toEqual([]);
  expect(row, story).toMatchObject({ completed: 1, ...UNHARMED });
  expect(
    heldBack.filter((code) => code !== 'STORE_UNAVAILABLE'),
    story,
  ).toEqual([]);
});
