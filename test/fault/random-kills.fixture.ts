import { setTimeout as delay } from 'node:timers/promises';
import { OpalineError } from '../../contracts/errors.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { seededSource } from '../../core/random/seeded-source.ts';
import { differingOutputs, ledgerErrors, type Places, scratchLeftovers } from '../support/release-checks.ts';
import { decideSmall, startSmall } from '../support/releases.ts';
import type { Reliability } from '../support/reliability-record.ts';
import type { SmallSeries } from '../support/small-series.ts';
import type { TestStack } from '../support/test-stack.ts';

const TARGETS = ['private worker', 'public worker', 'Temporal server'] as const;
export type Target = (typeof TARGETS)[number];

/** A release takes about so long without faults, in milliseconds: kills fall anywhere in it, or shortly after. */
const RELEASE_MS = 4_000;
const PATIENCE_MS = 180_000;

/** Releases one version after the other, kills a process at a random moment of each, and adds up what came of it. */
export async function killAtRandom(
  stack: TestStack,
  series: SmallSeries,
  places: Places,
  { seed, kills, firstVersion = 1 }: { seed: number; kills: number; firstVersion?: number },
): Promise<{ rows: Reliability[]; story: string[] }> {
  const random = seededSource(seed);
  const story: string[] = [];
  const rows = new Map<Target, Reliability>();
  for (let kill = 0; kill < kills; kill++) {
    const target = TARGETS[(kill + seed) % TARGETS.length]!;
    const moment = random.uint32() % RELEASE_MS;
    const release = carryThrough(stack, series, firstVersion + kill);
    const [{ run, status }] = await Promise.all([release, killAfter(stack, target, moment)]);
    await settled(stack);
    const published = status.state === 'published';
    const differing = published ? await differingOutputs(places, run) : [];
    const errors = published ? await ledgerErrors(places, run) : [];
    const left = await leftoversOf(stack);
    story.push(`${target} after ${moment} ms: ${status.state} ${[...differing, ...errors, ...left].join(' ')}`);
    const row = rows.get(target) ?? emptyRow(target, seed);
    row.injected += 1;
    row.releases += 1;
    row.completed += published ? 1 : 0;
    row.failedClearly += status.state === 'failed' && status.ending ? 1 : 0;
    row.outputsDiffering += differing.length;
    row.ledgerErrors += errors.length;
    row.leftovers += left.length;
    rows.set(target, row);
  }
  return { rows: [...rows.values()], story };
}

const emptyRow = (target: Target, seed: number): Reliability => ({
  fault: `SIGKILL of the ${target}`,
  injected: 0,
  releases: 0,
  completed: 0,
  failedClearly: 0,
  outputsDiffering: 0,
  ledgerErrors: 0,
  leftovers: 0,
  seed,
});

async function killAfter(stack: TestStack, target: Target, moment: number): Promise<void> {
  await delay(moment);
  const { private: privatePid, public: publicPid } = stack.workers();
  const pid = { 'private worker': privatePid, 'public worker': publicPid, 'Temporal server': stack.server() }[target];
  process.kill(pid!, 'SIGKILL');
}

/** From start to end, as patient people would: what gets no answer is asked again. */
async function carryThrough(stack: TestStack, series: SmallSeries, version: number) {
  const deadline = Date.now() + PATIENCE_MS;
  let run: Run | null = null;
  while (!run) run = await patiently(deadline, () => started(stack, series, version));
  for (;;) {
    const status: ReleaseStatus | null = await patiently(deadline, () => stack.client.status(run));
    if (status?.state === 'published' || status?.state === 'failed') return { run, status };
    if (status?.state === 'waiting') await patiently(deadline, () => decideSmall(stack.client, series, run, 'approve'));
    if (status?.state === 'partitions-failed')
      await patiently(deadline, () => stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' }));
    if (Date.now() > deadline) throw new Error(`not ended in time: ${JSON.stringify(status)}`);
    await delay(100);
  }
}

/** A start whose answer was lost has happened: the second one is told so. */
async function started(stack: TestStack, series: SmallSeries, version: number): Promise<Run> {
  try {
    return await startSmall(stack.client, series, version);
  } catch (error) {
    if (!(error instanceof OpalineError) || error.code !== 'RELEASE_EXISTS') throw error;
    const {
      series: name,
      window,
      seriesDigest,
    } = await stack.client.status({
      series: 'small',
      window: '2026-03-02',
      version,
    });
    return { series: name, window, version, seriesDigest };
  }
}

/** The answer, or null when there is none now; throws at the deadline. */
async function patiently<T>(deadline: number, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (Date.now() > deadline) throw error;
    await delay(200);
    return null;
  }
}

/** Waits until all three processes run again. */
async function settled(stack: TestStack): Promise<void> {
  const deadline = Date.now() + 60_000;
  const isAlive = (pid: number | undefined): boolean => {
    try {
      return pid !== undefined && process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (![...Object.values(stack.workers()), stack.server()].every(isAlive)) {
    if (Date.now() > deadline) throw new Error('a killed process was not started again');
    await delay(100);
  }
}

const leftoversOf = async (stack: TestStack): Promise<string[]> => [
  ...(await scratchLeftovers(stack.files.scratch('private'))),
  ...(await scratchLeftovers(stack.files.scratch('public'))),
];
