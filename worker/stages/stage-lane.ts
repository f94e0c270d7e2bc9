import { CancelledFailure } from '@temporalio/common';
import { OpalineError } from '../../contracts/errors.ts';
import { StageProcess, type StageProcessOptions } from './stage-process.ts';

export type LaneOptions = StageProcessOptions & {
  /** Processes at most; all but the first are started when they are needed. */
  processes: number;
  /** Activities that one process takes at once. */
  places: number;
  /** Clears up after a process that was ended. */
  sweep(): Promise<void>;
};

/** One activity to be run. `name` is the same in each of its attempts. */
export type StageWork = { name: string; activity: string; input: unknown; signal: AbortSignal };

type Turn = { places: number; begin(process: StageProcess): void };

/**
 * Long-lived processes of one kind, and the work that waits for a place in them, in the order in which it came. A process
 * that ended is replaced when there is work for it.
 */
export class StageLane {
  readonly #options: LaneOptions;
  readonly #processes: { process: StageProcess; free: number }[] = [];
  readonly #queue: Turn[] = [];
  /** Names of work whose process ended under it: it may be the cause, so it has a process alone the next time. */
  readonly #suspects = new Set<string>();
  #closed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Starts the first process. Throws SETUP_FAILED when it does not come up; its own log line says why. */
  async open(): Promise<void> {
    if (await this.#start().process.ready) return;
    throw new OpalineError('SETUP_FAILED', 'A computing process of the worker did not start; its log says why.');
  }

  /**
   * Runs an activity when its turn comes. When the signal is given, work that waits is not begun, and a process that has
   * nothing else at work is ended, which frees the turn at once.
   */
  async run({ name, activity, input, signal }: StageWork): Promise<unknown> {
    const places = this.#suspects.delete(name) ? this.#options.places : 1;
    const process = await this.#turn(places, signal);
    try {
      return await process.run(activity, input, signal);
    } catch (error) {
      if (error instanceof OpalineError && error.code === 'PROCESS_ENDED') this.#suspects.add(name);
      throw error;
    } finally {
      if (signal.aborted && places === this.#options.places) process.kill(null);
      this.#free(process, places);
    }
  }

  /** Process ids, for those who watch or test them. */
  pids(): number[] {
    return this.#processes.flatMap(({ process }) => process.pid ?? []);
  }

  /** Ends all processes; what is at work fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const processes = this.#processes.map(({ process }) => process);
    for (const process of processes) process.kill(null);
    await Promise.all(processes.map(({ whenEnded }) => whenEnded));
  }

  #turn(places: number, signal: AbortSignal): Promise<StageProcess> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        reject(new CancelledFailure('cancelled while it waited for its turn'));
        this.#next();
      };
      const turn: Turn = {
        places,
        begin(process) {
          signal.removeEventListener('abort', leave);
          resolve(process);
        },
      };
      this.#queue.push(turn);
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#next();
    });
  }

  #next(): void {
    for (let turn = this.#queue[0]; turn; turn = this.#queue[0]) {
      const entry = this.#withRoom(turn.places);
      if (!entry) return;
      this.#queue.shift();
      entry.free -= turn.places;
      turn.begin(entry.process);
    }
  }

  /** The process with the most room, or a new one if none has enough; undefined: the work waits. */
  #withRoom(places: number): { process: StageProcess; free: number } | undefined {
    const [roomiest] = this.#processes.filter(({ process }) => process.takesWork).sort((a, b) => b.free - a.free);
    if (roomiest && roomiest.free >= places) return roomiest;
    return this.#processes.length < this.#options.processes && !this.#closed ? this.#start() : undefined;
  }

  #free(process: StageProcess, places: number): void {
    const entry = this.#processes.find((one) => one.process === process);
    if (entry) entry.free += places;
    this.#next();
  }

  #start(): { process: StageProcess; free: number } {
    const entry = { process: new StageProcess(this.#options), free: this.#options.places };
    this.#processes.push(entry);
    void entry.process.whenEnded.then(() => this.#replace(entry.process));
    return entry;
  }

  async #replace(process: StageProcess): Promise<void> {
    const place = this.#processes.findIndex((one) => one.process === process);
    if (place >= 0) this.#processes.splice(place, 1);
    this.#next();
    // The next work should not wait for a start. One that never came up is not started again before there is work for it.
    if (this.#processes.length === 0 && !this.#closed && (await process.ready)) this.#start();
    await this.#options.sweep().catch(() => {}); // what could not be removed now is removed at the next start
  }
}
