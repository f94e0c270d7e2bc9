import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../../../services/own-module.ts';
import type { TapChoice } from '../bounding/tap-choice.ts';

/** How taps are chosen, without where they are counted. */
export type ChoiceRule = Omit<TapChoice, 'counted' | 'leftOut'>;

/** The cells of chosen taps and of those that k leaves out, one for each tap. */
export type ChosenTaps = { counted: Uint32Array; leftOut: Uint32Array };

/** Chooses among the taps of some rows, which are all rows of their cards; takes the rows away from the caller. */
export type Chooser = (rows: Uint32Array<ArrayBuffer>) => Promise<ChosenTaps>;

/**
 * Runs the work with threads that choose taps; no more choices at once than there are threads. A choice is a function of
 * its rows, so nothing depends on which thread makes it. Throws what a thread fails with, memory included.
 */
export async function withChoiceThreads<T>(
  threads: number,
  rule: ChoiceRule,
  work: (choose: Chooser) => Promise<T>,
): Promise<T> {
  const free = Array.from(
    { length: threads },
    () => new Worker(ownModule('./choice-thread', import.meta.url), { workerData: rule }),
  );
  const all = [...free];
  try {
    return await work(async (rows) => {
      const thread = free.pop()!;
      const answer = once(thread, 'message');
      thread.postMessage(rows, [rows.buffer]);
      const [taps] = (await answer) as [ChosenTaps];
      free.push(thread);
      return taps;
    });
  } finally {
    await Promise.all(all.map((thread) => thread.terminate()));
  }
}
