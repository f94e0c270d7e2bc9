import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpalineClient, openClient } from '../../client/opaline-client.ts';
import { decideRelease } from '../../client/release/decide-release.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { FILES, PRIVATE_KEYS, PUBLIC_KEYS, partitionPath, RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Answer, ReleaseStatus, Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import { readAttestation } from '../../services/publication/attestation-file.ts';
import { FolderStore } from '../../services/stores/folder-store.ts';
import { readBytes, readJson } from '../../services/stores/json-objects.ts';
import { readTrustFile } from '../../services/trust/trust-file.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { differingOutputs, ledgerErrors } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import {
  SMALL_WINDOW,
  type SmallSeries,
  writeSmallSeries,
  writeSmallTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { smallPlaces } from '../support/small-stack.ts';
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
    expect(sums(await rows('location'), [0, 1, 2, 3])).toEqual(sums(cells, [0, 1, 2, 6]));
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
  }, 240_000);
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
  expect(await decideSmall(stack.client, series, run, 'withdraw')).toMatchObject({ accepted: true });
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

describe('two operators at once', () => {
  let other: OpalineClient;
  let series: SmallSeries;

  beforeAll(async () => {
    series = await writeSmallSeries(join(stack.root, 'usual'), { series: 'usual', population: 'usual' });
    other = await openClient(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema));
  });
  afterAll(async () => {
    await other?.close();
  });

  /** One sentence for people, with a code of the table. */
  function expectClear(refused: Answer): void {
    expect(refused).toMatchObject({ accepted: false });
    if (refused.accepted) return;
    expect(['ACTION_NOT_OFFERED', 'ALREADY_DECIDED', 'USAGE']).toContain(refused.code);
    expect(refused.message).toMatch(/^[^\n]{20,}\.$/);
  }

  const ledgerKinds = async (run: Run): Promise<string[]> => {
    const { entries } = await readLedger(stack.client.releaseStore, 'usual');
    return entries.filter((entry) => 'release' in entry && entry.release === releasePath(run)).map(({ kind }) => kind);
  };

  /**
   * Of a retry and an abandon at once the one that is served first goes on, and while it does the other is refused. Both
   * are accepted only when the retry had ended before the abandon was served, and had left the partition failed.
   */
  test('one retries and one abandons a partition at once: it is a hole once, and never drawn', async () => {
    await writeTruncatedTrips(stack.source, '2026-03-04', 'ferry');
    const run = await startSmall(stack.client, series);
    const partition = { part: 'ferry', day: '2026-03-04' };
    const request = { partitions: [partition], subject: 'test' };
    for (const attempt of [0, 1, 2, 3]) {
      await reaches(stack.client, run, ['partitions-failed']);
      const retry = () => stack.client.ask(run, 'retryPartitions', request);
      const abandon = () => other.ask(run, 'abandonPartitions', request);
      const both = attempt % 2 === 0 ? [retry(), abandon()] : [abandon(), retry()];
      const answers = await Promise.all(both);
      const [retried, abandoned] = attempt % 2 === 0 ? answers : answers.toReversed();
      if (retried!.accepted && abandoned!.accepted) expect(retried).toMatchObject({ state: 'partitions-failed' });
      else expectClear(retried!.accepted ? abandoned! : retried!);
      expect(retried!.accepted || abandoned!.accepted).toBe(true);
      if (abandoned!.accepted) break;
    }
    let status = await reaches(stack.client, run, ['waiting', 'partitions-failed', 'failed']);
    if (status.state === 'partitions-failed') {
      expect(await stack.client.ask(run, 'abandonPartitions', request)).toMatchObject({ accepted: true });
      status = await reaches(stack.client, run, ['waiting', 'failed']);
    }
    expect(status.partitions.filter(({ state }) => state === 'abandoned').map(partitionPath)).toEqual([
      'ferry/2026-03-04',
    ]);
    expect(status.partitions.filter(({ state }) => state === 'drawn')).toHaveLength(5);
    expect(await ledgerKinds(run)).toEqual(['reserve']);
    const privateStore = new FolderStore(stack.files.store('private'));
    const stored = await readBytes(privateStore, PRIVATE_KEYS.privatized(run, partition));
    expect(JSON.parse(String(stored))).toMatchObject({ format: 'opaline-hole/1', code: 'OBJECT_UNREADABLE' });
    expect(await privateStore.head(PRIVATE_KEYS.draw(run, partition))).toBeNull();
    expect(await stack.client.releaseStore.head(RELEASE_KEYS.privatized(run, partition))).toBeNull();
  }, 200_000);

  test('two approve at once: one approval counts, the other is told why, and the publication has one', async () => {
    await writeSmallTrips(stack.source);
    const run = await startSmall(stack.client, series, 2);
    await reaches(stack.client, run, ['waiting']);
    const answers = await Promise.all(
      [stack.client, other].map((client) => decideSmall(client, series, run, 'approve')),
    );
    expect(answers.filter(({ accepted }) => accepted)).toHaveLength(1);
    const refused = answers.find(({ accepted }) => !accepted)!;
    expectClear(refused);
    expect(JSON.stringify(refused)).not.toContain('is waiting');
    expect((await reaches(stack.client, run, ['published', 'failed'])).decisions).toHaveLength(1);
    const places = { ...smallPlaces(stack), population: 'usual' };
    const attestation = await readJson(places.publication, PUBLIC_KEYS.file(run, FILES.attestation), {
      parse: readAttestation,
    });
    expect(attestation.approvals).toHaveLength(1);
    expect(await differingOutputs(places, run)).toEqual([]);
    expect(await ledgerErrors(places, run)).toEqual([]);
  }, 200_000);

  test.each([3, 4])(
    'one cancels and one approves at once, version %i: published or cancelled, and never both',
    async (version) => {
      const run = await startSmall(stack.client, series, version);
      await reaches(stack.client, run, ['waiting']);
      const cancel = () => stack.client.ask(run, 'cancel', { subject: 'test' });
      const approve = () => decideSmall(other, series, run, 'approve');
      const answers = await Promise.all(version === 3 ? [cancel(), approve()] : [approve(), cancel()]);
      const [cancelled, approved] = version === 3 ? answers : answers.toReversed();
      const { state } = await reaches(stack.client, run, ['published', 'cancelled', 'failed']);
      expect(state).toBe(cancelled!.accepted ? 'cancelled' : 'published');
      expect(cancelled!.accepted || approved!.accepted).toBe(true);
      for (const answer of answers) if (!answer.accepted) expectClear(answer);
      // A release says that it is cancelled before the private worker has written so into the ledger.
      const kinds = ['reserve', state === 'published' ? 'commit' : 'withhold'];
      await expect.poll(() => ledgerKinds(run), { timeout: 30_000 }).toEqual(kinds);
      const attestation = smallPlaces(stack).publication.head(PUBLIC_KEYS.file(run, FILES.attestation));
      expect((await attestation) !== null).toBe(state === 'published');
    },
    200_000,
  );
});
