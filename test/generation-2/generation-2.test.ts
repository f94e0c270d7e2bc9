import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readDecisionRecord } from '../../activities/decisions/decision-record.ts';
import { appendToLedger, walkLedger } from '../../activities/ledger/ledger.ts';
import { derive } from '../../activities/public/derive.ts';
import { FolderStore } from '../../activities/stores/folder-store.ts';
import { readTrustFile } from '../../activities/trust/trust-file.ts';
import { draftsOf } from '../../client/drafts.ts';
import { seriesAt } from '../../client/verify/place.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { verifySeries } from '../../client/verify/verify-series.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { LEDGER_FORMAT, signedEntrySchema } from '../../contracts/formats/ledger.ts';
import { manifestSchema } from '../../contracts/formats/manifest.ts';
import { policySchema } from '../../contracts/formats/policy.ts';
import { RELEASE_KEYS } from '../../contracts/names.ts';
import { privatizedTableSchema } from '../../kinds/taps/privatized-table.ts';
import { privacyFileSchema } from '../../kinds/taps/public/privacy-file.ts';
import { drawnRun } from '../support/drawn-run.ts';
import { publicContextBelow } from '../support/folder-contexts.ts';
import { newFolder } from '../support/new-folder.ts';
import { ledgerKeys, ledgerWriter, testPolicy } from '../support/test-custody.ts';

/**
 * What the build that froze generation 2 left behind after one release of taps (test/support/published-kinds.ts), and
 * below `drafts` what the build 8eabab5 left of one of occupancy, whose formats are named as drafts. Every later build
 * reads both. Staged files are those of the publication. The form of every stored object of every kind is in forms.json,
 * which test/every-kind compares with what is made today.
 */
const HERE = fileURLToPath(new URL('.', import.meta.url));
const FROZEN = join(HERE, 'publication', 'demo', '2026-03-02', 'v1');
const DRAFT = join(HERE, 'drafts', 'publication', 'small', '2026-03-02', 'v1');

const root = newFolder();

const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const wrongIn = ({ checks }: Awaited<ReturnType<typeof verifyPublication>>) => checks.filter(({ ok }) => !ok);

describe.each([
  ['generation 2', HERE, FROZEN, 'demo', 'demo-people'],
  ['drafts of it', join(HERE, 'drafts'), DRAFT, 'small', 'riders'],
] as const)('%s', (_, home, publication, series, population) => {
  test('the publication verifies under its trust file, and so does the head of its series', async () => {
    const trust = await readTrustFile(join(home, 'trust.json'));
    expect(wrongIn(await verifyPublication(publication, trust))).toEqual([]);
    const knowledge = { trust, seen: null, today: '2026-03-10' };
    const report = await verifySeries((await seriesAt(join(home, 'publication', series)))!, knowledge);
    // Pages for people may be worded otherwise by a later build.
    expect(wrongIn(report).map(({ id }) => id)).toEqual(['pages']);
  });

  test('its ledger is signed, and goes on', async () => {
    const store = new FolderStore(join(root, series));
    await cp(join(home, 'release'), join(root, series), { recursive: true });
    const before = await walkLedger(store, population, ledgerKeys);
    expect(before.entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit']);
    const terms = { code: 'BUDGET_EXCEEDED', subject: 'releaseWorkflow', reason: 'over-cap' };
    const refuse = { kind: 'refuse' as const, release: `${series}/2026-03-02/v2`, ...terms };
    await appendToLedger(ledgerWriter(store), population, () => refuse);
    const { entries } = await walkLedger(store, population, ledgerKeys);
    expect(entries.map(({ format }) => format)).toEqual(Array(4).fill(LEDGER_FORMAT));
    expect(entries.at(-1)).toMatchObject({ previous: before.tip });
  });

  test('what is derived of its tables is what was published, byte for byte, and its decisions are read', async () => {
    const stores = join(root, `${series}-again`);
    await cp(join(home, 'release'), join(stores, 'release'), { recursive: true });
    const trust = await readTrustFile(join(home, 'trust.json'));
    const context = publicContextBelow(stores, { trust: async () => trust });
    const input = drawnRun(manifestSchema.parse(await json(join(publication, 'manifest.json'))));
    await derive(context, input);
    const staged = join(stores, 'release', 'staging', series, '2026-03-02', 'v1');
    const names = (await readdir(staged)).filter((name) => /\.(?:csv|parquet|pb)$/.test(name));
    expect(names.length).toBeGreaterThan(3);
    for (const name of names.filter((one) => one !== 'data-dictionary.csv'))
      expect([name, await readFile(join(staged, name), 'hex')]).toEqual([
        name,
        await readFile(join(publication, name), 'hex'),
      ]);
    const [decision] = await readdir(join(home, 'release', 'decisions', series, '2026-03-02', 'v1'));
    const record = await readDecisionRecord(context.releaseStore, input, decision!.slice(0, 64));
    expect(record).toMatchObject({ format: 'opaline-decision/2', note: 'a free text' });
  });
});

test('opaline migrate counts the drafts of a store, and names what it does not take', async () => {
  const folder = join(root, 'counted');
  await cp(join(HERE, 'drafts', 'release'), folder, { recursive: true });
  const run = { series: 'small', window: '2026-03-02', version: 1 };
  const { files } = manifestSchema.parse(await json(join(DRAFT, 'manifest.json')));
  await mkdir(join(folder, 'staging', 'small', '2026-03-02', 'v1'), { recursive: true });
  for (const { name } of [...files, { name: 'manifest.json' }])
    await cp(join(DRAFT, name), join(folder, RELEASE_KEYS.staged(run, name)));
  const deployment = clientDeploymentSchema.parse({
    temporal: { address: 'localhost:7233', namespace: 'default' },
    releaseStore: { kind: 'folder', path: folder },
    trust: { file: join(HERE, 'drafts', 'trust.json') },
  });
  const { objects, findings } = await draftsOf(deployment);
  expect(findings).toEqual([]);
  expect(objects).toMatchObject({ 'opaline-ledger/2-draft': 3, 'opaline-manifest/2-draft': 1 });
  expect(Object.keys(objects)).toHaveLength(8);
  const entry = join(folder, RELEASE_KEYS.ledgerEntry('riders', 1));
  await writeFile(entry, (await readFile(entry, 'utf8')).replace(/"sig":"./, '"sig":"_'));
  expect((await draftsOf(deployment)).findings).toHaveLength(1);
});

test('tables, parameters and policies of taps that are named as drafts are read; the digest of a policy stays', async () => {
  const table = await json(join(HERE, 'release/privatized/demo/2026-03-02/v1/bus/2026-03-02.json'));
  const privacy = await json(join(FROZEN, 'privacy.json'));
  const draft = ({ format, ...rest }: { format: string }) => ({ format: `${format}-draft`, ...rest });
  expect(privatizedTableSchema.parse(draft(table))).toEqual(privatizedTableSchema.parse(table));
  expect(privacyFileSchema.parse(draft(privacy))).toEqual(privacyFileSchema.parse(privacy));
  const { policy } = testPolicy();
  expect(policySchema.parse(draft(policy)).format).toBe('opaline-policy/1-draft');
});

test('broken twins: generations that nobody knows, and drafts of the first one, are refused', async () => {
  const manifest = await json(join(FROZEN, 'manifest.json'));
  expect(manifestSchema.safeParse(manifest).success).toBe(true);
  for (const format of [
    'opaline-manifest/3',
    'opaline-manifest/3-draft',
    'opaline-manifest/1-draft',
    'opaline-ledger/2',
  ])
    expect(manifestSchema.safeParse({ ...manifest, format }).success).toBe(false);
  const entry = await json(join(HERE, 'release/ledger/demo-people/000000000003.json'));
  const signed = JSON.parse(Buffer.from(entry.payload, 'base64').toString('utf8'));
  expect(signedEntrySchema.safeParse(signed).success).toBe(true);
  expect(signedEntrySchema.safeParse({ ...signed, format: 'opaline-ledger/1' }).success).toBe(false);
});
