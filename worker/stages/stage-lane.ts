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
  /** Milliseconds without work after which a process is ended: it keeps the memory of the largest work that it had. */
  idleMs: number;
};

/** One activity to be run. `name` is the same in each of its attempts. */
export type StageWork = { name: string; activity: string; input: unknown; signal: AbortSignal };

/** A process and its free places. */
type Room = { process: StageProcess; free: number; idle?: NodeJS.Timeout; isResting?: true };
type Turn = { places: number; begin(room: Room): void };

/**
 * Long-lived processes of one kind, and the work that waits for a place in them, in the order in which it came. A process
 * that ended is replaced when there is work for it.
 */
export class StageLane {
  readonly #options: LaneOptions;
  readonly #rooms = new Set<Room>();
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
    const room = await this.#turn(places, signal);
    try {
      return await room.process.run(activity, input, signal);
    } catch (error) {
      if (error instanceof OpalineError && error.code === 'PROCESS_ENDED') this.#suspects.add(name);
      throw error;
    } finally {
      if (signal.aborted && places === this.#options.places) room.process.kill(null);
      room.free += places;
      this.#next();
      this.#rest(room);
    }
  }

  /** Process ids, for those who watch or test them. */
  pids(): number[] {
    return [...this.#rooms].flatMap(({ process }) => process.pid ?? []);
  }

  /** Ends all processes; what is at work fails. */
  async close(): Promise<void> {
    this.#closed = true;
    const rooms = [...this.#rooms];
    for (const { process } of rooms) process.kill(null);
    await Promise.all(rooms.map(({ process }) => process.whenEnded));
  }

  #turn(places: number, signal: AbortSignal): Promise<Room> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(turn), 1);
        reject(new CancelledFailure('cancelled while it waited for its turn'));
        this.#next();
      };
      const turn: Turn = {
        places,
        begin(room) {
          signal.removeEventListener('abort', leave);
          resolve(room);
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
      const room = this.#withRoom(turn.places);
      if (!room) return;
      this.#queue.shift();
      clearTimeout(room.idle);
      room.free -= turn.places;
      turn.begin(room);
    }
  }

  /** The process with the most room, or a new one if none has enough; undefined: the work waits. */
  #withRoom(places: number): Room | undefined {
    const [roomiest] = [...this.#rooms].filter(({ process }) => process.takesWork).sort((a, b) => b.free - a.free);
    if (roomiest && roomiest.free >= places) return roomiest;
    return this.#rooms.size < this.#options.processes && !this.#closed ? this.#start() : undefined;
  }

  #start(): Room {
    const room: Room = { process: new StageProcess(this.#options), free: this.#options.places };
    this.#rooms.add(room);
    void room.process.ready.then(() => this.#rest(room)); // a start may take longer than the pause
    void room.process.whenEnded.then(() => this.#replace(room));
    return room;
  }

  /** Ends a process that gets no work for a while; the next work starts another. */
  #rest(room: Room): void {
    clearTimeout(room.idle);
    if (room.free < this.#options.places) return;
    room.idle = setTimeout(() => {
      room.isResting = true;
      room.process.kill(null);
    }, this.#options.idleMs).unref();
  }

  async #replace(room: Room): Promise<void> {
    this.#rooms.delete(room);
    clearTimeout(room.idle);
    this.#next();
    // The next work should not wait for a start, after a process that died. One that never came up is not started again
    // before there is work for it.
    const isMissed = this.#rooms.size === 0 && !this.#closed && !room.isResting;
    if (isMissed && (await room.process.ready)) this.#start();
    await this.#options.sweep().catch(() => {}); // what could not be removed now is removed at the next start
  }
}
