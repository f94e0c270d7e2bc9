import { execFile } from 'node:child_process';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  FILES,
  RELEASE_KEYS,
  type ReleaseReference,
  releaseWorkflowId,
  retractWorkflowId,
  TASK_QUEUES,
  WORKER_DEPLOYMENTS,
} from '../../contracts/names.ts';
import { isRho } from '../../core/accounting/charged-amount.ts';
import { epsilonIn } from '../../core/ledger/entries.fixture.ts';
import { parseRational, toNumber } from '../../core/rational/rational.ts';
import { block } from '../e2e/blocked-store.fixture.ts';
import { startSmall } from '../support/releases.ts';
import {
  SMALL_DAYS,
  SMALL_MODES,
  SMALL_WINDOW,
  smallKey,
  writeSmallSeries,
  writeTrips,
} from '../support/small-series.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { TEST_TRUST } from '../support/test-trust.ts';
import { ROOT } from '../tidy/source-files.ts';
import { Prometheus } from './prometheus.fixture.ts';
import { alertExpressions, alerts, dashboardExpressions, metricNames } from './rules.fixture.ts';
import { freeAddresses, type Sample, sampleOf, scrape, until } from './scrape.fixture.ts';

/** Trips of one object, all of one cell, so that true counts are numbers that nothing else is. */
const TRIPS = 1237;

/** The release that is terminated. */
const CUT: ReleaseReference = { series: 'cut', window: SMALL_WINDOW, version: 1 };

let stack: TestStack;
let prometheus: Prometheus;
let stopPrometheus: () => Promise<void>;
let at: Record<'privateMetrics' | 'privateHealth' | 'publicMetrics' | 'publicHealth', string>;
let samples: { private: Sample[]; public: Sample[] };
const truth = new Set<number>([TRIPS, 2 * TRIPS, 3 * TRIPS, 6 * TRIPS, 12 * TRIPS, TRIPS + 1]);

beforeAll(async () => {
  const [privateMetrics, privateHealth, publicMetrics, publicHealth] = await freeAddresses(4);
  at = {
    privateMetrics: privateMetrics!,
    privateHealth: privateHealth!,
    publicMetrics: publicMetrics!,
    publicHealth: publicHealth!,
  };
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    return {
      ...usual,
      private: { ...usual.private, observe: { metrics: at.privateMetrics, health: at.privateHealth } },
      public: { ...usual.public, observe: { metrics: at.publicMetrics, health: at.publicHealth } },
    };
  });
  const rows = Array(TRIPS).fill('MODE,DATE 08:01:00,stop-1,DATE 08:31:00,stop-2').join('\n');
  for (const date of SMALL_DAYS)
    for (const mode of SMALL_MODES) {
      const text = `mode,on_time,on_stop,off_time,off_stop\n${rows.replaceAll('DATE', date).replaceAll('MODE', mode)}\n`;
      await writeTrips(stack.source, date, mode, text);
      truth.add(text.length).add((await stat(join(stack.source, smallKey(date, mode)))).size);
    }
  const series = await writeSmallSeries(join(stack.root, 'small'));
  const run = await startSmall(stack.client, series);
  // A workflow task that fails, as after a change that breaks a workflow.
  const options = { taskQueue: TASK_QUEUES.public, workflowId: 'unknown' };
  const unknown = await stack.client.temporal.workflow.start('unknownWorkflow', options);
  await reaches(stack.client, run, ['waiting'], 120);
  // The same people, and a cap that the first release has all but used.
  const changes = { series: 'poor', yearEpsilon: '10' };
  const poor = await startSmall(stack.client, await writeSmallSeries(join(stack.root, 'poor'), changes));
  expect((await reaches(stack.client, poor, ['failed'], 120)).ending?.code).toBe('BUDGET_EXCEEDED');
  // One that cannot write, and that somebody terminates in Temporal: it keeps the state that it had, and no workflow says
  // that it failed.
  const changesOfCut = { series: 'cut', population: 'cut-riders' };
  await block(stack.files.store('release'), RELEASE_KEYS.staged(CUT, STACK_BUILD, FILES.privacy));
  const cut = await startSmall(stack.client, await writeSmallSeries(join(stack.root, 'cut'), changesOfCut));
  await reaches(stack.client, cut, ['stalled'], 120);
  await stack.client.temporal.workflow.getHandle(releaseWorkflowId(cut)).terminate('by hand');
  // A retraction that goes on never: nobody polls its queue.
  const retraction = await stack.client.temporal.workflow.start('retractWorkflow', {
    taskQueue: 'nobody',
    workflowId: retractWorkflowId(run),
  });
  const shown = (all: Sample[]) =>
    sampleOf(all, 'opaline_releases', { series: 'small', state: 'waiting' }) === 1 &&
    sampleOf(all, 'opaline_releases', { series: 'poor', state: 'failed' }) === 1 &&
    sampleOf(all, 'opaline_releases', { series: 'cut', state: 'failed' }) === 1 &&
    (sampleOf(all, 'opaline_open_retraction_oldest_seconds', { series: 'small' }) ?? 0) > 0 &&
    (sampleOf(all, 'opaline_waiting_oldest_seconds', { series: 'small' }) ?? 0) > 0 &&
    (sampleOf(all, 'opaline_ledger_remaining_ratio', { population: 'small-riders' }) ?? 1) < 1 &&
    sampleOf(all, 'temporal_workflow_task_execution_failed_total') !== undefined;
  const publicSamples = await until(() => scrape(at.publicMetrics), shown);
  samples = { private: await scrape(at.privateMetrics), public: publicSamples };
  await Promise.all([unknown.terminate(), retraction.terminate()]);
  const [address] = await freeAddresses(1);
  const workers = { private: [at.privateMetrics], public: [at.publicMetrics] };
  const started = await Prometheus.start(join(stack.root, 'prometheus'), address!, workers);
  [prometheus, stopPrometheus] = [started.server, started.stop];
}, 300_000);
afterAll(async () => {
  await stopPrometheus?.();
  await stack?.end();
});

describe('metrics of a release at the gate', () => {
  test('say its state, its partitions and that it waits', () => {
    const small = { series: 'small' };
    expect(sampleOf(samples.public, 'opaline_releases', { ...small, state: 'waiting' })).toBe(1);
    expect(sampleOf(samples.public, 'opaline_releases', { ...small, state: 'running' })).toBe(0);
    expect(sampleOf(samples.public, 'opaline_partitions', { ...small, state: 'drawn' })).toBe(6);
    expect(sampleOf(samples.public, 'opaline_partitions', { ...small, state: 'failed' })).toBe(0);
    expect(sampleOf(samples.public, 'opaline_waiting_approvals', small)).toBe(1);
    expect(sampleOf(samples.public, 'opaline_waiting_expiry_ratio', small)).toBeLessThan(0.01);
    expect(sampleOf(samples.public, 'opaline_releases', { series: 'poor', state: 'failed' })).toBe(1);
    expect(sampleOf(samples.public, 'opaline_open_retractions', small)).toBe(1);
  });

  test('say what the ledger leaves of the caps of the policy', () => {
    const { caps } = TEST_TRUST.populations['small-riders']!;
    const left = (cap: string, amount: string) =>
      sampleOf(samples.public, 'opaline_ledger_remaining_ratio', { population: 'small-riders', cap, amount });
    const without = (cost: number, cap: string) => 1 - cost / toNumber(parseRational(cap));
    expect(left('block', 'epsilon')).toBeCloseTo(without(8, epsilonIn(caps.block)), 9);
    expect(left('year', 'epsilon')).toBeCloseTo(without(8, epsilonIn(caps.year)), 9);
    expect(left('year', 'delta')).toBeCloseTo(without(1e-6, isRho(caps.year) ? '0' : caps.year.delta), 9);
  });

  test('say which activities failed, and how', () => {
    const failures = (all: Sample[], activity: string, code: string) =>
      sampleOf(all, 'opaline_activity_failures_total', { activity, code });
    expect(failures(samples.private, 'reserve', 'BUDGET_EXCEEDED')).toBe(1);
    expect(failures(samples.public, 'derive', 'CONFIGURATION_INVALID')).toBe(1);
  });
});

/** Stages whose durations belong to the custodian side. */
const CUSTODIAN = ['ingest', 'reingest', 'bin', 'privatize'];

const namesCustodianStage = ({ labels }: Sample): boolean =>
  [labels.stage, labels.activity, labels.activity_type].some((label) => CUSTODIAN.includes(label ?? ''));

const privateFigures = (all: readonly Sample[]): Sample[] => all.filter(({ value }) => truth.has(value));

describe('what metrics must not say', () => {
  test('C18: the public endpoint has no duration of ingest, bin or privatize; the private one has', () => {
    expect(samples.public.filter(namesCustodianStage)).toEqual([]);
    for (const stage of ['ingest', 'bin', 'privatize'])
      expect(sampleOf(samples.private, 'opaline_stage_seconds_count', { stage })).toBeGreaterThan(0);
    for (const stage of ['derive', 'audit'])
      expect(sampleOf(samples.public, 'opaline_stage_seconds_count', { stage })).toBeGreaterThan(0);
  });

  test('no value is a true count or a size of the source; one that is would be caught', () => {
    expect(privateFigures([...samples.private, ...samples.public])).toEqual([]);
    expect(privateFigures([{ name: 'rows', labels: {}, value: TRIPS }])).toHaveLength(1);
  });

  test('no label of ours names a release or a partition', () => {
    const labels = [...samples.private, ...samples.public]
      .filter(({ name }) => name.startsWith('opaline_'))
      .flatMap((one) => Object.keys(one.labels));
    const allowed = [
      'activity',
      'amount',
      'build',
      'cap',
      'code',
      'le',
      'part',
      'population',
      'series',
      'stage',
      'state',
    ];
    expect([...new Set(labels)].filter((label) => ![...allowed, 'store', 'service_name'].includes(label))).toEqual([]);
  });
});

describe('logs', () => {
  const lines = async (side: 'private' | 'public') =>
    (await readFile(stack.files.log(side), 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): Record<string, unknown> => JSON.parse(line));

  test('name release, partition and stage on every line of an activity', async () => {
    const own = (await lines('private')).filter(({ activity }) => activity === 'privatize');
    const done = own.filter(({ msg, release }) => msg === 'activity done' && release === 'small/2026-03-02/v1');
    expect(done.map(({ partition }) => partition).sort()).toEqual(
      SMALL_MODES.flatMap((mode) => SMALL_DAYS.map((day) => `${mode}/${day}`)),
    );
    expect(new Set(own.map(({ stage }) => stage))).toEqual(new Set(['privatize']));
    const failed = async (side: 'private' | 'public') =>
      (await lines(side)).find(({ msg }) => msg === 'activity failed');
    const states = (await lines('public')).filter(({ msg }) => msg === 'release changed its state');
    expect(states.filter(({ release }) => release === 'small/2026-03-02/v1').map(({ state }) => state)).toEqual([
      'auditing',
      'waiting',
    ]);
    const refused = { activity: 'reserve', code: 'BUDGET_EXCEEDED', release: 'poor/2026-03-02/v1' };
    expect(await failed('private')).toMatchObject(refused);
    const blocked = { activity: 'derive', code: 'CONFIGURATION_INVALID', release: 'cut/2026-03-02/v1' };
    expect(await failed('public')).toMatchObject(blocked);
  });

  test('C18: that of the public worker has no line of a stage of the custodian side', async () => {
    expect((await lines('public')).filter(({ activity }) => CUSTODIAN.includes(String(activity)))).toEqual([]);
  });
});

describe('a Prometheus server with our scrape example and rules', () => {
  test('sees both workers, and evaluates every rule', async () => {
    const targets = await until(
      () => prometheus.targets(),
      (all) => all.length === 2 && all.every(({ health }) => health === 'up'),
    );
    expect(targets.map(({ labels, health }) => `${labels.job} ${health}`).sort()).toEqual([
      'opaline-private up',
      'opaline-public up',
    ]);
    const names = alerts().map(({ alert }) => alert);
    const rules = await until(
      () => prometheus.rules(),
      (all) => all.length === names.length && all.every(({ health }) => health === 'ok'),
    );
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    expect(rules.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test('finds every metric that alerts name, and something to show in every panel', async () => {
    const names = [...new Set(alertExpressions().flatMap(metricNames))];
    expect(names.length).toBeGreaterThan(10);
    const missing = async (expressions: string[]) => {
      const counts = await Promise.all(expressions.map((expression) => prometheus.count(expression)));
      return expressions.filter((_, index) => counts[index] === 0);
    };
    const none = (expressions: string[]) =>
      until(
        () => missing(expressions),
        (all) => all.length === 0,
        60,
      );
    expect(await none(names)).toEqual([]);
    expect(await none(dashboardExpressions())).toEqual([]);
    expect(await missing(['opaline_none'])).toEqual(['opaline_none']);
  });

  test('alarms of a release that failed, and of one that was terminated in Temporal', async () => {
    const failed = (all: Record<string, string>[]) =>
      all.filter(({ alertname }) => alertname === 'OpalineReleaseFailed').map(({ series }) => series);
    const firing = await until(
      () => prometheus.firing(),
      (all) => failed(all).length === 2,
    );
    expect(failed(firing).sort()).toEqual(['cut', 'poor']);
    await expect(stack.client.status(CUT)).rejects.toMatchObject({ code: 'RELEASE_ENDED_OUTSIDE' });
  });
});

describe('a port that is taken', () => {
  test.each(['metrics', 'health'] as const)(
    'of %s ends the worker with exit code 2 and one sentence',
    async (which) => {
      const [free] = await freeAddresses(1);
      const taken = which === 'metrics' ? at.publicMetrics : at.publicHealth;
      const observe = { metrics: free!, health: free!, [which]: taken };
      const deployment = JSON.parse(await readFile(stack.files.deployment('public'), 'utf8'));
      const file = join(stack.root, `taken-${which}.json`);
      await writeFile(file, JSON.stringify({ ...deployment, observe }));
      const entry = join(ROOT, 'worker', 'public.ts');
      const run = promisify(execFile)(process.execPath, [entry, file]);
      await expect(run).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining(`observe.${which}`) });
    },
  );
});

describe('health', () => {
  const ask = async (address: string, path: string) => {
    const response = await fetch(`http://${address}${path}`);
    return { status: response.status, text: await response.text() };
  };
  const ready = (address: string, status: number) =>
    until(
      () => ask(address, '/readyz'),
      (answer) => answer.status === status,
      60,
    );

  test('answers 200 while all is well, and 503 with the cause while the store is away', async () => {
    for (const address of [at.privateHealth, at.publicHealth]) {
      expect(await ask(address, '/healthz')).toMatchObject({ status: 200 });
      expect(await ready(address, 200)).toMatchObject({ status: 200 });
    }
    const store = stack.files.store('release');
    await rename(store, `${store}-away`);
    for (const address of [at.privateHealth, at.publicHealth]) {
      const answer = await ready(address, 503);
      expect(answer).toMatchObject({ status: 503 });
      expect(answer.text).toContain('The release store');
      expect(await ask(address, '/healthz')).toMatchObject({ status: 200 });
    }
    // Nothing is at work at the gate but the looks of the monitor, which read only: the folder can come back as it was.
    await rename(`${store}-away`, store);
    for (const address of [at.privateHealth, at.publicHealth])
      expect(await ready(address, 200)).toMatchObject({ status: 200 });
  });

  test('says so when Temporal does not answer', { tags: 'soak' }, async () => {
    const lock: { server: { pid: number } } = JSON.parse(await readFile(stack.files.lock, 'utf8'));
    process.kill(lock.server.pid, 'SIGSTOP');
    try {
      expect((await ready(at.publicHealth, 503)).text).toContain('Temporal does not answer.');
      // Whatever does not answer, a probe is answered at once.
      const asked = performance.now();
      await ask(at.publicHealth, '/readyz');
      expect(performance.now() - asked).toBeLessThan(800);
    } finally {
      process.kill(lock.server.pid, 'SIGCONT');
    }
    expect(await ready(at.publicHealth, 200)).toMatchObject({ status: 200 });
  });

  test('says so when no build is current on its side, and is ready again when one is', async () => {
    const { workflowService } = stack.client.temporal;
    const named = { namespace: 'default', deploymentName: WORKER_DEPLOYMENTS.private, identity: 'test' };
    const { workerDeploymentInfo } = await workflowService.describeWorkerDeployment(named);
    const buildId = workerDeploymentInfo!.routingConfig!.currentDeploymentVersion!.buildId!;
    await workflowService.setWorkerDeploymentCurrentVersion({ ...named, version: '__unversioned__' });
    expect((await ready(at.privateHealth, 503)).text).toContain('No build is current on the private side');
    await workflowService.setWorkerDeploymentCurrentVersion({ ...named, buildId });
    expect(await ready(at.privateHealth, 200)).toMatchObject({ status: 200 });
  });

  test('each line of both logs names side, host, process and build', async () => {
    for (const side of ['private', 'public'] as const) {
      const lines = (await readFile(stack.files.log(side), 'utf8')).split('\n').filter((line) => line.startsWith('{'));
      expect(lines.length).toBeGreaterThan(5);
      for (const line of lines)
        expect(JSON.parse(line)).toMatchObject({
          side,
          host: hostname(),
          pid: expect.any(Number),
          build: expect.stringMatching(/^[0-9a-f]{16}$/),
        });
    }
  });

  test('its listeners do not hold back a worker that is told to stop', { tags: 'soak' }, async () => {
    const before = stack.workers().private!;
    process.kill(before, 'SIGTERM');
    const now = await until(
      async () => stack.workers().private,
      (pid) => pid !== before,
      30,
    );
    expect(now).not.toBe(before);
    expect(await ready(at.privateHealth, 200)).toMatchObject({ status: 200 });
  });
});
