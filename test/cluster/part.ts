import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChildProcess, startProcess } from '../../stack/child-process.ts';

/** What one process of a cluster is, and how it starts and ends. */
export type PartSettings = {
  name: string;
  words: readonly string[];
  environment?: Record<string, string>;
  /** Resolves when the process works; it may look at the child, which may end first. */
  ready(child: ChildProcess): Promise<unknown>;
  /** The signal that ends it in order; the database has one of its own. */
  stopSignal?: NodeJS.Signals;
};

/** Longest time from a start to readiness, and from a signal to the end, in milliseconds. */
const READY_MS = 180_000;
const STOP_MS = 15_000;
/** Pause before a process that ended is started again, as a supervisor does. */
const RESTART_MS = 1_000;

/** One process of a cluster. It is started again whenever it ends, unless it was taken away. */
export class Part {
  readonly #folder: string;
  readonly #settings: PartSettings;
  #child: ChildProcess | null = null;
  #isWanted = false;
  /** Resolves when the newest start has succeeded or failed. */
  #starting: Promise<void> = Promise.resolve();

  /** `folder`: that of the cluster, with the logs and the list of processes. */
  constructor(folder: string, settings: PartSettings) {
    this.#folder = folder;
    this.#settings = settings;
  }

  get name(): string {
    return this.#settings.name;
  }

  get log(): string {
    return join(this.#folder, 'logs', `${this.name}.log`);
  }

  /** Of the process that runs now. */
  get pid(): number | undefined {
    return this.#child?.ended === false ? this.#child.pid : undefined;
  }

  /** Starts it, and waits until it works. */
  async start(): Promise<void> {
    this.#isWanted = true;
    this.#starting = this.#begin();
    await this.#starting;
  }

  /** Ends it and all that it started by SIGKILL, as a host without power does; it is started again. */
  kill(): void {
    if (this.pid !== undefined) process.kill(-this.pid, 'SIGKILL');
  }

  /** Ends it, and leaves it so until `start`. With `SIGKILL` at once, otherwise in order. */
  async takeAway(how?: 'SIGKILL'): Promise<void> {
    this.#isWanted = false;
    await this.#starting.catch(() => {});
    const child = this.#child;
    if (child === null || child.ended) return;
    if (how === 'SIGKILL') this.kill();
    else this.#signal(this.#settings.stopSignal ?? 'SIGTERM');
    await Promise.race([child.whenEnded, delay(STOP_MS, null, { ref: false })]);
    this.#signal('SIGKILL');
    await child.whenEnded;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.pid !== undefined) process.kill(this.pid, signal);
  }

  async #begin(): Promise<void> {
    const { name, words, environment, ready } = this.#settings;
    const [command, ...parameters] = words;
    const child = await startProcess(command!, parameters, this.log, environment);
    this.#child = child;
    if (child.pid !== undefined) recordProcess(this.#folder, name, child.pid);
    void child.whenEnded.then(() => this.#again());
    const failed = child.whenEnded.then(() => Promise.reject(new Error(`${name} ended; its log is ${this.log}`)));
    const late = delay(READY_MS, null, { ref: false }).then(() =>
      Promise.reject(new Error(`${name} does not work after three minutes; its log is ${this.log}`)),
    );
    late.catch(() => {});
    failed.catch(() => {});
    await Promise.race([ready(child), failed, late]);
  }

  async #again(): Promise<void> {
    await this.#starting.catch(() => {}); // who starts it first hears that it ended
    await delay(RESTART_MS);
    if (!this.#isWanted || this.pid !== undefined) return;
    this.#starting = this.#begin();
    await this.#starting.catch(() => {}); // its end starts it again
  }
}

/** A process of a cluster, and when it began in ticks of this machine: a number may come again, both do not. */
type RecordedProcess = { name: string; pid: number; began: string | null };

const listOf = (folder: string): string => join(folder, 'processes.jsonl');

function recordProcess(folder: string, name: string, pid: number): void {
  const entry: RecordedProcess = { name, pid, began: beginningOf(pid) };
  appendFileSync(listOf(folder), `${JSON.stringify(entry)}\n`);
}

/** The 22nd field of Linux' /proc/PID/stat; the second may hold spaces. Null when the process is gone. */
export function beginningOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** Processes of the list of a cluster that still run. */
export function runningProcesses(folder: string): RecordedProcess[] {
  if (!existsSync(listOf(folder))) return [];
  const lines = readFileSync(listOf(folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines
    .map((line): RecordedProcess => JSON.parse(line))
    .filter(({ pid, began }) => began !== null && beginningOf(pid) === began);
}
