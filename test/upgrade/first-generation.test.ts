import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkLedger } from '../../activities/ledger/ledger.ts';
import { readBytes } from '../../activities/stores/json-objects.ts';
import { diagnose } from '../../client/doctor.ts';
import { OpalineClient } from '../../client/opaline-client.ts';
import { applySchedule, planSchedule } from '../../client/schedule/schedules.ts';
import { verifyPublication } from '../../client/verify/verify-publication.ts';
import { type ClientDeployment, clientDeploymentSchema } from '../../contracts/deployment.ts';
import { RELEASE_KEYS, releasePath } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { provideTemporalCli } from '../../infra/provision/temporal-cli.mjs';
import { readDeployment } from '../../worker/deployment-file.ts';
import { embeddedFiles } from '../../worker/embedded/embedded-files.ts';
import { type Stack, startStack } from '../../worker/embedded/stack.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import { type SmallSeries, writeSmallTrips } from '../support/small-series.ts';
import { reaches, usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { writeWeeklySeries } from '../support/weekly-series.ts';
import { earlierTree, isThere } from './other-build.fixture.ts';

/** The last build of the first generation of stored formats. */
const FIRST_GENERATION = '2cdddc0';
/** A clone without history cannot run it; CI's has it. */
const hasFirstGeneration = await isThere(FIRST_GENERATION);

let root: string;
let stack: Stack;
let client: OpalineClient;
let series: SmallSeries;

/** Starts the stack of this build, or that of the build in another tree, in the same folder. */
const start = async (tree?: string): Promise<void> => {
  const temporalCli = await provideTemporalCli();
  const program = tree && pathToFileURL(join(tree, 'worker', 'embedded', 'stack.ts')).href;
  const build = program ? ((await import(program)) as { startStack: typeof startStack }) : { startStack };
  stack = await build.startStack({ root, temporalCli, deployments: usualDeployments(root), trust: TEST_TRUST });
  client = await OpalineClient.open(await clientOf(stack));
};

/** The client deployment of a stack of any build. */
async function clientOf({ files }: Pick<Stack, 'files'>): Promise<ClientDeployment> {
  const text = await readFile(files.deployment('client'), 'utf8');
  return clientDeploymentSchema.parse({ trust: { file: embeddedFiles(root).trust }, ...JSON.parse(text) });
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'opaline-first-'));
});
afterAll(async () => {
  await client?.close();
  await stack?.stop();
  await rm(root, { recursive: true, force: true });
});

/** The series file as that build needed it: with the keys of approvers in it. */
const withKey = (yaml: string, pem: string): string =>
  yaml.replace(
    /^( *)- subject: .*$/m,
    (line, indent) => `${line}\n${indent}  key: |\n${pem.trimEnd().replace(/^/gm, `${indent}    `)}`,
  );

/** What the command line of that build does: start a release, and approve it. */
async function clientOfTree(tree: string) {
  const load = (file: string) => import(pathToFileURL(join(tree, file)).href);
  const { planRun } = await load('client/plan-run.ts');
  const { applySeries } = await load('client/apply-series.ts');
  const { decideRelease } = await load('client/decide-release.ts');
  const terms = { decision: 'approve', reason: 'audit-passed', note: '', acknowledged: [] };
  return {
    start: async (version: number): Promise<Run> => {
      const { run, loaded } = await planRun(client, series.file, '2026-03-02', version);
      await applySeries(client.releaseStore, loaded);
      await client.start({ ...run, correction: null });
      return run;
    },
    approve: (release: Run) => decideRelease(client, { release, ...terms, privateKey: series.key.privateKey }),
  };
}

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
    const now = await readFile(series.file, 'utf8');
    await writeFile(series.file, withKey(now, series.key.publicKey));
    const earlier = await clientOfTree(tree);
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
      'opaline-ledger/2-draft takeover',
      'opaline-ledger/2-draft commit',
      'opaline-ledger/2-draft policy',
      'opaline-ledger/2-draft reserve',
      'opaline-ledger/2-draft commit',
    ]);
    for (const release of [first, open, third]) expect(await failedChecks(releasePath(release))).toEqual([]);
    const formatOf = async (version: number) => {
      const staged = RELEASE_KEYS.staged({ series: 'weekly', window: '2026-03-02', version }, 'manifest.json');
      return JSON.parse((await readBytes(client.releaseStore, staged)).toString('utf8')).format;
    };
    expect([await formatOf(1), await formatOf(2), await formatOf(3)]).toEqual([
      'opaline-manifest/1',
      'opaline-manifest/1',
      'opaline-manifest/2-draft',
    ]);
    // The schedule waits for its Friday, and nothing is to be mended.
    expect(await planSchedule(client, series.file)).toMatchObject({ isNew: false, changes: [] });
    expect(await diagnose(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema))).toEqual([]);
  },
  400_000,
);
