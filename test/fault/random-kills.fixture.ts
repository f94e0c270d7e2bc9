import { setTimeout as delay } from 'node:timers/promises';
import { carryThrough } from '../support/carry-through.ts';
import { outcomeOf } from '../support/release-outcome.ts';
import type { Reliability } from '../support/reliability-record.ts';
import { seededSource } from '../support/seeded-source.ts';
import type { SmallSeries } from '../support/small-series.ts';
import { smallPlaces } from '../support/small-stack.ts';
import type { TestStack } from '../support/test-stack.ts';

const TARGETS = ['private worker', 'public worker', 'Temporal server'] as const;
export type Target = (typeof TARGETS)[number];

/** A release takes about so long without faults, in milliseconds: kills fall anywhere in it, or shortly after. */
const RELEASE_MS = 4_000;

/** Releases one version after the other, and kills a process at a random moment of each. A row for each release. */
export async function killAtRandom(
  stack: TestStack,
  series: SmallSeries,
  { seed, kills, firstVersion = 1 }: { seed: number; kills: number; firstVersion?: number },
): Promise<{ rows: Reliability[]; story: string[] }> {
  const random = seededSource(seed);
  const story: string[] = [];
  const rows: Reliability[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const target = TARGETS[(kill + seed) % TARGETS.length]!;
    const moment = random.uint32() % RELEASE_MS;
    const release = carryThrough(stack, series, firstVersion + kill);
    const [carried] = await Promise.all([release, killAfter(stack, target, moment)]);
    await settled(stack);
    const { row, line } = await outcomeOf(stack, smallPlaces(stack), carried, {
      fault: `SIGKILL of the ${target}`,
      injected: 1,
      seed,
    });
    story.push(`after ${moment} ms, ${line}`);
    rows.push(row);
  }
  return { rows, story };
}

async function killAfter(stack: TestStack, target: Target, moment: number): Promise<void> {
  await delay(moment);
  const { private: privatePid, public: publicPid } = stack.workers();
  const pid = { 'private worker': privatePid, 'public worker': publicPid, 'Temporal server': stack.server() }[target];
  process.kill(pid!, 'SIGKILL');
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
