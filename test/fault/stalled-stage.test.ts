import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/process.fixture.ts';
import { diagnose } from '../../client/doctor.ts';
import { clientDeploymentSchema } from '../../contracts/deployment.ts';
import { EXIT } from '../../contracts/errors.ts';
import { releasePath, releaseWorkflowId } from '../../contracts/names.ts';
import type { Run } from '../../contracts/stages.ts';
import { readLedger } from '../../services/ledger/ledger.ts';
import type { ChildProcess } from '../../stack/child-process.ts';
import { readDeployment } from '../../worker/deployment-file.ts';
import { startSmall } from '../support/releases.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { startSmallStack } from '../support/small-stack.ts';
import { reaches, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { change, copyTree, startTreeWorker } from '../upgrade/other-build.fixture.ts';
import { PlantedFault } from './planted-fault.fixture.ts';

/** Seconds until everything here is where it is waited for, on a machine that is busy with other tests. */
const PATIENCE = 120;
const LONG = { timeout: 3 * PATIENCE * 1000 };
/** Attempts of the build under test, in which a stage has twenty seconds. */
const ATTEMPTS = 3;

/** Resident memory that a computing process of the public side may take. */
const MEMORY_MIB = 800;

let stack: TestStack;
let series: SmallSeries;
let fault: PlantedFault;
/** Public workers of other trees; the one that started last is current. */
const workers: ChildProcess[] = [];

beforeAll(async () => {
  const deployments = (root: string) => {
    const usual = usualDeployments(root);
    return { ...usual, public: { ...usual.public, process: { memoryMiB: MEMORY_MIB } } };
  };
  ({ stack, series } = await startSmallStack({ deployments }));
  await startFaultyWorker();
});
afterAll(async () => {
  for (const worker of workers) await worker.stop();
  await stack?.end();
});

async function startWorker(tree: string, name: string): Promise<void> {
  workers.push(await startTreeWorker(tree, stack.files.deployment('public'), stack.files.log(name)));
}

/** The build of today, with limits that a test can wait for, and a fault in derive. */
async function startFaultyWorker(): Promise<void> {
  const tree = await copyTree(stack.root);
  await change(tree, 'contracts/stage-limits.ts', 'attempts: 12', `attempts: ${ATTEMPTS}`);
  await change(tree, 'contracts/stage-limits.ts', 'minutes: 60 };', 'minutes: 1 / 3 };');
  fault = await PlantedFault.in(tree, 'activities/public/derive.ts', 'const { series, release } = await requireDrawn(');
  await startWorker(tree, 'faulty');
}

const at = (run: Run, ...states: Parameters<typeof reaches>[2]) => reaches(stack.client, run, states, PATIENCE);
const opaline = (...line: string[]) => run(line, { cwd: stack.root, deployment: stack.files.deployment('client') });
const findings = async () =>
  (await diagnose(await readDeployment(stack.files.deployment('client'), clientDeploymentSchema))).map(
    ({ sentence, command }) => `${sentence} | ${command}`,
  );
const charges = async () =>
  (await readLedger(stack.client.releaseStore, 'small-riders')).entries.flatMap((entry) =>
    'release' in entry ? `${entry.kind} ${entry.release}` : [],
  );

test('a stage that always exceeds its time stalls the release; status, show, explain and doctor say so', {
  ...LONG,
  tags: 'soak',
}, async () => {
  await fault.set('slow');
  const slow = await startSmall(stack.client, series, 2);
  const name = releasePath(slow);
  const { stall } = await at(slow, 'stalled');
  expect(stall).toMatchObject({ activity: 'derive', code: 'STAGE_TIMED_OUT', attempts: 1, from: 'running' });
  expect((await opaline('status')).stdout).toMatch(
    new RegExp(`^${name} +stalled at derive \\(STAGE_TIMED_OUT\\)`, 'm'),
  );
  const { stdout } = await opaline('show', name);
  expect(stdout).toMatch(/At the stage derive 1 attempt failed, the last at .*, with STAGE_TIMED_OUT/);
  expect(stdout).toContain(`Mend the cause, then: npm run opaline -- retry ${name}`);
  expect((await opaline('explain', name)).stdout).toMatch(/STAGE_TIMED_OUT[\s\S]*0 ε[\s\S]*opaline -- retry/);
  expect(await findings()).toEqual([expect.stringContaining(`is stalled: A stage failed again and again`)]);

  await fault.mend();
  expect(await opaline('retry', name)).toMatchObject({
    code: EXIT.waiting,
    stdout: expect.stringContaining('waiting'),
  });
  expect((await charges()).filter((line) => line.endsWith(name))).toEqual([`reserve ${name}`]);
  expect(await findings()).toEqual([]);
});

test(
  'a stage that fails each time stalls it after its attempts, also when it is retried; it can be cancelled there',
  LONG,
  async () => {
    await fault.set('broken');
    const broken = await startSmall(stack.client, series, 3);
    const { stall, charge } = await at(broken, 'stalled');
    expect(stall).toMatchObject({ activity: 'derive', code: 'UNEXPECTED', attempts: ATTEMPTS });
    expect(charge).not.toBe(null);
    expect(await opaline('retry', releasePath(broken))).toMatchObject({
      code: EXIT.waiting,
      stdout: expect.stringContaining('is stalled'),
    });
    expect((await stack.client.status(broken)).stall?.since).not.toBe(stall?.since);
    expect(await stack.client.ask(broken, 'cancel', { subject: 'test' })).toMatchObject({ accepted: true });
    expect(await stack.client.temporal.workflow.getHandle(releaseWorkflowId(broken)).result()).toMatchObject({
      state: 'cancelled',
      stall: null,
    });
    expect((await charges()).filter((line) => line.endsWith(releasePath(broken)))).toEqual([
      `reserve ${releasePath(broken)}`,
      `withhold ${releasePath(broken)}`,
    ]);
    await fault.mend();
  },
);

test('a stage whose process ends each time stalls it, killed or too large; the log of the worker says why, and a retry goes on from there', {
  ...LONG,
  tags: 'soak',
}, async () => {
  await fault.set('killed');
  const release = await startSmall(stack.client, series, 4);
  const stalled = async (why: string): Promise<void> => {
    const { stall } = await at(release, 'stalled');
    expect(stall).toMatchObject({ activity: 'derive', code: 'PROCESS_ENDED', attempts: ATTEMPTS });
    expect(await readFile(stack.files.log('faulty'), 'utf8')).toContain(why);
  };
  const retry = async (): Promise<void> =>
    expect(await stack.client.ask(release, 'retryStage', { subject: 'test' })).toMatchObject({ accepted: true });
  await stalled('it died');
  await fault.set('greedy');
  await retry();
  await stalled(`more than ${MEMORY_MIB} MiB`);
  await fault.mend();
  await retry();
  await at(release, 'waiting');
  expect((await charges()).filter((line) => line.endsWith(releasePath(release)))).toEqual([
    `reserve ${releasePath(release)}`,
  ]);
});
