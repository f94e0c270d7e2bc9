import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendToLedger } from '../../activities/ledger/ledger.ts';
import { generateSigningKey } from '../../activities/signing/keys.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { ledgerKeys, ledgerWriter } from '../../test/support/test-custody.ts';
import { checkLedger, listPopulations, selectPopulations } from './ledger-populations.ts';

let folder: string;
let store: FolderStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opaline-ledgers-'));
  store = new FolderStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refusal = { kind: 'refuse', release: 'taps/a/v1', code: 'X', subject: 'someone', reason: 'over-cap' } as const;

test('populations are found in the store, each once', async () => {
  expect(await listPopulations(store)).toEqual([]);
  for (const population of ['riders', 'drivers', 'riders'])
    await appendToLedger(ledgerWriter(store), population, () => refusal);
  await store.putIfAbsent('ledgers-of-others/x/1.json', Buffer.from('{}'));
  expect(await selectPopulations(store, undefined)).toEqual(['drivers', 'riders']);
  expect(await selectPopulations(store, 'riders')).toEqual(['riders']);
  await expect(selectPopulations(store, 'nobody')).rejects.toMatchObject({
    code: 'USAGE',
    message: 'There is no ledger of a population nobody; there are ledgers of drivers, riders.',
  });
});

test('a chain is walked to its end, and a changed byte breaks it', async () => {
  for (let entry = 0; entry < 3; entry++) await appendToLedger(ledgerWriter(store), 'riders', () => refusal);
  expect(await checkLedger(store, 'riders', ledgerKeys)).toMatchObject({ verified: true, entries: 3 });
  const second = join(folder, RELEASE_KEYS.ledgerEntry('riders', 2));
  const text = await readFile(second, 'utf8');
  await writeFile(second, text.replace('"payload":"e', '"payload":"f'));
  expect(await checkLedger(store, 'riders', ledgerKeys)).toMatchObject({ verified: false, code: 'LEDGER_BROKEN' });
});

test('entries that a stranger has signed are a break for whoever has the trust file', async () => {
  const { privateKey, publicKey } = generateSigningKey();
  await appendToLedger({ store, privateKey, keys: () => [publicKey] }, 'riders', () => refusal);
  expect(await checkLedger(store, 'riders', null)).toMatchObject({ verified: true });
  expect(await checkLedger(store, 'riders', ledgerKeys)).toMatchObject({ verified: false, code: 'LEDGER_BROKEN' });
});
