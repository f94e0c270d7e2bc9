import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { POLICY_FORMAT, POLICY_POWERS, type Policy } from '../../contracts/formats/policy.ts';
import { type Partition, releasePath } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import type { Correction, Run } from '../../contracts/stages.ts';
import { windowDays } from '../../core/calendar/window.ts';
import { highWaterFile } from '../../custodian/custody/high-water.ts';
import { numberPolicy, type ReadPolicy } from '../../custodian/policy/policy-file.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import type { TapsSeries } from '../../kinds/taps/series.ts';
import { tapsKind } from '../../kinds/taps/series-kind.ts';
import { chargeOf } from '../../services/ledger/charge.ts';
import { appendToLedger, type Ledger } from '../../services/ledger/ledger.ts';
import { putOrder, signOrder } from '../../services/orders/orders.ts';
import { seededKey } from './seeded-key.ts';
import { TEST_TRUST } from './test-trust.ts';

/** The custodian of tests that call activities as functions: a policy key, and the key of the private worker. */
export const POLICY_KEY = seededKey('policy');
export const LEDGER_KEY = seededKey('ledger');

/** A policy over the populations of the tests, with changes. */
export const testPolicy = (change: Partial<Policy> = {}): ReadPolicy =>
  numberPolicy({
    format: POLICY_FORMAT,
    number: 1,
    demo: true,
    keys: [{ name: 'custodian', key: POLICY_KEY.publicKey, may: [...POLICY_POWERS], revoked: false }],
    revokedSeries: [],
    populations: TEST_TRUST.populations,
    ...change,
  });

/** Which keys may have signed entries: one function, as what was checked is kept for the keys that it was asked with. */
export const ledgerKeys = (): string[] => [LEDGER_KEY.publicKey];

type Custody = Pick<
  PrivateContext,
  'policy' | 'trust' | 'requireNewest' | 'ledgerKeys' | 'ledgerKey' | 'highWater' | 'now' | 'build' | 'ensureShadow'
>;

/** Digest of its sources, as a private worker of tests names it. */
export const PRIVATE_BUILD = 'b1'.repeat(32);

/** What a custodian adds to the context of private activities in folders below a root. */
export const custodyBelow = (root: string): Custody => ({
  policy: testPolicy(),
  trust: { number: 1, digest: '1'.repeat(64) },
  requireNewest: async () => {},
  ledgerKeys,
  ledgerKey: LEDGER_KEY.privateKey,
  highWater: highWaterFile(join(root, 'state.json')),
  now: () => new Date('2026-11-22T00:00:00Z'),
  build: PRIVATE_BUILD,
  ensureShadow: async () => {}, // a full shadow run takes seconds; tests of it put the real one here
});

/** What appends entries to a ledger in a store, as the private worker does. */
export const ledgerWriter = (store: ObjectStore) => ({ store, keys: ledgerKeys, privateKey: LEDGER_KEY.privateKey });

/** What reserve entries say beside their charge. */
export const RESERVE_TERMS = {
  unit: 'trip',
  neighbours: 'replace-one',
  mechanism: 'stability-histogram',
  series: { name: 'taps', digest: '0'.repeat(64), number: 1 },
  policy: { number: 1, digest: '0'.repeat(64) },
  trust: { number: 1, digest: '1'.repeat(64) },
  order: null,
  correction: null,
};

/** Puts the charge of a release into a store, as if the private worker had copied it there; gives the ledger then. */
export async function putCharge(
  store: ObjectStore,
  series: TapsSeries,
  run: Run,
  partitions: readonly Partition[],
  id: string = randomUUID(),
): Promise<Ledger> {
  const charge = chargeOf(tapsKind, series, windowDays(series, run.window), partitions, null);
  return appendToLedger(ledgerWriter(store), series.population, () => ({
    kind: 'reserve',
    charge: id,
    release: releasePath(run),
    ...RESERVE_TERMS,
    unit: series.privacy.unit,
    series: { name: run.series, digest: run.seriesDigest, number: 1 },
    ...charge,
  }));
}

/** Signs a series file and orders a version of it with the policy key, in the release store. */
export async function ordered(store: ObjectStore, run: Run, correction: Correction | null = null): Promise<void> {
  const draft = { series: run.series, seriesDigest: run.seriesDigest, window: run.window, version: run.version };
  const id = '00000000-0000-4000-8000-000000000000';
  await putOrder(store, signOrder({ kind: 'version', ...draft, correction }, POLICY_KEY.privateKey, id));
}
