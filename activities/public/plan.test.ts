import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readBytesIfPresent } from '../../services/stores/json-objects.ts';
import { publicContextBelow } from '../../test/support/folder-contexts.ts';
import { loadedSeries } from '../../test/support/release-bench.ts';
import { type TestRelease, testRelease, testSeries } from '../../test/support/test-release.ts';
import { ada, ben, eve, trustChain } from '../../test/support/trust-files.ts';
import { plan } from './plan.ts';

const named = ({ subject }: { subject: string }) => ({ subject });

let release: TestRelease;

const planned = () => plan(release.context, { ...release.run, execution: 'a' });
const withApprovers = (...approvers: object[]) => testSeries({ gate: { approvers, required: 2 } });

test('a series is planned when enough of its approvers are in the trust file', async () => {
  release = await testRelease(withApprovers(named(ada), named(ben), named({ subject: 'cleo@example.org' })));
  expect(await planned()).toMatchObject({ required: 2, expiresAfterDays: 21 });
});

test('as many are required as the trust file and the series file ask for, whichever is more', async () => {
  release = await testRelease();
  const context = { ...release.context, trust: async () => trustChain({ required: 2 }) };
  expect(await plan(context, { ...release.run, execution: 'a' })).toMatchObject({ required: 2 });
  release = await testRelease(testSeries({ gate: { required: 1 } }));
  expect(await plan({ ...release.context, trust: context.trust }, { ...release.run, execution: 'a' })).toMatchObject({
    required: 2,
  });
});

test.each([
  ['an approver who is not in the trust file', named({ subject: 'cleo@example.org' })],
  ['an approver who is a custodian', named(eve)],
  ['the same person in another spelling', named({ subject: ada.subject.toUpperCase() })],
])('a series that nobody can approve, because of %s, is refused before anything is charged', async (_, other) => {
  release = await testRelease(withApprovers(named(ada), other));
  await expect(planned()).rejects.toMatchObject({ code: 'SERIES_INVALID', message: expect.stringContaining('2 app') });
});

test('C12: a series with publications and an empty ledger is charged nothing: its ledger does not begin at zero', async () => {
  release = await testRelease();
  const published = release.context.publicationStore;
  await rm(join(release.folder, 'release', RELEASE_KEYS.allLedgers), { recursive: true });
  const context = publicContextBelow(release.folder, { trust: release.context.trust });
  expect(await plan(context, { ...release.run, execution: 'a' })).toMatchObject({ required: 2 });
  await published.putIfAbsent(
    PUBLIC_KEYS.file({ ...release.run, version: 9 }, FILES.checksums),
    Buffer.from('of any form'),
  );
  await expect(plan(context, { ...release.run, execution: 'a' })).rejects.toMatchObject({ code: 'LEDGER_BEHIND' });
});

test('a stored series file that was edited in its place is refused', async () => {
  release = await testRelease();
  const key = RELEASE_KEYS.series('demo', release.run.seriesDigest);
  const path = join(release.folder, 'release', key);
  await chmod(path, 0o600);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"epsilon":"8"', '"epsilon":"50"'));
  await expect(planned()).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
});

const markOf = async (version: number): Promise<string | undefined> =>
  (
    await readBytesIfPresent(release.context.releaseStore, RELEASE_KEYS.execution({ ...release.run, version }))
  )?.toString();

test('a mark that anybody put there keeps no release out that was never charged, and one that was charged runs once', async () => {
  release = await testRelease();
  const { context, run } = release;
  const next = { ...run, version: 2 };
  for (const junk of ['{"execution":"of-nobody"}', 'junk'])
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.execution(next), Buffer.from(junk));
  for (const execution of ['a', 'a', 'b']) await expect(plan(context, { ...next, execution })).resolves.toBeTruthy();
  expect(await markOf(2)).toBe('{"execution":"b"}\n');
  await planned();
  await expect(planned()).resolves.toBeTruthy();
  await expect(plan(context, { ...run, execution: 'b' })).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
  expect(await markOf(1)).toBe('{"execution":"a"}\n');
});

test('no window of the future is marked, no series that nobody signed, and none that there is not', async () => {
  release = await testRelease();
  const { context, run } = release;
  const tried = async (change: Partial<Run>, code: string) => {
    await expect(plan(context, { ...run, ...change, execution: 'a' })).rejects.toMatchObject({ code });
    expect(await context.releaseStore.head(RELEASE_KEYS.execution({ ...run, ...change }))).toBeNull();
  };
  await tried({ window: '2029-03-05' }, 'CONFIGURATION_INVALID');
  await tried({ window: '2026-03-03' }, 'WINDOW_INVALID');
  await tried({ series: 'other' }, 'OBJECT_MISSING');
  const unsigned = loadedSeries(testSeries({ gate: { required: 1 } }));
  await context.releaseStore.putIfAbsent(RELEASE_KEYS.series('demo', unsigned.digest), unsigned.seriesBytes);
  await tried({ version: 2, seriesDigest: unsigned.digest }, 'SERIES_UNSIGNED');
});

test('a series by whose mechanism nothing is drawn is refused before anything is charged', async () => {
  const { privacy } = testSeries();
  release = await testRelease(testSeries({ privacy: { ...privacy, mechanism: 'sbh-2017' } }));
  await expect(planned()).rejects.toMatchObject({ code: 'SERIES_INVALID' });
});
