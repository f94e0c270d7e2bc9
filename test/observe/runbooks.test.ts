import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { type Policy, policySchema } from '../../contracts/formats/policy.ts';
import {
  FILES,
  RELEASE_KEYS,
  type ReleaseReference,
  releasePath,
  releaseWorkflowId,
  retractWorkflowId,
  TASK_QUEUES,
} from '../../contracts/names.ts';
import { block } from '../e2e/blocked-store.fixture.ts';
import { brokenLedger } from '../e2e/broken-ledger.fixture.ts';
import {
  SMALL_DAYS,
  SMALL_WINDOW,
  smallTrips,
  writeSmallSeries,
  writeSmallTrips,
  writeTrips,
  writeTruncatedTrips,
} from '../support/small-series.ts';
import { STACK_BUILD } from '../support/stack-build.ts';
import { reaches, startTestStack, type TestStack, usualDeployments } from '../support/test-stack.ts';
import { widePopulation } from '../support/test-trust.ts';
import { blocksOf, Desk, type Outcome, runbooks } from './runbooks.fixture.ts';
import { freeAddresses, sampleOf, scrape, until } from './scrape.fixture.ts';

/** Seconds until everything is where it is waited for, with all of these at once on a busy machine. */
const PATIENCE = 240;
const LONG = { timeout: 2 * PATIENCE * 1000 };
const DAY = SMALL_DAYS[1]!;
const GATE_SECONDS = 30;

let stack: TestStack;
let health: { private: string; public: string };
let metrics: string;

beforeAll(async () => {
  const addresses = await freeAddresses(4);
  health = { private: addresses[0]!, public: addresses[1]! };
  metrics = addresses[2]!;
  stack = await startTestStack((root) => {
    const usual = usualDeployments(root);
    return {
      ...usual,
      private: { ...usual.private, observe: { metrics: addresses[3]!, health: health.private } },
      public: { ...usual.public, observe: { metrics, health: health.public } },
    };
  });
});
afterAll(() => stack?.end());

/** A desk with a series of its own people and objects, and the release of its window by hand. */
async function desk(name: string, change: (text: string) => string = (text) => text, version = 1) {
  const names = {
    'demo-taps/2026-03-02/v1': `${name}/${SMALL_WINDOW}/v${version}`,
    'demo-taps/2026-03-02/v2': `${name}/${SMALL_WINDOW}/v${version}`,
    'demo-taps': name,
    'demo-riders': name,
    '127.0.0.1:9465': health.private,
    '127.0.0.1:9467': health.public,
  };
  const at = await Desk.at(stack, name, names);
  const series = await writeSmallSeries(at.folder, { series: name, population: name }, (yaml) =>
    change(yaml.replace('pattern: "', `pattern: "${name}/`)),
  );
  await writeFile(join(at.folder, 'me.pem'), series.key.privateKey);
  const source = join(stack.source, name);
  await writeSmallTrips(source);
  const release: ReleaseReference = { series: name, window: SMALL_WINDOW, version };
  return {
    at,
    source,
    release,
    run: () => at.follow([`opaline run series.yaml --window ${SMALL_WINDOW}`]),
    is: (...states: Parameters<typeof reaches>[2]) => reaches(stack.client, release, states, PATIENCE),
  };
}

const codes = (outcomes: readonly Outcome[]) => outcomes.map(({ code }) => code);
const said = (outcomes: readonly Outcome[]) => outcomes.map(({ text }) => text).join('\n');
const gauge = (name: string, labels: Record<string, string>, wanted: (value: number) => boolean) =>
  until(async () => sampleOf(await scrape(metrics), name, labels) ?? Number.NaN, wanted, PATIENCE);

/** The policy of the next number, with other rules for some populations; the worker that asks it is started again. */
async function applyPolicy(populations: Policy['populations']): Promise<void> {
  const before = policySchema.parse(parse(await readFile(stack.files.policy, 'utf8')));
  const policy = { ...before, number: before.number + 1, populations: { ...before.populations, ...populations } };
  await writeFile(stack.files.policy, stringify(policy, { aliasDuplicateObjects: false }));
  const worker = stack.workers().private!;
  process.kill(worker, 'SIGTERM');
  await until(
    async () => stack.workers().private,
    (pid) => pid !== worker,
    60,
  );
}

test('every runbook says what tried it', () => {
  const untold = [...runbooks()].filter(([, text]) => !/\*\*Tried\*\* /.test(text)).map(([heading]) => heading);
  expect(untold).toEqual([]);
});

test.concurrent('The release is in partitions-failed: delivered again and retried', LONG, async () => {
  const { at, source, run, is } = await desk('mended');
  await writeTruncatedTrips(source, DAY, 'bus');
  expect(codes(await run())).toEqual([3]);
  const [diagnosis, retry] = blocksOf('The release is in partitions-failed');
  const shown = await at.follow(diagnosis);
  expect(codes(shown)).toEqual([0, 0]);
  expect(said(shown)).toContain(`bus/${DAY}, bus/2026-03-04: OBJECT_UNREADABLE in mended/${DAY}/bus.csv.gz`);
  expect(
    await gauge('opaline_releases', { series: 'mended', state: 'partitions-failed' }, (value) => value === 1),
  ).toBe(1);
  await writeTrips(source, DAY, 'bus', smallTrips(DAY, 'bus'));
  expect(codes(await at.follow(retry))).toEqual([3]);
  await is('waiting');
});

test.concurrent('The release is in partitions-failed: it goes on without', { ...LONG, tags: 'soak' }, async () => {
  const { at, source, run, is } = await desk('holes');
  await writeTruncatedTrips(source, DAY, 'bus');
  await run();
  const [, , [abandon, approve] = []] = blocksOf('The release is in partitions-failed');
  expect(codes(await at.follow([abandon!]))).toEqual([0]);
  await is('waiting');
  expect(codes(await at.follow([approve!]))).toEqual([0]);
  await is('published');
});

test.concurrent('A release is stalled', { ...LONG, tags: 'soak' }, async () => {
  const { at, run, is, release } = await desk('refused');
  const unblock = await block(stack.files.store('release'), RELEASE_KEYS.staged(release, STACK_BUILD, FILES.privacy));
  expect(codes(await run())).toEqual([3]);
  const [diagnosis, retry] = blocksOf('A release is stalled');
  const shown = await at.follow(diagnosis);
  expect(codes(shown)).toEqual([0, 0]);
  expect(said(shown)).toMatch(/stalled at derive \(CONFIGURATION_INVALID\)[\s\S]*At the stage derive 1 attempt failed/);
  expect(await gauge('opaline_releases', { series: 'refused', state: 'stalled' }, (value) => value === 1)).toBe(1);
  expect(said(await at.follow(['opaline doctor']))).toContain('release/refused/2026-03-02/v1 is stalled');
  await unblock();
  expect(codes(await at.follow(retry))).toEqual([3]);
  await is('waiting');
});

test.concurrent('The audit has failed', { ...LONG, tags: 'soak' }, async () => {
  const service = 'audit: { equalTruth: [{ mode: bus, from: "2001", to: "2000", minutes: 30 }] }\n';
  const { at, run, is } = await desk('misread', (text) => `${text}${service}`);
  expect(codes(await run())).toEqual([3]);
  const [diagnosis, again, reject] = blocksOf('The audit has failed');
  const shown = await at.follow(diagnosis);
  expect(codes(shown)).toEqual([0, 0]);
  expect(said(shown)).toMatch(/Nobody can approve it while the audit fails[\s\S]*audit\.html/);
  const file = join(at.folder, 'series.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(service, ''));
  expect(said(await at.follow(again))).toContain('Under the corrected declaration its verdict is pass');
  expect(codes(await at.follow(reject))).toEqual([0]);
  await is('rejected');
});

test.concurrent('A window waits for its objects', { ...LONG, tags: 'soak' }, async () => {
  const wait = '  completeness: { waitHours: 1, otherwise: fail }\n';
  const { at, source, is } = await desk('late', (text) => text.replace('  rows: trips\n', `  rows: trips\n${wait}`));
  await rm(join(source, DAY, 'bus.csv.gz'));
  const started = at.follow([`opaline run series.yaml --window ${SMALL_WINDOW}`]);
  await until(
    () => stack.client.list(),
    (all) => all.some(({ series }) => series === 'late'),
    60,
  );
  await is('waiting-for-objects');
  expect(said(await at.follow(['opaline show demo-taps/2026-03-02/v2']))).toContain(`late/${DAY}/bus.csv.gz`);
  expect(codes(await at.follow(blocksOf('A window waits for its objects')[0]))).toEqual([0]);
  await is('partitions-failed');
  await started;
});

test.concurrent('An object has changed since it was read, and is corrected', { ...LONG, tags: 'soak' }, async () => {
  const { at, source, run } = await desk('changed');
  expect(codes(await run())).toEqual([3]);
  await writeTrips(source, DAY, 'bus', `${smallTrips(DAY, 'bus')}bus,${DAY} 09:00:00,stop-1,,\n`);
  const sources = await at.follow(blocksOf('An object has changed since it was read')[0]);
  expect(said(sources)).toContain(`changed/${DAY}/bus.csv.gz (replaced)`);
  const [correct] = blocksOf('NEEDS_CORRECTION');
  expect(said(await at.follow(correct))).toContain('withdraw or cancel it before you correct it');
  await at.follow(['opaline withdraw demo-taps/2026-03-02/v2 --key me.pem']);
  expect(codes(await at.follow(correct))).toEqual([3]);
  const second = { series: 'changed', window: SMALL_WINDOW, version: 2 };
  await reaches(stack.client, second, ['waiting'], PATIENCE);
});

test.concurrent('BUDGET_EXCEEDED, The budget is nearly spent, A release has failed', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const { at, run } = await desk('poor', undefined, 2);
  expect(codes(await run())).toEqual([3]);
  const left = await gauge(
    'opaline_ledger_remaining_ratio',
    { population: 'poor', cap: 'year', amount: 'epsilon' },
    (value) => value < 0.1,
  );
  expect(left).toBeCloseTo(0.5 / 8.5, 6);
  expect(codes(await at.follow(blocksOf('The budget is nearly spent')[0]))).toEqual([0, 0]);

  const [[next] = []] = blocksOf('A release has failed').slice(1);
  expect(codes(await at.follow([next!]))).toEqual([4]);
  const failed = await at.follow(blocksOf('A release has failed')[0]);
  expect(codes(failed)).toEqual([0, 0]);
  expect(said(failed)).toContain('BUDGET_EXCEEDED');
  expect(await gauge('opaline_releases', { series: 'poor', state: 'failed' }, (value) => value === 1)).toBe(1);
  expect(said(await at.follow(blocksOf('An activity keeps failing')[0]))).toContain('BUDGET_EXCEEDED');
  const ledger = await at.follow(blocksOf('BUDGET_EXCEEDED')[0]);
  expect(codes(ledger)).toEqual([0, 0]);

  // The custodian raises the cap; the next version goes to the gate, and the alert ends.
  await applyPolicy({ poor: widePopulation(['poor']) });
  expect(codes(await at.follow([next!.replace('--release-version 2', '--release-version 3')]))).toEqual([3]);
  expect(await gauge('opaline_releases', { series: 'poor', state: 'failed' }, (value) => value === 0)).toBe(0);
});

test.concurrent('LEDGER_BROKEN', { ...LONG, tags: 'soak' }, async () => {
  const { at, run, is } = await desk('broken');
  await run();
  const [copies, itself] = blocksOf('LEDGER_BROKEN');
  await brokenLedger(stack.files.store('private'), 'broken');
  await at.follow(['opaline withdraw demo-taps/2026-03-02/v2 --key me.pem']);
  expect((await is('ending-stalled')).stall).toMatchObject({ activity: 'withhold', code: 'LEDGER_BROKEN' });
  expect(codes(await at.follow(itself))).toEqual([0, 4]); // it goes on, and ends as withdrawn
  await is('withdrawn');

  await brokenLedger(stack.files.store('release'), 'broken');
  const outcomes = await at.follow(copies);
  expect([said(outcomes), codes(outcomes)]).toEqual([expect.stringContaining('LEDGER_BROKEN'), [5, 0, 0]]);
});

test.concurrent('A gate waits for long, and The gate has expired', { ...LONG, tags: 'soak' }, async () => {
  const gate = `gate:\n  expiresAfterDays: ${GATE_SECONDS / 86_400}\n`;
  const { at, run, is } = await desk('slow', (text) => text.replace('gate:\n', gate));
  await run();
  // It may expire between two looks of the monitor; what fires at which part of the time is in alerts.test.yaml.
  expect(said(await at.follow(blocksOf('A gate waits for long')[0]))).toMatch(/The gate is open until|is expired/);
  await is('expired');
  expect(await gauge('opaline_releases', { series: 'slow', state: 'expired' }, (value) => value === 1)).toBe(1);
  expect(codes(await at.follow(blocksOf('The gate has expired')[0]))).toEqual([0, 0]);
  await is('withdrawn');
});

test.concurrent('Verification failed, and A retraction waits', { ...LONG, tags: 'soak' }, async () => {
  const { at, run, is, release } = await desk('forged');
  await run();
  await at.follow(['opaline approve demo-taps/2026-03-02/v2 --key me.pem --reason read']);
  const { seriesDigest } = await is('published');
  const file = join(stack.files.publication, 'forged', SMALL_WINDOW, 'v1', 'time-location.csv');
  const honest = await readFile(file, 'utf8');
  await writeFile(file, honest.replace(/\d+$/m, '999'));
  const [verify, retract] = blocksOf('Verification failed');
  const outcomes = await at.follow(verify);
  expect(codes(outcomes)).toEqual([5, 1]);
  expect(said(outcomes)).toContain('time-location.csv: FAILED');
  await writeFile(file, honest);
  expect(codes(await at.follow([verify![0]!]))).toEqual([0]);

  // Asked for as the first of several approvers would, and signed by nobody yet.
  const ask = () =>
    stack.client.temporal.workflow.start('retractWorkflow', {
      workflowId: retractWorkflowId(release),
      taskQueue: TASK_QUEUES.public,
      args: [{ ...release, seriesDigest }],
    });
  const open = (count: number) => gauge('opaline_open_retractions', { series: 'forged' }, (value) => value === count);
  const [lookAtIt, [, giveUp] = []] = blocksOf('A retraction waits');
  await ask();
  expect(await open(1)).toBe(1);
  expect(said(await at.follow(lookAtIt))).toMatch(/retraction waiting[\s\S]*0 of 1 approvals/);
  expect(codes(await at.follow([giveUp!]))).toEqual([0]);
  expect(await open(0)).toBe(0);
  expect(said(await at.follow(lookAtIt))).not.toContain('retraction');
  await ask();
  expect(codes(await at.follow(retract))).toEqual([0]);
  const shown = () => at.follow(['opaline show demo-taps/2026-03-02/v2']);
  expect(said(await until(shown, (one) => said(one).includes('Retracted'), 60))).toContain('Retracted (data-wrong)');
});

test.concurrent('Lost Temporal', { ...LONG, tags: 'soak' }, async () => {
  const { at, run, release, is } = await desk('forgotten');
  await run();
  const { charge, manifestDigest, expiresAt } = await is('waiting');
  const id = releaseWorkflowId(release);
  await at.follow([`temporal workflow delete --address ADDRESS --workflow-id ${id}`]);
  const isGone = () =>
    stack.client.temporal.workflow
      .getHandle(id)
      .describe()
      .then(
        () => false,
        () => true,
      );
  expect(await until(isGone, (gone) => gone, 60)).toBe(true);
  const again = await run();
  expect([codes(again), said(again)]).toEqual([[2], expect.stringContaining('RELEASE_EXISTS')]);
  const [doctor, , resume] = blocksOf('Lost Temporal'); // all of them would be releases of other tests too
  // Temporal's list, which doctor reads, may be behind for a moment.
  const isNamed = (one: Outcome[]) => said(one).includes(`${releasePath(release)} is charged`);
  expect(isNamed(await until(() => at.follow(doctor), isNamed, 60))).toBe(true);
  await gauge('opaline_orphaned_charges', { population: 'forgotten' }, (value) => value === 1);
  expect(said(await at.follow(resume))).toContain('goes on; ');
  expect(await is('waiting')).toMatchObject({ charge, manifestDigest, expiresAt });
});

test.concurrent('Junk has stopped a release: it is begun again, at no cost and with the same manifest', {
  ...LONG,
  tags: 'soak',
}, async () => {
  const { at, run, is } = await desk('junk');
  expect(codes(await run())).toEqual([3]);
  const { charge, manifestDigest } = await is('waiting');
  const [[, describe] = [], mend] = blocksOf('Junk has stopped a release');
  expect(codes(await at.follow([describe!, ...mend!]))).toEqual([0, 0]);
  expect(await is('waiting', 'failed')).toMatchObject({ state: 'waiting', charge, manifestDigest });
  expect(codes(await at.follow([`opaline approve demo-taps/2026-03-02/v2 --key me.pem --reason again`]))).toEqual([0]);
  await is('published');
});

test.concurrent('A scheduled release is late or missing', { ...LONG, tags: 'soak' }, async () => {
  // In UTC: a schedule at a time that the clock jumps over on some day is refused.
  const due = Temporal.Now.zonedDateTimeISO('UTC').add({ seconds: 20 });
  const minute = due.round({ smallestUnit: 'minute', roundingMode: 'ceil' });
  const weekday = minute.toLocaleString('en-GB', { weekday: 'long' }).toLowerCase();
  const time = minute.toPlainTime().toString({ smallestUnit: 'minute' });
  const schedule = `schedule: { weekday: ${weekday}, time: "${time}" }\n`;
  const inUtc = (text: string) => text.replace('timeZone: Australia/Sydney', 'timeZone: UTC');
  const { at } = await desk('paused', (text) => `${inUtc(text)}${schedule}`);
  expect(
    codes(await at.follow(['opaline schedule apply series.yaml', 'opaline schedule pause demo-taps --reason moving'])),
  ).toEqual([0, 0]);
  const [list, makeUp] = blocksOf('A scheduled release is late or missing');
  const listed = () => at.follow(list);
  await delay(minute.epochMilliseconds - Date.now()); // before that there is nothing to ask for
  const named = said(await until(listed, (one) => said(one).includes('was due at'), PATIENCE));
  const window = /paused\/(\S+) was due at/.exec(named)?.[1];
  expect(named).toContain('paused');
  expect(await gauge('opaline_schedule_late_seconds', { series: 'paused' }, (value) => value > 0)).toBeGreaterThan(0);
  expect(codes(await at.follow(['opaline schedule resume demo-taps']))).toEqual([0]);
  const [trigger, backfill] = makeUp ?? [];
  expect(codes(await at.follow([trigger!.replace('2026-03-02', window!), backfill!]))).toEqual([0, 0]);
  expect(said(await until(listed, (one) => !said(one).includes('was due at'), 60))).not.toContain('was due at');
});

// Not beside the others: a worker that is started again meanwhile, or a ledger that is broken, would be seen here.
test('what the runbooks of machines look at is there', LONG, async () => {
  const { at, run } = await desk('usual');
  await run();
  const down = await at.follow(blocksOf('A worker is down')[0]);
  expect(said(down)).not.toContain('worker is alive');
  expect(said(down)).toContain('"level":');
  // A ledger that another test has broken and mended is looked at again after a while.
  const isReady = (one: Outcome[]) => said(one).includes('"status":"ready"');
  const answer = () => at.follow(blocksOf('A worker is not ready')[0]);
  expect(isReady(await until(answer, isReady, PATIENCE))).toBe(true);
  const store = await at.follow(blocksOf('A store does not answer')[0]);
  expect([codes(store), said(store)]).toEqual([[0, 0], expect.stringContaining('passed-2')]);
  expect(codes(await at.follow(blocksOf('Scratch is nearly full')[0]))).toEqual([0, 0]);
  const [, describe] = blocksOf('Workflow tasks fail')[0] ?? [];
  expect(codes(await at.follow([describe!]))).toEqual([0]);
  const [, ledger] = blocksOf('The monitor is stale')[0] ?? [];
  expect(codes(await at.follow([ledger!]))).toEqual([0]);
});
