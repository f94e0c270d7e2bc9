import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin } from '../../activities/private/bin.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { reserve } from '../../activities/private/reserve.ts';
import { derive } from '../../activities/public/derive.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, partitionPath } from '../../contracts/names.ts';

import { numberedId, type ReleaseBench } from '../support/release-bench.ts';
import { scratchLeftovers } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { seededSource } from '../support/seeded-source.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { loadSmallSeries, openSmallRelease, writeSmallTrips } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { ordered } from '../support/test-custody.ts';
import { reaches, usualDeployments } from '../support/test-stack.ts';

// Where no disk can be mounted, services/sql/duckdb.test.ts still tries the words of a full one on /dev/full.
const disk: SmallDisk | null = await mountSmallDisk(8);
const publicDisk: SmallDisk | null = await mountSmallDisk(8);
const title = (text: string): string => (disk ? text : `${text} (left out: this process may not mount a disk)`);

/** Two charges of one ledger never have the same identifier. */
let identifiers = 0;
const newId = () => numberedId(++identifiers);

let release: ReleaseBench;
beforeAll(async () => {
  release = await openSmallRelease(await loadSmallSeries());
  await writeSmallTrips(release.folder('source'));
});
afterAll(async () => {
  await release.close();
  await disk?.unmount();
  await publicDisk?.unmount();
});

test.runIf(disk !== null)(
  title('a real full disk in scratch: each stage says OUT_OF_SCRATCH, leaves nothing, and works when there is room'),
  async () => {
    const scratch = join(disk!.folder, 'scratch');
    const contexts = release.contexts({ random: seededSource(1), newId });
    const context = { ...contexts.private, scratch };
    const run = release.run();
    const refusals: string[] = [];
    /** Does the stage with less and then more room, from none on, until it succeeds. */
    const untilRoom = async (stage: string, act: () => Promise<unknown>) => {
      for (let room = 0; ; room = Math.ceil(room * 1.5) + 4096) {
        await disk!.leave(room);
        try {
          await act();
          return;
        } catch (error) {
          if (!(error instanceof OpalineError) || room > 8 * 2 ** 20) throw error;
          expect(error.code, stage).toBe('OUT_OF_SCRATCH');
          expect(error.message).not.toMatch(/Error|stop-|\.csv|\//); // no path, no row, nothing of what DuckDB said
          refusals.push(stage);
          expect((await scratchLeftovers(scratch)).filter((name) => name.startsWith('job-'))).toEqual([]);
        }
      }
    };
    await untilRoom('ingest', async () => expect((await ingest(context, { ...run, round: 0 })).faults).toEqual([]));
    const partitions = release.partitions;
    const { charge } = await reserve(context, { ...run, partitions });
    await untilRoom('bin', async () =>
      expect((await bin(context, { ...run, round: 0, partitions })).faults).toEqual([]),
    );
    for (const partition of partitions) {
      expect(await context.privateStore.head(PRIVATE_KEYS.cells(run, 0, partition)), partitionPath(partition)).not.toBe(
        null,
      );
      await untilRoom('privatize', () => privatize(context, { ...run, round: 0, partitions: [partition], charge }));
    }
    expect(new Set(refusals)).toContain('ingest');
    expect(new Set(refusals)).toContain('bin');
    expect(await scratchLeftovers(scratch)).toEqual([]);
    await disk!.free();
  },
  180_000,
);

test.runIf(disk !== null)(
  title('derive on a real full disk says OUT_OF_SCRATCH, leaves nothing, and works when there is room'),
  async () => {
    const contexts = release.contexts({ random: seededSource(2), newId });
    const run = { ...release.run(2), round: 0 };
    await ingest(contexts.private, run);
    await ordered(release.store('release'), run);
    const { charge } = await reserve(contexts.private, { ...run, partitions: release.partitions });
    await bin(contexts.private, { ...run, partitions: release.partitions });
    for (const partition of release.partitions)
      await privatize(contexts.private, { ...run, partitions: [partition], charge });
    const scratch = join(disk!.folder, 'public');
    const context = { ...contexts.public, scratch };
    const act = () => derive(context, { ...release.run(2), correction: null, charge });
    await disk!.leave(0);
    await expect(act()).rejects.toMatchObject({ name: 'OpalineError', code: 'OUT_OF_SCRATCH' });
    expect(await scratchLeftovers(scratch)).toEqual([]);
    await disk!.free();
    await act();
    expect(await scratchLeftovers(scratch)).toEqual([]);
  },
  180_000,
);

test.runIf(disk !== null)(
  title(
    'a release on two full disks is tried again by itself, in ingest and in derive, and goes on when there is room',
  ),
  { tags: 'soak', timeout: 400_000 },
  async () => {
    await disk!.leave(0);
    await publicDisk!.leave(0);
    const scratch = { private: join(disk!.folder, 'worker'), public: join(publicDisk!.folder, 'worker') };
    const { stack, series } = await startSmallStack({
      deployments: (root) => {
        const usual = usualDeployments(root);
        return {
          ...usual,
          private: { ...usual.private, scratch: scratch.private },
          public: { ...usual.public, scratch: scratch.public },
        };
      },
    });
    try {
      const run = await startSmall(stack.client, series);
      await untilSaid(stack.files.log('private'), '"activity":"ingest"', '"code":"OUT_OF_SCRATCH"', '"attempt":3');
      expect(await stack.client.status(run)).toMatchObject({ state: 'running', stage: 'ingest' });
      await disk!.free();
      const said = await untilSaid(stack.files.log('public'), '"activity":"derive"', '"activity failed"');
      expect(said).toContain('"code":"OUT_OF_SCRATCH"');
      expect(await stack.client.status(run)).toMatchObject({ state: 'running', stage: 'derive' });
      await publicDisk!.free();
      expect((await reaches(stack.client, run, ['waiting', 'failed', 'partitions-failed'], 180)).state).toBe('waiting');
      expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
      expect((await reaches(stack.client, run, ['published', 'failed'], 120)).state).toBe('published');
      for (const side of Object.values(scratch)) expect(await scratchLeftovers(side)).toEqual([]);
    } finally {
      await stack.end();
    }
  },
);

/** The first line of a log that holds all of the words. */
async function untilSaid(log: string, ...words: string[]): Promise<string> {
  for (let waited = 0; waited < 120; waited++) {
    const lines = (await readFile(log, 'utf8')).split('\n');
    const found = lines.find((line) => words.every((word) => line.includes(word)));
    if (found) return found;
    await delay(1_000);
  }
  throw new Error(`${words} is not in ${log}`);
}
