import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readLedger } from '../../activities/ledger/ledger.ts';
import { readTrustFile } from '../../activities/trust/trust-file.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { FILES, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { SMALL_WINDOW, type SmallSeries, writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack, type TestStack } from '../support/test-stack.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startTestStack();
  await writeSmallTrips(stack.source);
});
afterAll(() => stack?.end());

describe('a release on real Temporal and the folder store', () => {
  let series: SmallSeries;
  let run: Run;
  let waiting: ReleaseStatus;

  beforeAll(async () => {
    series = await writeSmallSeries(join(stack.root, 'small'));
    run = await startSmall(stack.client, series);
    waiting = await reaches(stack.client, run, ['waiting', 'failed', 'partitions-failed']);
  });

  test('runs to the gate with every partition drawn and one charge', async () => {
    expect(waiting).toMatchObject({ state: 'waiting', verdict: 'pass', ending: null });
    expect(waiting.partitions.map(({ state }) => state)).toEqual(Array(6).fill('drawn'));
    const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
    expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve']);
    expect(entries[1]).toMatchObject({ charge: waiting.charge });
  });

  test('its id cannot run twice', async () => {
    await expect(startSmall(stack.client, series)).rejects.toMatchObject({ code: 'RELEASE_EXISTS' });
  });

  test('a stranger cannot approve, and the refusal is recorded', async () => {
    const stranger = await writeSmallSeries(join(stack.root, 'stranger'), { subject: 'stranger@example.org' });
    await expect(decideSmall(stack.client, stranger, run, 'approve')).rejects.toMatchObject({
      code: 'SUBJECT_UNKNOWN',
    });
  });

  test('a point that the audit does not name cannot be acknowledged', async () => {
    const request = { release: run, decision: 'approve', reason: 'attention-accepted', note: '' } as const;
    const privateKey = series.key.privateKey;
    await expect(decideRelease(stack.client, { ...request, acknowledged: ['hole'], privateKey })).rejects.toMatchObject(
      { code: 'USAGE', message: 'hole is no attention point of the release; it has none.' },
    );
  });

  test('what the state does not offer is answered with a reason', async () => {
    const answer = await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
    expect(answer).toMatchObject({ accepted: false, code: 'ACTION_NOT_OFFERED' });
  });

  test('an approval publishes files that verify offline, and ends the charge', async () => {
    expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
    const published = await reaches(stack.client, run, ['published', 'failed']);
    expect(published.state).toBe('published');
    const folder = join(stack.files.publication, releasePath(run));
    const report = await verifyPublication(folder, await readTrustFile(stack.files.trust));
    expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(report).toMatchObject({ verified: true, tiedTo: 'demo keys' });
    const text = (
      await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'latin1')))
    ).join();
    expect(text).not.toContain('a note that is never published');
    const { entries } = await readLedger(stack.client.releaseStore, 'small-riders');
    expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'commit']);
  });

  test('time and location tables are the sums of the time-location table', async () => {
    const folder = join(stack.files.publication, releasePath(run));
    const rows = async (table: 'time-location' | 'time' | 'location') =>
      (await readFile(join(folder, FILES.table(table)), 'utf8'))
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(','));
    const sums = (list: string[][], columns: number[]) => {
      const sum = new Map<string, number>();
      for (const row of list) {
        const key = columns.map((column) => row[column]).join();
        sum.set(key, (sum.get(key) ?? 0) + Number(row.at(-1)));
      }
      return Object.fromEntries(sum);
    };
    const cells = await rows('time-location');
    expect(cells.length).toBeGreaterThan(0);
    expect(sums(await rows('time'), [0, 1, 2, 3])).toEqual(sums(cells, [0, 1, 2, 3]));
    expect(sums(await rows('location'), [0, 1, 2, 3])).toEqual(sums(cells, [0, 1, 2, 4]));
  });
});

test('a rejected release ends as rejected and its charge stays', async () => {
  const series = await writeSmallSeries(join(stack.root, 'rejected'), {
    series: 'rejected',
    population: 'other-riders',
  });
  const run = await startSmall(stack.client, series);
  await reaches(stack.client, run, ['waiting']);
  expect(await decideSmall(stack.client, series, run, 'reject')).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['rejected'])).location).toBeNull();
  await vi.waitFor(async () => {
    const { entries } = await readLedger(stack.client.releaseStore, 'other-riders');
    expect(entries.map(({ kind }) => kind)).toEqual(['policy', 'reserve', 'withhold']);
  }, 30_000);
});

test('a release over the cap is refused before anything is drawn, and the ledger says so', async () => {
  const changes = { series: 'dear', population: 'dear-riders', yearEpsilon: '12' };
  const series = await writeSmallSeries(join(stack.root, 'dear'), changes);
  await reaches(stack.client, await startSmall(stack.client, series), ['waiting']);
  const second = await startSmall(stack.client, series, 2);
  const failed = await reaches(stack.client, second, ['failed']);
  expect(failed).toMatchObject({ charge: null, ending: { code: 'BUDGET_EXCEEDED' } });
  const { entries } = await readLedger(stack.client.releaseStore, 'dear-riders');
  const refusal = { kind: 'refuse', code: 'BUDGET_EXCEEDED', release: releasePath(second) };
  expect(entries).toMatchObject([{ kind: 'policy' }, { kind: 'reserve' }, refusal]);
  for (const partition of failed.partitions)
    expect(await stack.client.releaseStore.head(RELEASE_KEYS.privatized(second, partition))).toBeNull();
});

test('a release can be cancelled or withdrawn, and says so', async () => {
  const series = await writeSmallSeries(join(stack.root, 'gone'), { series: 'gone', population: 'gone-riders' });
  const run = await startSmall(stack.client, series);
  await reaches(stack.client, run, ['waiting']);
  expect(await stack.client.ask(run, 'withdraw', { subject: 'test' })).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['withdrawn'])).state).toBe('withdrawn');
  const next = await startSmall(stack.client, series, 2);
  await reaches(stack.client, next, ['waiting']);
  expect(await stack.client.ask(next, 'cancel', { subject: 'test' })).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, next, ['cancelled'])).state).toBe('cancelled');
});

test('no release of that name is a clear error', async () => {
  const missing = { series: 'nothing', window: SMALL_WINDOW, version: 1 };
  await expect(stack.client.status(missing)).rejects.toMatchObject({ code: 'RELEASE_UNKNOWN' });
});
