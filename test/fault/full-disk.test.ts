import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bin } from '../../activities/private/bin.ts';
import { ingest } from '../../activities/private/ingest.ts';
import { privatize } from '../../activities/private/privatize.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { PRIVATE_KEYS, partitionPath } from '../../contracts/names.ts';
import { seededSource } from '../../core/random/seeded-source.ts';
import { embeddedFiles, folderDeployments } from '../../worker/embedded/embedded-files.ts';
import { scratchLeftovers } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { writeSmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, startTestStack } from '../support/test-stack.ts';
import { numberedId, SmallRelease } from './small-release.fixture.ts';
import { smallSetup } from './small-setup.fixture.ts';

const disk: SmallDisk | null = await mountSmallDisk(8);
const title = (text: string): string => (disk ? text : `${text} (left out: this process may not mount a disk)`);

let release: SmallRelease;
beforeAll(async () => {
  release = await SmallRelease.open(await smallSetup());
  await writeSmallTrips(release.folder('source'));
});
afterAll(async () => {
  await release.close();
  await disk?.unmount();
});

test.runIf(disk !== null)(
  title('a real full disk in scratch: each stage says OUT_OF_SCRATCH, leaves nothing, and works when there is room'),
  async () => {
    const scratch = join(disk!.folder, 'scratch');
    const contexts = release.contexts({ random: seededSource(1), newId: () => numberedId(++names) });
    const context = { ...contexts.private, scratch };
    let names = 0;
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
          refusals.push(stage);
          expect((await scratchLeftovers(scratch)).filter((name) => name.startsWith('job-'))).toEqual([]);
        }
      }
    };
    await untilRoom('ingest', async () => expect((await ingest(context, { ...run, round: 0 })).faults).toEqual([]));
    const partitions = release.partitions;
    await untilRoom('bin', async () =>
      expect((await bin(context, { ...run, round: 0, partitions })).faults).toEqual([]),
    );
    for (const partition of partitions) {
      expect(await context.privateStore.head(PRIVATE_KEYS.cells(run, 0, partition)), partitionPath(partition)).not.toBe(
        null,
      );
      await untilRoom('privatize', () => privatize(context, { ...run, round: 0, partition, charge: 'charge' }));
    }
    expect(new Set(refusals)).toContain('ingest');
    expect(new Set(refusals)).toContain('bin');
    expect(await scratchLeftovers(scratch)).toEqual([]);
    await disk!.free();
  },
  60_000,
);

test.runIf(disk !== null)(
  title('a release on a full disk waits in partitions-failed with OUT_OF_SCRATCH, and a retry finishes it'),
  async () => {
    await disk!.leave(0);
    const scratch = join(disk!.folder, 'worker');
    const stack = await startTestStack((root) => {
      const files = embeddedFiles(root);
      const deployments = folderDeployments(files, { trips: join(root, 'stores', 'sources', 'trips') });
      return { ...deployments, private: { ...deployments.private, scratch } };
    });
    try {
      const series = await writeSmallSeries(join(stack.root, 'small'));
      await writeSmallTrips(stack.source);
      const run = await startSmall(stack.client, series);
      const failed = await reaches(stack.client, run, ['partitions-failed', 'waiting', 'failed'], 120);
      expect(failed.state).toBe('partitions-failed');
      expect(new Set(failed.partitions.map(({ code }) => code))).toEqual(new Set(['OUT_OF_SCRATCH']));
      await disk!.free();
      expect(await stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' })).toMatchObject({
        accepted: true,
      });
      expect((await reaches(stack.client, run, ['waiting', 'failed', 'partitions-failed'], 120)).state).toBe('waiting');
      expect(await decideSmall(stack.client, series, run, 'approve')).toMatchObject({ accepted: true });
      expect((await reaches(stack.client, run, ['published', 'failed'], 120)).state).toBe('published');
      expect(await scratchLeftovers(scratch)).toEqual([]);
    } finally {
      await stack.end();
    }
  },
  300_000,
);
