import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { STAGES, type Stage } from '../../contracts/names.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { residentMiB } from '../../worker/stages/stage-process.ts';
import type { TestStack } from '../support/test-stack.ts';

/** What was seen while a release was in a stage. */
export type StageUse = {
  seconds: number;
  /** Of the processor, all threads of both workers and of the processes that compute for them. */
  processorSeconds: number;
  /** Highest resident memory of any process of a worker, in MiB. */
  residentMiB: number;
};

/** Milliseconds between two looks. */
const LOOK_MS = 100;

/** Ids of the processes that a process has started; none where the system has no /proc. */
export async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Watches the processes of a stack, by the stage that a release is in, until it is in a state that ends the watch. */
export async function watchStages(
  stack: TestStack,
  status: () => Promise<ReleaseStatus>,
  ends: (status: ReleaseStatus) => boolean,
): Promise<{ status: ReleaseStatus; uses: Map<Stage, StageUse> }> {
  const uses = new Map<Stage, StageUse>();
  for (let [last, ticks] = [performance.now(), await ticksOf(stack)]; ; ) {
    const now = await status();
    const use = uses.get(now.stage) ?? { seconds: 0, processorSeconds: 0, residentMiB: 0 };
    const [time, spent] = [performance.now(), await ticksOf(stack)];
    use.seconds += (time - last) / 1000;
    use.processorSeconds += (spent - ticks) / TICKS_A_SECOND;
    [last, ticks] = [time, spent];
    use.residentMiB = Math.max(use.residentMiB, await highestResident(stack));
    uses.set(now.stage, use);
    if (ends(now)) return { status: now, uses };
    await delay(LOOK_MS);
  }
}

/** The workers, and the processes that compute for them. */
async function processesOf(stack: TestStack): Promise<number[]> {
  const workers = Object.values(stack.workers()).filter((pid) => pid !== undefined);
  return [...workers, ...(await Promise.all(workers.map(childrenOf))).flat()];
}

async function highestResident(stack: TestStack): Promise<number> {
  const processes = await processesOf(stack);
  return Math.max(0, ...(await Promise.all(processes.map(async (pid) => (await residentMiB(pid)) ?? 0))));
}

/** Linux counts processor time in hundredths of a second. */
const TICKS_A_SECOND = 100;

/** Processor time so far, with that of processes that have ended: a worker has waited for them. */
async function ticksOf(stack: TestStack): Promise<number> {
  const of = async (pid: number): Promise<number> => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // utime, stime, cutime and cstime, after a name that may hold anything but ') '.
    const fields = text.split(') ')[1]?.split(' ').slice(11, 15) ?? [];
    return fields.reduce((sum, field) => sum + Number(field), 0);
  };
  return (await Promise.all((await processesOf(stack)).map(of))).reduce((sum, ticks) => sum + ticks, 0);
}

/** Blocks of the event loops that serve Temporal, as the workers' logs report them, in ms. */
export async function blocksOf(stack: TestStack): Promise<number[]> {
  const texts = await Promise.all(
    (['private', 'public'] as const).map((side) => readFile(stack.files.log(side), 'utf8')),
  );
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.includes('the event loop was blocked'))
    .map((line) => (JSON.parse(line) as { milliseconds: number }).milliseconds);
}

/** A table of the stages, for people. */
export const useTable = (uses: ReadonlyMap<Stage, StageUse>): string =>
  [
    '| stage | seconds | highest resident memory of a process, MiB |',
    '|---|--:|--:|',
    ...STAGES.flatMap((stage) => {
      const use = uses.get(stage);
      return use ? [`| ${stage} | ${use.seconds.toFixed(1)} | ${use.residentMiB.toFixed(0)} |`] : [];
    }),
  ].join('\n');
