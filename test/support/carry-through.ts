import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, OpalineError } from '../../contracts/errors.ts';
import type { ReleaseStatus, Run } from '../../contracts/stages.ts';
import { decideSmall, startSmall } from './releases.ts';
import { SMALL_WINDOW, type SmallSeries } from './small-series.ts';
import type { TestStack } from './test-stack.ts';

/** A release that has ended, and the codes of the partitions that were held back on the way. */
export type Carried = { run: Run; status: ReleaseStatus; heldBack: Set<ErrorCode> };

/**
 * A release from start to end, as patient people would carry it: what gets no answer is asked again, failed partitions
 * and stalled stages are retried, and what comes to the gate is approved. Throws after ten minutes: an activity that
 * meets fault after fault waits up to a minute each time before it is tried again.
 */
export async function carryThrough(stack: TestStack, series: SmallSeries, version: number): Promise<Carried> {
  const deadline = Date.now() + 600_000;
  const heldBack = new Set<ErrorCode>();
  let run: Run | null = null;
  while (!run) run = await patiently(deadline, () => started(stack, series, version));
  for (;;) {
    const status: ReleaseStatus | null = await patiently(deadline, () => stack.client.status(run));
    if (status?.state === 'published' || status?.state === 'failed') return { run, status, heldBack };
    if (status?.state === 'waiting') await patiently(deadline, () => decideSmall(stack.client, series, run, 'approve'));
    if (status?.state === 'partitions-failed') {
      for (const { code } of status.partitions) if (code) heldBack.add(code);
      await patiently(deadline, () => stack.client.ask(run, 'retryPartitions', { partitions: [], subject: 'test' }));
    }
    if (status?.stall) await patiently(deadline, () => stack.client.ask(run, 'retryStage', { subject: 'test' }));
    if (Date.now() > deadline) throw new Error(`not ended in time: ${JSON.stringify(status)}`);
    await delay(100);
  }
}

/** A start whose answer was lost has happened: the second one learns of it. */
async function started({ client }: TestStack, series: SmallSeries, version: number): Promise<Run> {
  try {
    return await startSmall(client, series, version);
  } catch (error) {
    if (!(error instanceof OpalineError) || error.code !== 'RELEASE_EXISTS') throw error;
    const release = { series: 'small', window: SMALL_WINDOW, version };
    return { ...release, seriesDigest: (await client.status(release)).seriesDigest };
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
