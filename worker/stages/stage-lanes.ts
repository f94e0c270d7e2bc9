import { Context } from '@temporalio/activity';
import type { ActivityWork } from '../../contracts/activity-work.ts';
import { type LaneOptions, StageLane } from './stage-lane.ts';

/**
 * Light activities that a worker takes at once: they wait for stores most of the time, so few of them would leave two
 * cores idle.
 */
export const LIGHT_PLACES = 24;

/** Milliseconds without work after which a process has ended. */
const IDLE_MS = 60_000;

export type StageActivity = (input: unknown) => Promise<unknown>;
/** What is added to the input of an activity. */
export type Answers = Readonly<Record<string, (input: never) => Promise<object>>>;
type LanesOptions = Omit<LaneOptions, 'processes' | 'places' | 'idleMs'> & { concurrency: number };

/** The processes of a worker: one for each heavy activity that may run, and as many that share the light ones. */
export class StageLanes {
  readonly #lanes: Readonly<Record<'heavy' | 'light', StageLane>>;

  constructor({ concurrency, ...options }: LanesOptions) {
    const lane = (places: number) => new StageLane({ ...options, idleMs: IDLE_MS, processes: concurrency, places });
    this.#lanes = { heavy: lane(1), light: lane(Math.ceil(LIGHT_PLACES / concurrency)) };
  }

  /** Starts the first process of each kind. Throws SETUP_FAILED. */
  async open(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.open()));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
  }

  /** The activities of a side, each run in a process. They are called in a context of Temporal. */
  activities(work: Readonly<Record<string, ActivityWork>>, answers: Answers = {}): Record<string, StageActivity> {
    const run =
      (activity: string, lane: StageLane): StageActivity =>
      async (sent) => {
        const { cancellationSignal: signal, info } = Context.current();
        const name = `${info.workflowExecution?.workflowId} ${info.activityId}`;
        const input = { ...(sent as object), ...(await answers[activity]?.(sent as never)) };
        return lane.run({ name, activity, input, signal });
      };
    const entries = Object.entries(work).map(([name, [, weight]]) => [name, run(name, this.#lanes[weight])]);
    return Object.fromEntries(entries);
  }
}
