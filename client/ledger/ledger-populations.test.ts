import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { LedgerTip } from '../../contracts/formats/common.ts';
import { MANIFEST_FORMAT } from '../../contracts/formats/manifest.ts';
import { FILES, RELEASE_KEYS } from '../../contracts/names.ts';
import { appendToLedger, walkLedger } from '../../services/ledger/ledger.ts';
import { listPopulations } from '../../services/ledger/populations.ts';
import { generateSigningKey } from '../../services/signing/keys.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { jsonBytes } from '../../services/stores/json-objects.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import { ledgerKeys, ledgerWriter, RESERVE_TERMS } from '../../test/support/test-custody.ts';
import { checkLedger, selectPopulations } from './ledger-populations.ts';
import { readPublishedTips } from './named-tips.ts';

let folder: string;
let store: FolderStore;
beforeEach(async () => {
  folder = newFolder();
  store = new FolderStore(folder);
});

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
  expect(await checkLedger(store, 'riders', ledgerKeys, [])).toMatchObject({
    verified: true,
    ledger: { entries: [{}, {}, {}] },
  });
  const second = join(folder, RELEASE_KEYS.ledgerEntry('riders', 2));
  const text = await readFile(second, 'utf8');
  await writeFile(second, text.replace('"payload":"e', '"payload":"f'));
  expect(await checkLedger(store, 'riders', ledgerKeys, [])).toMatchObject({ verified: false, code: 'LEDGER_BEHIND' });
});

test('entries that a stranger has signed are a break for whoever has the trust file', async () => {
  const { privateKey, publicKey } = generateSigningKey();
  await appendToLedger({ store, privateKey, keys: () => [publicKey] }, 'riders', () => refusal);
  expect(await checkLedger(store, 'riders', ledgerKeys, [])).toMatchObject({ verified: false, code: 'LEDGER_BROKEN' });
});

test('C12: a chain that is whole and does not hold what a publication names was cut, or is another one', async () => {
  for (let entry = 0; entry < 3; entry++) await appendToLedger(ledgerWriter(store), 'riders', () => refusal);
  const ledger = await walkLedger(store, 'riders', ledgerKeys);
  const mirror = join(folder, 'mirror');
  const publish = async (tip: LedgerTip) => {
    const manifest = { ...MANIFEST, ledger: tip };
    await mkdir(join(mirror, 'taps', 'a'), { recursive: true });
    await writeFile(join(mirror, 'taps', 'a', FILES.manifest), jsonBytes(manifest));
    const tips = await readPublishedTips(mirror);
    expect(tips).toHaveLength(1);
    const check = await checkLedger(store, 'riders', ledgerKeys, tips);
    return check.verified ? 'verified' : check.message;
  };
  expect(await publish({ sequence: 4, digest: ledger.tip! })).toContain('ends at entry 3');
  expect(await publish({ sequence: 2, digest: ledger.tip! })).toContain('is another one than the manifest of');
  expect(await publish({ sequence: 3, digest: ledger.tip! })).toContain('does not hold the charge');
  const reserve = {
    kind: 'reserve' as const,
    charge: MANIFEST.charge,
    release: 'taps/2026-03-02/v1',
    ...RESERVE_TERMS,
  };
  const amounts = { epsilon: '1', delta: '0' };
  await appendToLedger(ledgerWriter(store), 'riders', () => ({
    ...reserve,
    caps: { block: amounts, year: amounts },
    blocks: [{ part: 'bus', day: '2026-03-02', ...amounts }],
  }));
  expect(await publish({ sequence: 3, digest: ledger.tip! })).toBe('verified');
  expect(await selectPopulations(store, undefined, await readPublishedTips(mirror))).toEqual(['riders']);
  await rm(join(folder, 'ledger'), { recursive: true });
  expect(await selectPopulations(store, undefined, await readPublishedTips(mirror))).toEqual(['riders']);
  expect(await publish({ sequence: 3, digest: ledger.tip! })).toContain('ends at entry 0');
});

const digest = 'ab'.repeat(32);
const MANIFEST = {
  format: MANIFEST_FORMAT,
  series: 'taps',
  window: '2026-03-02',
  version: 1,
  population: 'riders',
  kind: 'taps',
  seriesDigest: digest,
  charge: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  correction: null,
  files: [],
  publicLists: {},
  partitions: [],
  build: { sources: 'x', runtime: null },
  policyDigest: null,
  trust: { number: 1, digest },
  texts: {
    form: 1,
    versions: [],
    nextExpected: null,
    publication: { title: 'T', licence: 'L', notes: [], frequency: 'weekly' },
  },
};
