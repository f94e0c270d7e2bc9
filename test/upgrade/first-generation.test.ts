import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { walkLedger } from '../../activities/ledger/ledger.ts';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { diagnose } from '../../client/doctor.ts';
import type { OpalineClient } from '../../client/opaline-client.ts';
import { applySchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import type { Stack } from '../../worker/embedded/stack.ts';
import { newFolder } from '../support/new-folder.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches } from '../support/test-stack.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import { commandsOf, openStackOf } from './earlier-stack.fixture.ts';
import { earlierTree, isThere } from './other-build.fixture.ts';

/** The last build of the first generation of stored formats. */
const FIRST_GENERATION = '2cdddc0';
/** A clone without history cannot run it; CI's has it. */
const hasFirstGeneration = await isThere(FIRST_GENERATION);

const root = newFolder();
let stack: Stack;
let client: OpalineClient;
let series: SmallSeries;

/** Starts the stack of this build, or that of the build in another tree, in the same folder. */
const start = async (tree?: string): Promise<void> => {
  ({ stack, client } = await openStackOf(root, tree));
};

afterAll(async () => {
  await client?.close();
  await stack?.stop();
});

const kindsOfLedger = async (): Promise<string[]> =>
  (await walkLedger(client.releaseStore, 'weekly')).entries.map(({ format, kind }) => `${format} ${kind}`);

const failedChecks = async (path: string) =>
  (await verifyPublication(join(stack.files.publication, path))).checks.filter(({ ok }) => !ok);

test.runIf(hasFirstGeneration)(
  `a state folder of the build ${FIRST_GENERATION} goes on: an open gate, a schedule, a ledger, a publication`,
  async () => {
    const tree = await earlierTree(FIRST_GENERATION, root);
    await start(tree);
    series = await writeWeeklySeries(join(root, 'weekly'), { series: 'weekly', population: 'weekly' });
    await writeSmallTrips(join(stack.files.sources, 'trips'));
    const earlier = await commandsOf(tree, client, series);
    const first = await earlier.start(1);
    await reaches(client, first, ['waiting'], 120);
    await earlier.approve(first);
    await reaches(client, first, ['published'], 120);
    const open = await earlier.start(2);
    const before = await reaches(client, open, ['waiting'], 120);
    await applySchedule(client, await planSchedule(client, series.file));
    await client.close();
    await stack.stop();

    await start();
    const waiting = await reaches(client, open, ['waiting'], 120);
    expect(waiting.partitions).toEqual(before.partitions);
    expect(waiting.partitions[0]).toMatchObject({ part: 'bus', day: '2026-03-02', state: 'drawn' });
    expect(waiting.manifestDigest).toBe(before.manifestDigest);
    await decideSmall(client, series, open, 'approve');
    await reaches(client, open, ['published'], 120);
    const third = await startSmall(client, series, 3);
    await reaches(client, third, ['waiting'], 120);
    await decideSmall(client, series, third, 'approve');
    await reaches(client, third, ['published'], 120);

    expect(await kindsOfLedger()).toEqual([
      'opaline-ledger/1 reserve',
      'opaline-ledger/1 commit',
      'opaline-ledger/1 reserve',
      'opaline-ledger/2 takeover',
      'opaline-ledger/2 commit',
      'opaline-ledger/2 policy',
      'opaline-ledger/2 reserve',
      'opaline-ledger/2 commit',
    ]);
    for (const release of [first, open, third]) expect(await failedChecks(releasePath(release))).toEqual([]);
    const formatOf = async (version: number) => {
      const staged = RELEASE_KEYS.staged({ series: 'weekly', window: '2026-03-02', version }, 'manifest.json');
      return JSON.parse((await readBytes(client.releaseStore, staged)).toString('utf8')).format;
    };
    expect([await formatOf(1), await formatOf(2), await formatOf(3)]).toEqual([
      'opaline-manifest/1',
      'opaline-manifest/1',
      'opaline-manifest/2',
    ]);
    // The schedule waits for its Friday, and nothing is to be mended.
    expect(await planSchedule(client, series.file)).toMatchObject({ isNew: false, changes: [] });
    expect(await diagnose(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema))).toEqual([]);
  },
  400_000,
);
