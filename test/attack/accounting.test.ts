import { beforeEach, describe, expect, test } from 'vitest';
import { createPrivateActivities } from '../../activities/private/private-activities.ts';
import type { PopulationPolicy } from '../../contracts/formats/policy.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { charges, ledgerAccounting } from '../../core/ledger/budget.ts';
import type { PrivateContext } from '../../custodian/private-context.ts';
import { appendToLedger, readLedger } from '../../services/ledger/ledger.ts';
import { type OrderDraft, putOrder, signOrder } from '../../services/orders/orders.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { sha256 } from '../../services/stores/json-objects.ts';
import { numberedId, ReleaseBench } from '../support/release-bench.ts';
import { seededSource } from '../support/seeded-source.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { ledgerWriter, ordered, POLICY_KEY, testPolicy } from '../support/test-custody.ts';
import { sourceStoreOf, widePopulation } from '../support/test-trust.ts';

/**
 * A population that begins to count ρ, attacked by whoever has the credentials of Temporal, the client or the release
 * store: any payload, any order, any series file, and workers with an older policy.
 */

const POPULATION = 'small-riders';
const DOMAIN = /mechanism: stability-histogram([\s\S]*?)delta: 1e-6/;
const inDomain = (yaml: string) => yaml.replace(DOMAIN, 'mechanism: complete-domain$1delta: 0');
const inRho = (yaml: string) =>
  inDomain(yaml)
    .replace('block: { epsilon: 100, delta: 1e-3 }', 'block: { rho: 100 }')
    .replace(/year: \{ epsilon: [^}]*\}/, 'year: { rho: 200 }');

const source = sourceStoreOf(POPULATION);
const rules = (change: Partial<PopulationPolicy>) =>
  testPolicy({ number: 2, populations: { [POPULATION]: widePopulation([source], change) } });
const rhoRules: Partial<PopulationPolicy> = {
  accounting: 'rho',
  mechanisms: ['complete-domain', 'discrete-gaussian'],
  release: { epsilon: '8', delta: '1/1000000', rho: '32' },
  caps: { block: { rho: '64' }, year: { rho: '100' } },
};
const accounting: OrderDraft = { kind: 'accounting', population: POPULATION, accounting: 'rho' };

let ids = 0;
let first: ReleaseBench;

beforeEach(async () => {
  first = await openSmallRelease(await loadSmallSeries(inDomain));
  await writeSmallTrips(first.folder('source'));
});

const context = (bench: ReleaseBench, change: Partial<PrivateContext> = {}): PrivateContext => ({
  ...bench.contexts({ random: seededSource(1), newId: () => numberedId(++ids) }).private,
  ...change,
});
async function reserve(bench: ReleaseBench, change: Partial<PrivateContext>, version = 1) {
  const run = { ...bench.run(), version };
  if (version > 1) await ordered(bench.store('release'), run);
  return createPrivateActivities(context(bench, change)).reserve({ ...run, partitions: bench.partitions });
}

describe('C12: a population that begins with ρ', () => {
  test('charges ε²/2 to each block, is held against caps in ρ, and names the δ at which ε is shown', async () => {
    const bench = await openSmallRelease(await loadSmallSeries(inRho));
    await writeSmallTrips(bench.folder('source'));
    await reserve(bench, { policy: rules(rhoRules) });
    const { entries } = await readLedger(bench.store('private'), POPULATION);
    expect(ledgerAccounting(entries)).toBe('rho');
    expect(entries).toMatchObject([
      { kind: 'policy', order: null, caps: { block: { rho: '64' }, delta: '1/1000000' } },
      { kind: 'reserve', mechanism: 'complete-domain', caps: { block: { rho: '64' }, year: { rho: '100' } } },
    ]);
    expect(new Set(charges(entries)[0]!.blocks.map((block) => 'rho' in block && block.rho))).toEqual(new Set(['32']));
  });

  test.each<[string, Partial<PopulationPolicy>, (yaml: string) => string, string]>([
    [
      'a release above the greatest ρ',
      { ...rhoRules, release: { epsilon: '8', delta: '1/9', rho: '31' } },
      inRho,
      'ρ = 31',
    ],
    [
      'a release above the greatest ε',
      { ...rhoRules, release: { epsilon: '7', delta: '1/9', rho: '32' } },
      inRho,
      'ε = 7',
    ],
    ['caps of a series in ε', rhoRules, inDomain, 'counts ρ'],
    ['caps of a series in ρ where ε is counted', {}, inRho, 'counts ε and δ'],
    [
      'a threshold, of which no ρ follows',
      { ...rhoRules, mechanisms: ['stability-histogram'] },
      (yaml) =>
        inRho(yaml)
          .replace('mechanism: complete-domain', 'mechanism: stability-histogram')
          .replace('delta: 0', 'delta: 1e-6'),
      'counts ρ',
    ],
  ])('refuses %s before anything is written', async (_, change, edit, words) => {
    const bench = await openSmallRelease(await loadSmallSeries(edit));
    await expect(reserve(bench, { policy: rules(change) })).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      message: expect.stringContaining(words),
    });
    expect((await readLedger(bench.store('private'), POPULATION)).entries).toEqual([]);
  });
});

describe('C12: ε becomes ρ once, by order', () => {
  /** The same people and stores, under a series file in ρ. */
  const next = async (): Promise<ReleaseBench> =>
    new ReleaseBench(first.root, await loadSmallSeries(inRho), first.window).prepared();

  const policy = rules(rhoRules);
  const entriesOf = async () => (await readLedger(first.store('private'), POPULATION)).entries;

  test('without an order of a policy key nothing changes; with it ε²/2 of before counts, and never ε again', async () => {
    await reserve(first, {});
    const bench = await next();
    const before = await entriesOf();
    const missing = { code: 'ORDER_MISSING', message: expect.stringContaining('opaline order rho small-riders') };
    await expect(reserve(bench, { policy }, 2)).rejects.toMatchObject(missing);
    const store = bench.store('release');
    await putOrder(store, signOrder(accounting, generateSigningKey().privateKey));
    await putOrder(store, signOrder({ ...accounting, population: 'others' }, POLICY_KEY.privateKey));
    const { bytes } = signOrder({ ...accounting, population: 'others' }, POLICY_KEY.privateKey);
    await store.putIfAbsent(`${RELEASE_KEYS.ledgerOrders(POPULATION)}${sha256(bytes)}.json`, bytes);
    await expect(reserve(bench, { policy }, 2)).rejects.toMatchObject(missing);
    expect(await entriesOf()).toEqual(before);

    await putOrder(store, signOrder(accounting, POLICY_KEY.privateKey));
    expect(await entriesOf()).toEqual(before);
    await reserve(bench, { policy }, 2);
    const entries = await entriesOf();
    expect(entries.at(-2)).toMatchObject({ kind: 'policy', order: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(charges(entries).map(({ blocks: [block] }) => block && 'rho' in block && block.rho)).toEqual(['32', '32']);

    // A third one would be 96 of 64 in its blocks: what was charged in ε fills the cap.
    await expect(reserve(bench, { policy }, 3)).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    // A later policy that would count ε again, and a worker that still has the old one.
    const back = testPolicy({ number: 3, populations: { [POPULATION]: widePopulation([source]) } });
    await expect(reserve(first, { policy: back }, 4)).rejects.toMatchObject({ code: 'POLICY_REFUSED' });
    await expect(reserve(first, {}, 4)).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
  });

  test('a ledger with a charge of which no ρ follows refuses the order', async () => {
    await reserve(first, {});
    await appendToLedger(ledgerWriter(first.store('private')), POPULATION, (entries) => {
      const reserved = entries.find((entry) => entry.kind === 'reserve')!;
      const { format: _, population: __, sequence: ___, previous: ____, ...draft } = reserved;
      const blocks = reserved.blocks.map(({ part, day }) => ({ part, day, epsilon: '1', delta: '1/1000000' }));
      const other = { release: 'other/2026-03-02/v1', mechanism: 'stability-histogram', blocks };
      return { ...draft, ...other, charge: numberedId(900) };
    });
    const bench = await next();
    await putOrder(bench.store('release'), signOrder(accounting, POLICY_KEY.privateKey));
    const before = await entriesOf();
    await expect(reserve(bench, { policy }, 2)).rejects.toMatchObject({
      code: 'POLICY_REFUSED',
      message: expect.stringContaining('other/2026-03-02/v1 was drawn by stability-histogram'),
    });
    expect(await entriesOf()).toEqual(before);
  });

  test('of many that ask at once no more are charged than the cap allows', async () => {
    const bench = await next();
    const asked = await Promise.allSettled([1, 2, 3, 4, 5].map((version) => reserve(bench, { policy }, version)));
    expect(asked.filter(({ status }) => status === 'fulfilled').length).toBe(2);
    const total = charges(await entriesOf()).length;
    expect(total).toBe(2);
  });
});
