import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { OpalineError } from '../../contracts/errors.ts';
import { READY, type StageAnswer } from './messages.ts';
import { residentMiB } from './resident-memory.ts';

/** Bounds of one computing process. */
export type ProcessLimits = {
  /** Resident memory, in MiB, beyond which the process is ended. */
  memoryMiB: number;
  /** Minutes that one activity may compute. */
  minutes: number;
};

export type StageProcessOptions = {
  /** The program: a file of worker/. */
  entry: URL;
  /** The deployment file: a computing process has the credentials of its worker and no others. */
  deployment: string;
  limits: ProcessLimits;
  log: Logger;
};

/** Milliseconds between two looks at the memory of a process that works. */
const LOOK_MS = 250;

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

/**
 * A process that computes activities for a worker. It is ended, and never asked, when it takes too much memory or time:
 * a thread that computes does not listen. What it had at work then fails with PROCESS_ENDED, whatever the cause (C6);
 * the log of the worker, which is on the side of the process, says the cause.
 */
export class StageProcess {
  readonly #child: ChildProcess;
  readonly #options: StageProcessOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #watch: NodeJS.Timeout;
  #requests = 0;
  #cause: string | null = null;
  #ended = false;
  readonly ready: Promise<boolean>;
  readonly whenEnded: Promise<void>;

  constructor(options: StageProcessOptions) {
    this.#options = options;
    const { entry, deployment, limits } = options;
    this.#child = fork(fileURLToPath(entry), [deployment], {
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.ceil(limits.memoryMiB)}`],
    });
    this.ready = new Promise((resolve) => {
      this.#child.once('message', (message) => resolve(message === READY));
      this.#child.once('exit', () => resolve(false));
      this.#child.on('error', () => resolve(false));
    });
    this.whenEnded = new Promise((resolve) => {
      const end = () => {
        this.#end();
        resolve();
      };
      this.#child.once('exit', end);
      this.#child.on('error', end);
    });
    this.#child.on('message', (message) => this.#take(message as StageAnswer | typeof READY));
    this.#watch = setInterval(() => void this.#lookAtMemory(), LOOK_MS);
    this.#watch.unref();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Does it take work? Not when it has ended, or is about to. */
  get takesWork(): boolean {
    return !this.#ended && !this.#child.killed;
  }

  /**
   * Runs an activity. Rejects with the code that the activity failed with, with PROCESS_ENDED, or, as soon as the signal
   * is given, with CancelledFailure. The process itself then works on to the end of the activity, unless it is killed.
   */
  async run(activity: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const id = this.#requests++;
    const minutes = this.#options.limits.minutes;
    const late = setTimeout(() => this.kill(`${activity} took more than ${minutes} minutes`), minutes * 60_000);
    const answered = new Promise((resolve, reject) => {
      if (this.#ended) return reject(processEnded());
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, activity, input }, () => {}); // of a process that has just died, its end tells
    }).finally(() => clearTimeout(late));
    return withSignal(answered, signal);
  }

  /** Ends the process at once. `cause` goes to the log; null: it is no news. */
  kill(cause: string | null): void {
    this.#cause ??= cause;
    if (!this.#ended) this.#child.kill('SIGKILL');
  }

  #take(answer: StageAnswer | typeof READY): void {
    if (answer === READY) return;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ('failure' in answer) waiting?.reject(new OpalineError(answer.failure.code, answer.failure.message));
    else waiting?.resolve(answer.result);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#watch);
    const lost = this.#waiting.size;
    if (this.#cause !== null || lost > 0)
      this.#options.log.warn({ cause: this.#cause ?? 'it died', lost }, 'a computing process was ended');
    for (const { reject } of this.#waiting.values()) reject(processEnded());
    this.#waiting.clear();
  }

  async #lookAtMemory(): Promise<void> {
    const { pid } = this.#child;
    if (this.#waiting.size === 0 || pid === undefined) return;
    const resident = await residentMiB(pid);
    const { memoryMiB } = this.#options.limits;
    if (resident !== null && resident > memoryMiB) this.kill(`it took more than ${memoryMiB} MiB of memory`);
  }
}

const processEnded = (): OpalineError =>
  new OpalineError('PROCESS_ENDED', 'The process that computed this ended before it was done.');

/** The promise, or CancelledFailure as soon as the signal is given. */
async function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let cancel = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    cancel = () => reject(new CancelledFailure('cancelled'));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
  promise.catch(() => {}); // nobody waits for it once the signal is given
  try {
    return await Promise.race([promise, cancelled]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
