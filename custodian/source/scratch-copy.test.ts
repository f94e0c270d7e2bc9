import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { bin } from '../../activities/private/bin.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { reserve } from '../../activities/private/reserve.ts';
import { newFolder } from '../../test/support/new-folder.ts';
import type { ReleaseBench } from '../../test/support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../../test/support/small-series.ts';
import { countCopies, dropStaleCopies } from './scratch-copy.ts';

const SECOND = 1000;

let bench: ReleaseBench;
/** The scratch folder of the host that ingested; nobody has counted yet. */
let scratch: string;

/** Copies of source objects below a scratch folder, of all releases. */
async function copiesIn(folder: string): Promise<string[]> {
  const found = await readdir(join(folder, 'objects'), { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Looks after this number of seconds, as the worker of the host that ingested does; it was started long before. */
const lookAfter = (seconds: number) =>
  dropStaleCopies(scratch, bench.contexts().private.privateStore, 0, Date.now() + seconds * SECOND);

beforeEach(async () => {
  bench = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(bench.folder('source'));
  scratch = join(newFolder(), 'scratch');
  const { private: context } = bench.contexts();
  await reserve(context, { ...bench.run(), partitions: bench.partitions });
  await ingest({ ...context, scratch }, { ...bench.run(), round: 0 });
});

test('@contract C6: no copy outlives the count where one host ingests and another one counts', async () => {
  const other = join(newFolder(), 'scratch');
  const left = await copiesIn(scratch);
  expect(left).toHaveLength(bench.partitions.length);
  await lookAfter(10);
  expect(await copiesIn(scratch)).toEqual(left); // nobody has counted yet
  const input = { ...bench.run(), round: 0, partitions: bench.partitions };
  expect(await bin({ ...bench.contexts().private, scratch: other }, input)).toEqual({ faults: [] });
  expect(await copiesIn(other)).toEqual([]);
  await lookAfter(10);
  expect(await copiesIn(scratch)).toEqual([]);
});

test('copies of a release that is never counted go by age', async () => {
  await lookAfter(31 * 60);
  expect(await copiesIn(scratch)).toEqual([]);
});

test('what lies in scratch is counted, with its bytes and since when, and nothing is 0', async () => {
  const sizes = await Promise.all((await copiesIn(scratch)).map(async (path) => (await stat(path)).size));
  const left = await countCopies(scratch, Date.now() + 60 * SECOND);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(left).toEqual({ copies: bench.partitions.length, bytes, oldestSeconds: expect.closeTo(60, -1.3) });
  expect(await countCopies(newFolder())).toEqual({ copies: 0, bytes: 0, oldestSeconds: 0 });
});

test('a start forgets what was copied before it', async () => {
  const { privateStore } = bench.contexts().private;
  await dropStaleCopies(scratch, privateStore, Date.now() + SECOND);
  expect(await copiesIn(scratch)).toEqual([]);
  await dropStaleCopies(newFolder(), privateStore, Date.now());
});

test('copies are for the user of the worker alone', async () => {
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
  expect(await modeOf(join(scratch, 'objects'))).toBe('700');
  for (const path of await copiesIn(scratch)) {
    expect(await modeOf(dirname(path))).toBe('700');
    expect(await modeOf(path)).toBe('600');
  }
});
