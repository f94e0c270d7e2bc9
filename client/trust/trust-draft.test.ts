import { expect, test } from 'vitest';
import type { TrustVersion } from '../../contracts/formats/trust.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { appendToLedger } from '../../services/ledger/ledger.ts';
import { generateSigningKey, keyIdOfPem } from '../../services/signing/keys.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { MemoryStore } from '../../services/stores/memory-store.ts';
import { loadSmallSeries } from '../../test/support/small-series.ts';
import { ledgerWriter } from '../../test/support/test-custody.ts';
import {
  ada,
  approver,
  ben,
  eve,
  ledgerKey,
  publisherKey,
  rootKey,
  trustChain,
} from '../../test/support/trust-files.ts';
import { endKey, GRACE, nextDraft } from './trust-draft.ts';

const refusal = { kind: 'refuse', release: 'taps/a/v1', code: 'X', subject: 'someone', reason: 'over-cap' } as const;

async function copies(entries: Record<string, number>): Promise<MemoryStore> {
  const store = new MemoryStore();
  for (const [population, count] of Object.entries(entries))
    for (let entry = 0; entry < count; entry += 1) await appendToLedger(ledgerWriter(store), population, () => refusal);
  return store;
}

const people = { approvers: [approver(ada), approver(ben), approver(eve, { riders: { from: 2 } })] };
const draftOf = async (change: Partial<TrustVersion> = people) =>
  nextDraft(trustChain(change), await copies({ riders: 3, drivers: 1 }));
const end = (draft: TrustVersion, publicKey: string, change: Partial<Parameters<typeof endKey>[1]> = {}) =>
  endKey(draft, { keyid: keyIdOfPem(publicKey), isStolen: false, successor: null, grace: null, ...change });
const ENDED = { riders: { until: 3 }, drivers: { until: 1 } };

test('C16: the next version names the newest entry of every ledger, and a retired key ends there and begins nowhere', async () => {
  const draft = await draftOf();
  expect(draft).toMatchObject({ number: 2, tips: { riders: 3, drivers: 1 } });
  expect(end(draft, ben.publicKey).approvers[1]).toMatchObject({ subject: ben.subject, valid: ENDED });
  expect(end(draft, eve.publicKey).approvers[2]?.valid).toEqual({ riders: { from: 2, until: 3 } });
  expect(end(draft, ben.publicKey, { isStolen: true }).approvers).toHaveLength(2);
});

test('the key that takes the place of another has its name and series, and holds where that one had no end', async () => {
  const draft = await draftOf();
  const successor = generateSigningKey().publicKey;
  const { approvers } = end(draft, eve.publicKey, { successor });
  expect(approvers.slice(2)).toEqual([
    { subject: eve.subject, key: eve.publicKey, valid: { riders: { from: 2, until: 3 } } },
    { subject: eve.subject, key: successor, valid: { riders: {} } },
  ]);
  expect(end(draft, publisherKey.publicKey, { successor }).publishers).toEqual([
    { key: publisherKey.publicKey, valid: { riders: { until: 3 + GRACE }, drivers: { until: 1 + GRACE } } },
    { key: successor, valid: 'everywhere' },
  ]);
  expect(end(draft, ledgerKey.publicKey, { successor, grace: 0 }).ledgers[0]?.valid).toEqual(ENDED);
  expect(end(draft, publisherKey.publicKey, { successor, isStolen: true }).publishers).toHaveLength(1);
  expect(end(draft, rootKey.publicKey, { successor }).roots.keys).toEqual([successor]);
});

test('a key in its grace can be ended at once, as when it was stolen', async () => {
  const inGrace = { riders: { until: 1000 }, drivers: { until: 0 } };
  const draft = await draftOf({ approvers: [approver(ada), approver(ben, inGrace)] });
  expect(end(draft, ben.publicKey).approvers[1]?.valid).toEqual({ riders: { until: 3 }, drivers: { until: 0 } });
});

test('a population of an applied series that has no ledger yet is named too: a worker may begin it', async () => {
  const store = await copies({ riders: 1 });
  const { series, seriesBytes, digest } = await loadSmallSeries();
  await store.putIfAbsent(RELEASE_KEYS.series(series.series, digest), seriesBytes);
  await store.swapPage(RELEASE_KEYS.appliedSeries(series.series), null, jsonBytes({ digest, generation: 1 }));
  expect((await nextDraft(trustChain({}), store)).tips).toEqual({ riders: 1, 'small-riders': 0 });
});

test.each<[string, string, () => Promise<unknown>]>([
  ['a key that nobody has', 'does not name', async () => end(await draftOf(), generateSigningKey().publicKey)],
  [
    'a key that is retired',
    'retired already',
    async () => end(await draftOf({ approvers: [approver(ada), approver(ben, ENDED)] }), ben.publicKey),
  ],
  [
    'a key on which ledgers hang',
    'never take it out',
    async () => end(await draftOf(), ledgerKey.publicKey, { isStolen: true }),
  ],
  ['the only root', 'root keys', async () => end(await draftOf(), rootKey.publicKey)],
  [
    'one of two people who are both needed',
    '2 approvals are required',
    async () => end(await draftOf({ required: 2, approvers: [approver(ada), approver(ben)] }), ben.publicKey),
  ],
  [
    'with copies that end too early',
    'ends at entry 0',
    async () => nextDraft(trustChain({ tips: { riders: 2 } }), await copies({ drivers: 1 })),
  ],
])('%s is not ended: %s', async (_, sentence, attempt) => {
  await expect(attempt()).rejects.toMatchObject({
    code: 'TRUST_INVALID',
    message: expect.stringContaining(sentence),
  });
});

test('copies that a stranger signed are not counted', async () => {
  const store = await copies({ riders: 1 });
  const { privateKey, publicKey } = generateSigningKey();
  await appendToLedger({ store, privateKey, keys: () => [publicKey, ledgerKey.publicKey] }, 'riders', () => refusal);
  await expect(nextDraft(trustChain({}), store)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
});
