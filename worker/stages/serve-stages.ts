import { flushCompileCache } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ERRORS, OpalineError } from '../../contracts/errors.ts';
import type { Failure } from '../../contracts/stages.ts';
import { type Diagnose, publicFailure } from '../../services/failure.ts';
import { ownModule } from '../../services/own-module.ts';

/** What a worker asks of one of its computing processes: an activity by name, with its input. JSON, as in Temporal. */
export type StageRequest = { id: number; activity: string; input: unknown };

/** What the process answers: first that it takes requests, then each result, or the public words of the failure. */
export type StageAnswer = 'ready' | { id: number; result?: unknown } | { id: number; failure: Failure };

/** Runs an activity, by name, with its input. */
type RunActivity = (activity: string, input: unknown) => Promise<unknown>;

/**
 * Makes this process one that computes: it runs the activities that its worker names, as many at once as the worker
 * sends, until the worker ends it or is no more. It has no connection to Temporal, so that nothing that it computes can
 * hold up a heartbeat or a workflow task.
 */
export function serveStages(run: RunActivity, diagnose: Diagnose): void {
  endWithWorker();
  // A signal to the whole group is for the worker to answer: it ends its processes when its grace time is over.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', async (request: StageRequest) => {
    process.send!(await answer(run, diagnose, request));
  });
  process.send!('ready' satisfies StageAnswer);
  // Node keeps what it compiled at the end of a process, and this one is killed. Nothing is done without a cache.
  setImmediate(flushCompileCache);
}

async function answer(run: RunActivity, diagnose: Diagnose, request: StageRequest): Promise<StageAnswer> {
  const { id, activity, input } = request;
  try {
    return { id, result: await run(activity, input) };
  } catch (error) {
    return { id, failure: await publicFailure(activity, error, diagnose) };
  }
}

/**
 * Runs work, and takes a refusal for one only by the newest files: an old trust file or policy refuses what counts now.
 * Throws what the work throws, or in place of a refusal what `requireNewest` does.
 */
export async function runByNewest<T>(work: () => Promise<T>, requireNewest: () => Promise<void>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OpalineError && !ERRORS[error.code].retryable) await requireNewest();
    throw error;
  }
}

/**
 * Ends this process when its worker has died, also in the middle of a computation: an event loop that computes hears
 * nothing, so a thread of its own looks.
 */
function endWithWorker(): void {
  // An exit in order would wait for threads of libraries, of which one may hang.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  new Worker(ownModule('./orphan-watch', import.meta.url), { workerData: process.ppid }).unref();
}
