import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { appendToLedger, walkLedger } from '../../activities/ledger/ledger.ts';
import { inventorySchema } from '../../activities/private/source/inventory.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { readApplied } from '../../activities/stores/series-objects.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { LEDGER_FORMAT } from '../../contracts/formats/ledger.ts';
import { MANIFEST_FORMAT, manifestSchema } from '../../contracts/formats/manifest.ts';
import { PRIVATIZED_TABLE_FORMAT } from '../../core/privatized-table/columns.ts';
import { rowsOfTable } from '../../core/privatized-table/rows.ts';
import { privatizedTableSchema } from '../../kinds/taps/privatized-table.ts';
import { readPrivatizedTables } from '../../kinds/taps/public/privatized-tables.ts';
import { tapsSeries } from '../../kinds/taps/series.ts';
import { drawnRun } from '../support/drawn-run.ts';
import { newFolder } from '../support/new-folder.ts';
import { ledgerWriter, RESERVE_TERMS } from '../support/test-custody.ts';
import { ada, approver, trustChain } from '../support/trust-files.ts';

/**
 * What the build 2cdddc0, the last of the first generation, left behind after one release of the small series: its
 * publication, and the objects of its stores. Every later build reads them.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const PUBLICATION = join(HERE, 'publication', 'small', '2026-03-02', 'v1');
const POPULATION = 'small-riders';

const root = newFolder();
let release: FolderStore;
beforeAll(async () => {
  await cp(join(HERE, 'release'), join(root, 'release'), { recursive: true });
  release = new FolderStore(join(root, 'release'));
});

const json = async (...path: string[]) => JSON.parse(await readFile(join(HERE, ...path), 'utf8'));
const manifest = () => json('publication', 'small', '2026-03-02', 'v1', 'manifest.json');

test('its publication verifies, and its manifest is read in the words of today', async () => {
  const report = await verifyPublication(PUBLICATION);
  expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect((await manifest()).format).toBe('opaline-manifest/1');
  const read = manifestSchema.parse(await manifest());
  expect(read).toMatchObject({ kind: 'taps', build: { runtime: null } });
  expect(read.partitions[0]).toMatchObject({ part: 'bus', day: '2026-03-02', hole: null });
  expect(Object.keys(read.publicLists)).toEqual(['bus', 'ferry']);
});

test('it verifies under a trust file that names its approvers, and says that no publisher signed it', async () => {
  const [approval] = (await json('publication', 'small', '2026-03-02', 'v1', 'attestation.json')).predicate.approvals;
  const named = { subject: approval.subject, publicKey: approval.publicKey };
  const report = await verifyPublication(PUBLICATION, trustChain({ approvers: [approver(named)] }));
  expect(report).toMatchObject({ verified: true, tiedTo: 'organisation' });
  expect(report.checks.find(({ id }) => id === 'publisher')?.sentence).toContain('no signature of a publisher');
  for (const strange of [approver(ada), approver({ ...named, subject: ada.subject })])
    expect(await verifyPublication(PUBLICATION, trustChain({ approvers: [strange] }))).toMatchObject({
      verified: false,
    });
  const two = await verifyPublication(
    PUBLICATION,
    trustChain({ approvers: [approver(named), approver(ada)], required: 2 }),
  );
  expect(two.verified).toBe(true);
});

test('its ledger is read, and goes on in the second generation with a takeover', async () => {
  const before = await walkLedger(release, POPULATION);
  expect(before.entries.map(({ format, kind }) => `${format} ${kind}`)).toEqual([
    'opaline-ledger/1 reserve',
    'opaline-ledger/1 commit',
  ]);
  const [reserve] = before.entries;
  expect(reserve?.kind === 'reserve' && reserve.blocks[0]).toMatchObject({ part: 'bus', day: '2026-03-02' });
  const order = { order: '0'.repeat(64), tip: null, mark: null, releases: [], unexplained: [] };
  const { policy, trust } = RESERVE_TERMS;
  await appendToLedger(ledgerWriter(release), POPULATION, () => ({ kind: 'takeover', ...order, policy, trust }));
  const { entries } = await walkLedger(release, POPULATION);
  expect(entries.at(-1)).toMatchObject({ format: LEDGER_FORMAT, sequence: 3, previous: before.tip });
  const other = new FolderStore(join(root, 'release'));
  const terms = { code: 'BUDGET_EXCEEDED', subject: 'releaseWorkflow', reason: 'over-cap' };
  const refuse = { kind: 'refuse' as const, release: 'small/2026-03-02/v2', ...terms };
  await appendToLedger(ledgerWriter(other), POPULATION, () => refuse);
  expect((await walkLedger(other, POPULATION)).entries).toHaveLength(4);
});

test('its series, its draws and its inventory are read', async () => {
  const { series } = await readApplied(release, 'small');
  expect(series.kind).toBe('taps');
  expect(tapsSeries(series).modes).toEqual(['bus', 'ferry']);
  const tables = await readPrivatizedTables(release, drawnRun(manifestSchema.parse(await manifest())));
  expect(tables).toHaveLength(6);
  expect(tables[0]).toMatchObject({ format: 'opaline-privatized-table/1', part: 'bus', hours: null, remainder: null });
  const first = { format: 'opaline-privatized-table/1', mode: 'bus', day: '2026-03-02', cells: [], margins: null };
  const remainder = { time: [['on', '08:00', 3]], location: [] };
  const read = privatizedTableSchema.parse({ ...first, remainder });
  expect(rowsOfTable(read).remainder).toEqual({ fit: 'weighted', ...remainder });
  expect(privatizedTableSchema.safeParse({ ...first, remainder, format: PRIVATIZED_TABLE_FORMAT }).success).toBe(false);
  const inventory = inventorySchema.parse(await json('private', 'inventory', 'small', '2026-03-02', 'v1', '0.json'));
  expect(inventory.objects.length).toBeGreaterThan(5);
  const fault = { object: 'a', code: 'OBJECT_MISSING', partitions: [{ mode: 'bus', day: '2026-03-02' }] };
  expect(inventorySchema.parse({ ...inventory, faults: [fault] }).faults[0]?.partitions).toEqual([
    { part: 'bus', day: '2026-03-02' },
  ]);
});

test('broken twins: an entry with another byte, and a generation that nobody knows, are refused', async () => {
  const broken = join(root, 'broken');
  await cp(join(HERE, 'release'), broken, { recursive: true });
  const entry = join(broken, 'ledger', POPULATION, '000000000001.json');
  await writeFile(entry, (await readFile(entry, 'utf8')).replace('"epsilon":"8"', '"epsilon":"7"'));
  await expect(walkLedger(new FolderStore(broken), POPULATION)).rejects.toMatchObject({ code: 'LEDGER_BROKEN' });
  for (const format of ['opaline-manifest/3', MANIFEST_FORMAT])
    expect(manifestSchema.safeParse({ ...(await manifest()), format }).success).toBe(false);
});
