import { afterAll, beforeAll, expect, test } from 'vitest';
import { follow, TwoHosts } from './two-hosts.fixture.ts';

/** A key is changed as the runbook says while releases are under way on two hosts; rotation.soak.test.ts has all. */
let hosts: TwoHosts;

beforeAll(async () => {
  hosts = await TwoHosts.open();
}, 240_000);
afterAll(() => hosts?.close());

test('the ledger’s key: a host that is behind gives its work back, and nobody is needed', {
  timeout: 900_000,
}, async () => {
  const desk = await hosts.desk('ledger');
  const before = await hosts.started();
  await follow(desk, 1);
  // The second host has neither file nor key: what comes to it is done by the first.
  await hosts.gated(await hosts.started());
  await hosts.gated(before);
  expect(await hosts.log()).toContain('TRUST_BEHIND');
  await follow(desk, 2);
  const after = await hosts.gated(await hosts.started());
  for (const run of [before, after]) expect(await hosts.bucket.decided(run)).toBe('published');
  await hosts.expectNothingFalse();
});
