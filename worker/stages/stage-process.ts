import { type ChildProcess, execFile, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { OpalineError } from '../../contracts/errors.ts';
import type { StageAnswer, StageRequest } from './serve-stages.ts';

export type StageProcessOptions = {
  /** The program: a file of worker/. */
  entry: URL;
  /** The deployment file: a computing process has the credentials of its worker and no others. */
  deployment: string;
  limits: {
    /** Resident memory, in MiB, beyond which the process is ended. */
    memoryMiB: number;
    /** Minutes that one activity may compute. */
    minutes: number;
  };
  /** As nice(2) means it: 0 for what people wait for. */
  niceness: number;
  log: Logger;
};

/** Milliseconds between two looks at the memory of a process that works. */
const LOOK_MS = 250;

type Waiting = { resolve(result: unknown): void; reject(error: Error): void; stop(): void };

/**
 * A process that computes activities for a worker. It is ended, and never asked, when it takes too much memory or time:
 * a thread that computes does not listen. What it had at work then fails with PROCESS_ENDED, whatever the cause (C6);
 * the log of the worker, which is on the side of the process, says the cause.
 */
export class StageProcess {
  readonly #child: ChildProcess;
  readonly #options: StageProcessOptions;
  readonly #waiting = new Map<number, Waiting>();
  #requests = 0;
  #cause: string | null = null;
  #ended = false;
  /** Whether it came up. */
  readonly ready: Promise<boolean>;
  readonly whenEnded: Promise<void>;

  constructor(options: StageProcessOptions) {
    this.#options = options;
    const { entry, deployment, limits, niceness } = options;
    this.#child = fork(fileURLToPath(entry), [deployment], {
      execArgv: [...process.execArgv, `--max-old-space-size=${Math.ceil(limits.memoryMiB)}`],
    });
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, niceness);
    const watch = setInterval(() => void this.#lookAtMemory(), LOOK_MS).unref();
    const { promise: ready, resolve: comesUp } = Promise.withResolvers<boolean>();
    const { promise: whenEnded, resolve: isEnded } = Promise.withResolvers<void>();
    [this.ready, this.whenEnded] = [ready, whenEnded];
    const end = () => {
      clearInterval(watch);
      this.#end();
      comesUp(false);
      isEnded();
    };
    this.#child.once('exit', end);
    this.#child.on('error', end);
    this.#child.on('message', (answer: StageAnswer) => (answer === 'ready' ? comesUp(true) : this.#take(answer)));
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
  run(activity: string, input: unknown, signal: AbortSignal): Promise<unknown> {
    const { minutes } = this.#options.limits;
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(processEnded());
      const cancel = () => reject(new CancelledFailure('cancelled'));
      if (signal.aborted) return cancel();
      signal.addEventListener('abort', cancel, { once: true });
      const late = setTimeout(() => this.kill(`${activity} took more than ${minutes} minutes`), minutes * 60_000);
      const stop = () => {
        clearTimeout(late);
        signal.removeEventListener('abort', cancel);
      };
      const request: StageRequest = { id: this.#requests++, activity, input };
      this.#waiting.set(request.id, { resolve, reject, stop });
      this.#child.send(request, () => {}); // a process that has just died is handled at its end
    });
  }

  /** Ends the process at once. `cause` goes to the log; null: it is no news. */
  kill(cause: string | null): void {
    this.#cause ??= cause;
    if (!this.#ended) this.#child.kill('SIGKILL');
  }

  #take(answer: Exclude<StageAnswer, 'ready'>): void {
    const waiter = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    waiter?.stop();
    if ('failure' in answer) waiter?.reject(new OpalineError(answer.failure.code, answer.failure.message));
    else waiter?.resolve(answer.result);
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const count = this.#waiting.size;
    if (this.#cause !== null || count > 0)
      this.#options.log.warn({ cause: this.#cause ?? 'it died', lost: count }, 'a computing process was ended');
    for (const { reject, stop } of this.#waiting.values()) {
      stop();
      reject(processEnded());
    }
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

const run = promisify(execFile);

/** Resident memory of a process, in MiB; null when it is gone, or when the system does not say. */
export async function residentMiB(pid: number): Promise<number | null> {
  const [text, pattern] =
    process.platform === 'linux'
      ? ([readFile(`/proc/${pid}/status`, 'utf8'), /^VmRSS:\s+(\d+) kB$/m] as const)
      : ([run('ps', ['-o', 'rss=', '-p', String(pid)]).then(({ stdout }) => stdout), /(\d+)/] as const);
  const kib = pattern.exec(await text.catch(() => ''))?.[1];
  return kib === undefined ? null : Number(kib) / 1024;
}
