import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { explainStatus } from '../../client/release/explain-release.ts';
import { partitionPath } from '../../contracts/names.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { newFolder } from '../support/new-folder.ts';
import { differingOutputs, ledgerErrors, scratchLeftovers } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { SMALL_DAYS, SMALL_MODES, type SmallSeries, smallTrips, writeSmallSeries } from '../support/small-series.ts';
import { smallPlaces } from '../support/small-stack.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';

const MEMORY_MIB = 128;

/** A worker that is idle takes about 350 MiB; the poison is 480 MB when it is read. */
const RESIDENT_MIB = 700;

let stack: TestStack;
let series: SmallSeries;

beforeAll(async () => {
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    return { ...usual, private: { ...usual.private, memoryMiB: MEMORY_MIB } };
  });
  series = await writeSmallSeries(join(stack.root, 'small'), {}, (yaml) =>
    yaml.replace('{mode}.csv.gz', '{mode}.parquet').replace('csv\n  compression: gzip', 'parquet'),
  );
  for (const day of SMALL_DAYS) for (const mode of SMALL_MODES) await deliver(day, mode);
});
afterAll(() => stack?.end());

const keyOf = (day: string, mode: string): string => `${day}/${mode}.parquet`;

/** Writes the usual trips of one object. */
async function deliver(day: string, mode: string): Promise<void> {
  const folder = newFolder();
  await writeFile(join(folder, 'trips.csv'), smallTrips(day, mode));
  await writeParquet(keyOf(day, mode), `SELECT * FROM read_csv('${folder}/trips.csv')`);
}

/** A hundred and twenty stops with names of 4 MB: twenty kilobytes on disk. */
const deliverPoison = (day: string, mode: string): Promise<void> =>
  writeParquet(
    keyOf(day, mode),
    `SELECT '${mode}' AS mode, TIMESTAMP '${day} 08:00' AS on_time, repeat('x', 4000000) || range AS on_stop,
      NULL::TIMESTAMP AS off_time, NULL::VARCHAR AS off_stop FROM range(120)`,
  );

async function writeParquet(key: string, query: string): Promise<void> {
  const path = join(stack.source, key);
  await mkdir(dirname(path), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  instance.closeSync();
}

/** The most memory that a process ever held, in MiB. */
async function peakMiB(pid: number): Promise<number> {
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes) / 1024;
}

const paths = (status: ReleaseStatus, state: string): string[] =>
  status.partitions.filter((one) => one.state === state).map(partitionPath);

test('@contract C6: Parquet with values of an absurd size fails nothing, and the worker stays within its memory', async () => {
  await deliverPoison('2026-03-03', 'bus');
  const worker = stack.workers().private!;
  const run = await startSmall(stack.client, series);
  const waiting = await reaches(stack.client, run, ['waiting', 'partitions-failed', 'failed'], 200);
  expect(waiting.state).toBe('waiting');
  expect(paths(waiting, 'drawn')).toHaveLength(6);
  expect(stack.workers().private).toBe(worker);
  if (process.platform === 'linux') expect(await peakMiB(worker)).toBeLessThan(RESIDENT_MIB);
  // Whether taps of the spoilt file's partitions are shown is for the noise to say.
  expect(['published-taps']).toEqual(expect.arrayContaining(waiting.attention));
  expect(await decideSmall(stack.client, series, run, 'approve', waiting.attention)).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['published', 'failed'], 120)).state).toBe('published');

  const places = smallPlaces(stack);
  expect(await differingOutputs(places, run)).toEqual([]);
  expect(await ledgerErrors(places, run)).toEqual([]);
  expect(await scratchLeftovers(stack.files.scratch('private'))).toEqual([]);
}, 300_000);

/** Text that is cut off is in test/e2e/objects.test.ts, and what is abandoned in test/e2e/release.test.ts. */
const SOAK = { tags: 'soak', timeout: 300_000 } as const;

test('Parquet that is cut off fails exactly its partitions, and a retry mends it', SOAK, async () => {
  const object = join(stack.source, keyOf('2026-03-03', 'bus'));
  await writeFile(object, (await readFile(object)).subarray(0, -20));
  const run = await startSmall(stack.client, series, 2);
  const failed = await reaches(stack.client, run, ['partitions-failed', 'waiting', 'failed'], 120);
  expect(failed.state).toBe('partitions-failed');
  expect(paths(failed, 'failed')).toEqual(['bus/2026-03-03', 'bus/2026-03-04']);
  for (const partition of failed.partitions.filter(({ state }) => state === 'failed'))
    expect(partition).toMatchObject({ code: 'OBJECT_UNREADABLE', object: keyOf('2026-03-03', 'bus') });
  expect(explainStatus(failed).causes.join('\n')).toContain(keyOf('2026-03-03', 'bus'));
  const retry = () => stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' });
  expect(await retry()).toMatchObject({ accepted: true });
  expect(paths(await reaches(stack.client, run, ['partitions-failed'], 120), 'failed')).toHaveLength(2);
  await deliver('2026-03-03', 'bus');
  expect(await retry()).toMatchObject({ accepted: true });
  expect((await reaches(stack.client, run, ['waiting', 'partitions-failed', 'failed'], 120)).state).toBe('waiting');
});

test('the partitions of an object that is cut off can be abandoned: no draw of them exists', SOAK, async () => {
  const object = join(stack.source, keyOf('2026-03-04', 'ferry'));
  await writeFile(object, (await readFile(object)).subarray(0, -20));
  const run = await startSmall(stack.client, series, 3);
  await reaches(stack.client, run, ['partitions-failed', 'waiting', 'failed'], 120);
  const partitions = [{ part: 'ferry', day: '2026-03-04' }];
  expect(await stack.client.ask(run, 'abandonPartitions', { partitions, subject: 'test' })).toMatchObject({
    accepted: true,
  });
  const waiting = await reaches(stack.client, run, ['waiting', 'failed'], 120);
  expect(paths(waiting, 'abandoned')).toEqual(['ferry/2026-03-04']);
  expect(await scratchLeftovers(stack.files.scratch('private'))).toEqual([]);
});
