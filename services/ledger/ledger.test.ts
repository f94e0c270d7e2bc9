import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import type { ObjectStore } from '../../contracts/object-store.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { ledgerKeys, ledgerWriter, POLICY_KEY, RESERVE_TERMS } from '../../test/support/test-custody.ts';
import { startVersitygw } from '../../test/support/versitygw.ts';
import { signDocument } from '../signing/signed-document.ts';
import { jsonBytes } from '../stores/json-objects.ts';
import { openStore } from '../stores/open-store.ts';
import { appendToLedger, type LedgerDraft, readLedger, walkLedger } from './ledger.ts';

let folder: string;
let store: ObjectStore;

beforeEach(async () => {
  folder = newFolder();
  store = openStore({ kind: 'folder', path: join(folder, 'store') });
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const reserve = (n: number): LedgerDraft => ({
  kind: 'reserve',
  charge: uuid(n),
  release: `taps/2026-03-02/v${n}`,
  ...RESERVE_TERMS,
  blocks: [{ part: 'bus', day: '2026-03-02', epsilon: '1/3', delta: '1/1000000' }],
  caps: { block: { epsilon: '100', delta: '1' }, year: { epsilon: '100', delta: '1' } },
});

/** A stored entry whose signed text was changed. */
function altered(stored: string, from: string, to: string): string {
  const envelope = JSON.parse(stored);
  const text = Buffer.from(envelope.payload, 'base64').toString('utf8');
  expect(text).toContain(from);
  return JSON.stringify({ ...envelope, payload: Buffer.from(text.replace(from, to)).toString('base64') });
}

async function expectTwentyWriters(store: ObjectStore): Promise<void> {
  const writers = Array.from({ length: 20 }, (_, n) => n + 1);
  await Promise.all(writers.map((n) => appendToLedger(ledgerWriter(store), 'riders', () => reserve(n))));
  const { entries } = await readLedger(store, 'riders');
  expect(entries.map(({ sequence }) => sequence)).toEqual(writers);
  const charges = entries.map((entry) => (entry.kind === 'reserve' ? entry.charge : null));
  expect(new Set(charges).size).toBe(20);
}

test('C12: twenty writers at once lose and double nothing in a folder, and the chain holds', () =>
  expectTwentyWriters(store));

test('C12: twenty writers at once lose and double nothing in S3, and the chain holds', async () => {
  const gateway = await startVersitygw();
  try {
    await gateway.createBucket('ledger');
    await expectTwentyWriters(openStore(gateway.configuration('ledger')));
  } finally {
    await gateway.stop();
  }
});

test('a decision that finds its own entry appends nothing', async () => {
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  await appendToLedger(ledgerWriter(store), 'riders', (entries) => (entries.length > 0 ? null : reserve(2)));
  expect((await readLedger(store, 'riders')).entries).toHaveLength(1);
});

test('populations do not see each other', async () => {
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  expect((await readLedger(store, 'rid')).entries).toEqual([]);
});

test.each([
  ['an altered entry', (text: string) => altered(text, '"1/3"', '"1/4"')],
  ['an entry of an unknown kind', (text: string) => altered(text, '"reserve"', '"refund"')],
])('the chain breaks on %s', async (_, alter) => {
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(2));
  const forged = openStore({ kind: 'folder', path: join(folder, 'forged') });
  for (const sequence of [1, 2]) {
    const key = RELEASE_KEYS.ledgerEntry('riders', sequence);
    const { stream } = await store.get(key);
    const text = (await stream.toArray()).join('');
    await forged.putIfAbsent(key, Buffer.from(sequence === 1 ? alter(text) : text));
  }
  await expect(readLedger(forged, 'riders')).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
});

test('the chain breaks on a missing entry', async () => {
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(2));
  const gap = openStore({ kind: 'folder', path: join(folder, 'gap') });
  const { stream } = await store.get(RELEASE_KEYS.ledgerEntry('riders', 2));
  await gap.putIfAbsent(RELEASE_KEYS.ledgerEntry('riders', 2), Buffer.concat(await stream.toArray()));
  await expect(readLedger(gap, 'riders')).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
});

/** The store, with a list of what was asked of it. */
function counting(store: ObjectStore): { store: ObjectStore; asked: string[] } {
  const asked: string[] = [];
  const counted = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...input: unknown[]) => {
        asked.push(String(name));
        return Reflect.apply(member, target, input);
      };
    },
  });
  return { store: counted, asked };
}

test('C12: a process that lives on reads what is new and nothing else, however long the chain is', async () => {
  const mine = counting(store);
  const requests = async (n: number): Promise<string[]> => {
    mine.asked.length = 0;
    await appendToLedger(ledgerWriter(mine.store), 'riders', () => reserve(n));
    return [...mine.asked].sort();
  };
  await requests(1);
  await requests(2);
  const early = await requests(3);
  for (let n = 4; n < 40; n++) await requests(n);
  expect(await requests(40)).toEqual(early);
  expect(early.length).toBeLessThanOrEqual(4);
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(41));
  expect((await readLedger(mine.store, 'riders')).entries).toEqual((await walkLedger(store, 'riders')).entries);
  expect((await readLedger(mine.store, 'riders')).tip).toBe((await walkLedger(store, 'riders')).tip);
});

const pathOf = (sequence: number) => join(folder, 'store', RELEASE_KEYS.ledgerEntry('riders', sequence));

test('C12: a chain that was shortened or altered under a process that lives on', async () => {
  for (const n of [1, 2, 3]) await appendToLedger(ledgerWriter(store), 'riders', () => reserve(n));
  await readLedger(store, 'riders');
  const newest = await readFile(pathOf(3), 'utf8');
  await rm(pathOf(3));
  const append = () => appendToLedger(ledgerWriter(store), 'riders', () => reserve(4));
  // Read afresh, a chain without its end looks whole: who remembers the end refuses to go on without it.
  expect((await walkLedger(store, 'riders')).entries).toHaveLength(2);
  await expect(append()).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  await writeFile(pathOf(3), altered(newest, '"1/3"', '"1/4"'));
  await expect(append()).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  await writeFile(pathOf(3), newest);
  await append();
  // What is altered further back is found by walking the whole chain, which `opaline ledger verify` does.
  await writeFile(pathOf(2), altered(await readFile(pathOf(2), 'utf8'), '"1/3"', '"1/4"'));
  await expect(walkLedger(store, 'riders')).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
});

test('C12: an entry of another process that does not fit the chain is refused when it is read', async () => {
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  await readLedger(store, 'riders');
  await writeFile(pathOf(2), altered(await readFile(pathOf(1), 'utf8'), '"sequence":1', '"sequence":2'));
  await expect(readLedger(store, 'riders')).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
});

test('C12: an entry that a key of nobody has signed is broken for whoever knows the keys, and for nobody else', async () => {
  const stranger = { ...ledgerWriter(store), privateKey: POLICY_KEY.privateKey, keys: () => [POLICY_KEY.publicKey] };
  await appendToLedger(ledgerWriter(store), 'riders', () => reserve(1));
  await appendToLedger(stranger, 'riders', () => reserve(2)).catch(() => undefined);
  await appendToLedger(stranger, 'forged', () => reserve(1));
  expect((await walkLedger(store, 'forged')).entries).toHaveLength(1);
  await expect(walkLedger(store, 'forged', ledgerKeys)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  expect((await walkLedger(store, 'riders', ledgerKeys)).entries).toHaveLength(1);
});

test('C12: a key that has ended writes no entry, which would break the chain for everybody', async () => {
  const { privateKey } = ledgerWriter(store);
  const ended = (_: string, sequence: number) => [POLICY_KEY.publicKey, ...(sequence > 1 ? [] : ledgerKeys())];
  await appendToLedger({ store, privateKey, keys: ended }, 'riders', () => reserve(1));
  const again = appendToLedger({ store, privateKey, keys: ended }, 'riders', () => reserve(2));
  await expect(again).rejects.toMatchObject({ code: 'TRUST_BEHIND' });
  const next = { store, privateKey: POLICY_KEY.privateKey, keys: ended };
  expect((await appendToLedger(next, 'riders', () => reserve(2))).entries).toHaveLength(2);
});

test.each([
  [
    'of an older form',
    (entry: object) => signDocument({ ...entry, format: 'opaline-ledger/2' }, ledgerWriter(store).privateKey),
  ],
  ['of the first form, unsigned', (entry: object) => ({ ...entry, format: 'opaline-ledger/1' })],
  ['that is nothing at all', () => 'garbage'],
])('C12: an entry %s is behind, not broken, wherever it is in the chain', async (_, made) => {
  const head = { population: 'riders', sequence: 1, previous: null, ...reserve(1) };
  await store.putIfAbsent(RELEASE_KEYS.ledgerEntry('riders', 1), jsonBytes(made(head)));
  await expect(walkLedger(store, 'riders')).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
  const { tip } = await appendToLedger(ledgerWriter(store), 'others', () => reserve(1));
  const second = { ...head, population: 'others', sequence: 2, previous: tip };
  await store.putIfAbsent(RELEASE_KEYS.ledgerEntry('others', 2), jsonBytes(made(second)));
  await expect(walkLedger(store, 'others')).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
});
