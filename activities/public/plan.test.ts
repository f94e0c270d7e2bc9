import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applySeries } from '../../client/series/apply-series.ts';
import { FILES, PUBLIC_KEYS, RELEASE_KEYS } from '../../contracts/names.ts';
import type { Correction, Run } from '../../contracts/stages.ts';
import { openReserves, reserveOfRelease } from '../../core/ledger/budget.ts';
import { appendToLedger, readLedger } from '../../services/ledger/ledger.ts';
import { readExecutions } from '../../services/stores/release-executions.ts';
import { publicContextBelow } from '../../test/support/folder-contexts.ts';
import { loadedSeries } from '../../test/support/release-bench.ts';
import { ledgerWriter, POLICY_KEY } from '../../test/support/test-custody.ts';
import { type TestRelease, testRelease, testSeries } from '../../test/support/test-release.ts';
import { ada, ben, eve, trustChain } from '../../test/support/trust-files.ts';
import { plan } from './plan.ts';

const named = ({ subject }: { subject: string }) => ({ subject });

let release: TestRelease;

/** The release, which was charged, as Temporal says that this execution is open. */
const open = { correction: null, execution: 'a', open: 'a' };
const planned = () => plan(release.context, { ...release.run, ...open });
const withApprovers = (...approvers: object[]) => testSeries({ gate: { approvers, required: 2 } });

test('a series is planned when enough of its approvers are in the trust file', async () => {
  release = await testRelease(withApprovers(named(ada), named(ben), named({ subject: 'cleo@example.org' })));
  expect(await planned()).toMatchObject({ required: 2, expiresAfterDays: 21 });
});

test('as many are required as the trust file and the series file ask for, whichever is more', async () => {
  release = await testRelease();
  const context = { ...release.context, trust: async () => trustChain({ required: 2 }) };
  expect(await plan(context, { ...release.run, ...open })).toMatchObject({ required: 2 });
  release = await testRelease(testSeries({ gate: { required: 1 } }));
  expect(await plan({ ...release.context, trust: context.trust }, { ...release.run, ...open })).toMatchObject({
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
  expect(await plan(context, { ...release.run, ...open })).toMatchObject({ required: 2 });
  await published.putIfAbsent(
    PUBLIC_KEYS.file({ ...release.run, version: 9 }, FILES.checksums),
    Buffer.from('of any form'),
  );
  await expect(plan(context, { ...release.run, ...open })).rejects.toMatchObject({
    code: 'LEDGER_BEHIND',
  });
});

test('a stored series file that was edited in its place is refused', async () => {
  release = await testRelease();
  const key = RELEASE_KEYS.series('demo', release.run.seriesDigest);
  const path = join(release.folder, 'release', key);
  await chmod(path, 0o600);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"epsilon":"8"', '"epsilon":"50"'));
  await expect(planned()).rejects.toMatchObject({ code: 'COPY_DIFFERS' });
});

const marksOf = async (version: number): Promise<string[]> =>
  (await readExecutions(release.context.releaseStore, { ...release.run, version })).map(({ bytes }) =>
    bytes.toString().trim(),
  );

test('a mark that anybody put there keeps no release out that was never charged', async () => {
  release = await testRelease();
  const { context, run } = release;
  const next = { ...run, version: 2 };
  const junk = ['{"execution":"of-nobody"}', 'junk'];
  for (const [place, text] of junk.entries())
    await context.releaseStore.putIfAbsent(RELEASE_KEYS.execution(next, place + 8), Buffer.from(text));
  for (const execution of ['a', 'a', 'b', 'a']) {
    const planned = await plan(context, { ...next, correction: null, execution });
    expect(planned).toMatchObject({ charge: null });
  }
  expect(await marksOf(2)).toEqual([...junk, '{"execution":"a"}', '{"execution":"b"}']);
});

/** What Temporal says: which execution is open. */
const asked = (open: string | null, execution: string, run: Run & { correction?: Correction } = release.run) =>
  plan(release.context, { correction: null, ...run, execution, open });

test('C11: a release that was charged goes on in another execution only when Temporal says that this one is open', async () => {
  release = await testRelease();
  const { entries } = await readLedger(release.context.releaseStore, 'demo-people');
  const { charge } = reserveOfRelease(entries, release.run)!;
  const exists = { code: 'RELEASE_EXISTS' };
  // Without any mark too: somebody may have taken it away.
  for (const open of [null, 'other']) await expect(asked(open, 'a')).rejects.toMatchObject(exists);
  expect(await asked('a', 'a')).toMatchObject({ charge });
  expect(await asked(null, 'a')).toMatchObject({ charge });
  for (const open of [null, 'a']) await expect(asked(open, 'b')).rejects.toMatchObject(exists);
  expect(await asked('b', 'b')).toMatchObject({ charge });
  expect(await marksOf(1)).toEqual(['{"execution":"a"}', '{"execution":"b"}']);
});

test('C11: a release under another series file, and one that has ended, do not go on', async () => {
  release = await testRelease();
  const { context, run } = release;
  await asked('a', 'a');
  const other = loadedSeries({ ...testSeries(), gate: { required: 1 } });
  await applySeries({ releaseStore: context.releaseStore, signingKey: POLICY_KEY.privateKey }, other);
  const refused = (why: string) => ({ code: 'RELEASE_EXISTS', message: expect.stringContaining(why) });
  await expect(asked('b', 'b', { ...run, seriesDigest: other.digest })).rejects.toMatchObject(
    refused('under another series file'),
  );
  const correction: Correction = { of: 1, reason: 'object-late', partitions: [{ part: 'bus', day: '2026-03-02' }] };
  await expect(asked('b', 'b', { ...run, correction })).rejects.toMatchObject(refused('or correction'));
  const { charge, release: name } = openReserves((await readLedger(context.releaseStore, 'demo-people')).entries)[0]!;
  await appendToLedger(ledgerWriter(context.releaseStore), 'demo-people', () => ({
    kind: 'withhold',
    charge,
    release: name,
    reason: 'rejected',
  }));
  await expect(asked('b', 'b')).rejects.toMatchObject(refused('has ended'));
  expect(await marksOf(1)).toEqual(['{"execution":"a"}']);
});

test('no window of the future is marked, no series that nobody signed, and none that there is not', async () => {
  release = await testRelease();
  const { context, run } = release;
  const tried = async (change: Partial<Run>, code: string) => {
    await expect(plan(context, { ...run, ...change, correction: null, execution: 'a' })).rejects.toMatchObject({
      code,
    });
    expect(await readExecutions(context.releaseStore, { ...run, ...change })).toEqual([]);
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
