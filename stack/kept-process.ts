import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from './child-process.ts';

/** Pause before a process that died is started again, so that one that cannot start does not spin. */
const RESTART_MS = 1_000;

/** A process that is started again whenever it ends, until it is told to stop, as an orchestrator would. */
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
    if (this.#stopping) await child.stop();
    else void child.whenEnded().then(() => this.#restart());
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#child?.stop();
  }

  async #restart(): Promise<void> {
    while (!this.#stopping) {
      await delay(RESTART_MS);
      if (this.#stopping) return;
      try {
        return await this.start();
      } catch {
        // It did not come up: try again after the pause.
      }
    }
  }
}
