import { type ChildProcess as NodeChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds that a process gets to stop by itself before it is killed. */
const STOP_MS = 15_000;

/** Pause before a process that died is started again, so that one that cannot start does not spin. */
const RESTART_MS = 1_000;

/** A process of the embedded stack, with its output in a log file; stopped by its own id and no other. */
export class ChildProcess {
  ended = false;
  /** When it has ended, for whatever reason. */
  readonly whenEnded: Promise<void>;
  readonly #child: NodeChildProcess;

  private constructor(child: NodeChildProcess) {
    this.#child = child;
    this.whenEnded = new Promise((resolve) => {
      const end = () => {
        this.ended = true;
        resolve();
      };
      child.once('exit', end);
      child.once('error', end);
    });
  }

  /** `environment` is added to that of this process. */
  static async start(
    command: string,
    options: readonly string[],
    logFile: string,
    environment: Record<string, string> = {},
  ): Promise<ChildProcess> {
    const log = await open(logFile, 'a', 0o600);
    // A process group of its own: Ctrl-C reaches the parent alone, which then stops its children in order.
    const child = spawn(command, options, {
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      detached: true,
      env: { ...process.env, ...environment },
    });
    const started = new ChildProcess(child);
    await log.close(); // the process has its own
    return started;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves to true when the process says that it is ready, to false when it ends first. */
  ready(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#child.once('message', () => resolve(true));
      void this.whenEnded.then(() => resolve(false));
    });
  }

  /** Asks the process to stop, and kills it if it does not. */
  async stop(): Promise<void> {
    if (this.ended) return;
    this.#child.kill('SIGTERM');
    await Promise.race([this.whenEnded, delay(STOP_MS, null, { ref: false })]);
    if (!this.ended) this.#child.kill('SIGKILL');
    await this.whenEnded;
  }
}

/** A process that is started again whenever it ends, until it is stopped, as an orchestrator would. */
export class KeptProcess {
  readonly #begin: () => Promise<ChildProcess>;
  #child: ChildProcess | null = null;
  #stopping = false;

  /** `begin` starts the process and resolves when it is ready; it leaves none behind when it throws. */
  constructor(begin: () => Promise<ChildProcess>) {
    this.#begin = begin;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Throws what `begin` throws at the first start; later ones are tried again, and the log of the process says why. */
  async start(): Promise<void> {
    const child = await this.#begin();
    this.#child = child;
    if (this.#stopping) return child.stop();
    void child.whenEnded.then(() => this.#restart());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child?.stop();
  }

  async #restart(): Promise<void> {
    await delay(RESTART_MS);
    if (!this.#stopping) await this.start().catch(() => this.#restart());
  }
}
