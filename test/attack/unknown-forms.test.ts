import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { putOrder, signOrder } from '../../services/orders/orders.ts';
import { takeoverOfShown } from '../../services/orders/takeover-order.ts';
import { signDocument } from '../../services/signing/signed-document.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { LEDGER_KEY, POLICY_KEY, testPolicy } from '../support/test-custody.ts';
import { widePopulation } from '../support/test-trust.ts';

const POPULATION = 'small-riders';
let release: ReleaseBench;
let ids = 0;

beforeEach(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
});

function reserve(version = 1, change: Partial<PrivateContext> = {}) {
  const { private: usual } = release.contexts({ random: seededSource(1), newId: () => numberedId(++ids) });
  const worker = createPrivateActivities({ ...usual, ...change });
  return worker.reserve({ ...release.run(version), partitions: release.partitions });
}
const entries = async () => (await readLedger(release.store('private'), POPULATION)).entries;

/** What an older build, or anybody, may have left where entries of a ledger are. */
const UNKNOWN: [string, () => Buffer][] = [
  ['an unsigned entry of the first form', () => jsonBytes({ format: 'opaline-ledger/1', sequence: 1 })],
  [
    'a signed entry of the second form',
    () => jsonBytes(signDocument({ format: 'opaline-ledger/2' }, LEDGER_KEY.privateKey)),
  ],
  ['garbage', () => Buffer.from('garbage')],
];
const refused = async (): Promise<void> => {
  const before = await release.objects();
  await expect(reserve()).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
  expect(await release.objects()).toEqual(before);
};

test.each(
  UNKNOWN.flatMap(([what, bytes]) =>
    (['private', 'release'] as const).flatMap((store) => [1, 7].map((at) => [what, store, at, bytes] as const)),
  ),
)('C12: %s in the %s store, at place %d, never begins at zero', async (_, store, at, bytes) => {
  await release.store(store).putIfAbsent(RELEASE_KEYS.ledgerEntry(POPULATION, at), bytes());
  await refused();
});

test('C12: a mark alone, or a staged manifest of any form, never begins at zero', async () => {
  const mark = { sequence: 3, digest: 'ab'.repeat(32) };
  await writeFile(
    join(release.root, 'state.json'),
    JSON.stringify({ format: 'opaline-state/1', ledgers: { [POPULATION]: mark } }),
  );
  await refused();
  await rm(join(release.root, 'state.json'));
  const key = RELEASE_KEYS.staged({ ...release.run(), version: 9 }, 'a-build', FILES.manifest);
  const manifest = { format: 'opaline-manifest/1', population: POPULATION };
  await release.store('release').putIfAbsent(key, jsonBytes(manifest));
  await refused();
  // Broken twin: of another population it says nothing of this one.
  await rm(join(release.folder('release'), key));
  await release.store('release').putIfAbsent(key, jsonBytes({ ...manifest, population: 'others' }));
  expect(await reserve()).toMatchObject({ charge: expect.any(String) });
});

test('C12: the charges of an older build are taken over by an order into an empty ledger, and count as spent', async () => {
  const ε = { epsilon: '8', delta: '1/1000000' };
  const week = { firstDay: '2026-03-02', lastDay: '2026-03-08' };
  const shown = {
    population: POPULATION,
    charges: [{ release: 'small/2026-03-02/v1', ...ε, ...week, blocks: 14, charge: numberedId(1), state: 'committed' }],
    blocks: [{ ...ε, ...week, parts: ['bus', 'ferry'], blocks: 14 }],
  };
  const draft = takeoverOfShown(JSON.stringify({ populations: [shown] }), POPULATION);
  await putOrder(release.store('release'), signOrder(draft, POLICY_KEY.privateKey));
  const rules = widePopulation(['trips'], { caps: { block: ε, year: { epsilon: '100', delta: '1' } } });
  const policy = testPolicy({ populations: { [POPULATION]: rules } });
  await expect(reserve(1, { policy })).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect((await entries()).map(({ kind }) => kind)).toEqual(['takeover', 'policy', 'refuse']);
});
