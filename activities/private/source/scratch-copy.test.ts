import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/new-folder.ts';
import type { ReleaseBench } from '../../../test/support/release-bench.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../../../test/support/small-series.ts';
import { bin } from '../bin.ts';
import { ingest } from '../ingest.ts';
import { reserve } from '../reserve.ts';
import { dropStaleCopies } from './scratch-copy.ts';

const MINUTE = 60_000;

let bench: ReleaseBench;
/** The scratch folder of the host that ingested; nobody has counted yet. */
let scratch: string;

const copiesIn = (folder: string): Promise<string[]> => readdir(join(folder, 'objects'));

beforeEach(async () => {
  bench = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(bench.folder('source'));
  scratch = join(newFolder(), 'scratch');
  const { private: context } = bench.contexts();
  await reserve(context, { ...bench.run(), partitions: bench.partitions });
  await ingest({ ...context, scratch }, { ...bench.run(), round: 0 });
});

test('@contract C6: no copy outlives its release by an hour where one host ingests and another one counts', async () => {
  const other = join(newFolder(), 'scratch');
  const { partitions } = bench;
  const input = { ...bench.run(), round: 0, partitions };
  expect(await bin({ ...bench.contexts().private, scratch: other }, input)).toEqual({ faults: [] });
  expect(await copiesIn(other)).toEqual([]);
  const left = await copiesIn(scratch);
  expect(left).toHaveLength(partitions.length);
  const since = Date.now() - 10 * MINUTE;
  await dropStaleCopies(scratch, since, Date.now() + 50 * MINUTE);
  expect(await copiesIn(scratch)).toEqual(left);
  await dropStaleCopies(scratch, since, Date.now() + 59 * MINUTE);
  expect(await copiesIn(scratch)).toEqual([]);
});

test('a start forgets what was copied before it', async () => {
  await dropStaleCopies(scratch, Date.now() + MINUTE);
  expect(await copiesIn(scratch)).toEqual([]);
  await dropStaleCopies(newFolder(), Date.now());
});

test('copies are for the user of the worker alone', async () => {
  const modeOf = async (name: string) => ((await stat(join(scratch, 'objects', name))).mode & 0o777).toString(8);
  expect(await modeOf('')).toBe('700');
  for (const name of await copiesIn(scratch)) expect(await modeOf(name)).toBe('600');
});
