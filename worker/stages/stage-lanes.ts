import { Context } from '@temporalio/activity';
import type { ActivityWork } from '../../contracts/activity-work.ts';
import { PRIORITY } from '../../contracts/names.ts';
import { type LaneOptions, StageLane } from './stage-lane.ts';

/**
 * Light activities that a worker takes at once: they wait for stores most of the time, so few of them would leave two
 * cores idle.
 */
export const LIGHT_PLACES = 24;

/** The same for back-fills: more would load the server that others wait for, and hardly make a back-fill quicker. */
export const PATIENT_LIGHT_PLACES = 4;

/** Milliseconds without work after which a process has ended. */
const IDLE_MS = 60_000;

/** Niceness of processes for releases of back-fills: they have what processor time the others leave. */
const PATIENT_NICENESS = 19;

/** Heavy activities of back-fills that a worker runs at once, beside as many others as its `concurrency` says. */
export const patientPlaces = (concurrency: number): number => Math.ceil(concurrency / 2);

export type StageActivity = (input: unknown) => Promise<unknown>;

/** What is added to the input of an activity. */
export type Answers = Readonly<Record<string, (input: never) => Promise<object>>>;
type LanesOptions = Omit<LaneOptions, 'processes' | 'places' | 'idleMs' | 'niceness'> & { concurrency: number };

/**
 * The processes of a worker: one for each heavy activity that may run, and as many that share the light ones. Releases of
 * a back-fill have processes of their own, which let the others go before them.
 */
export class StageLanes {
  readonly #lanes: Readonly<Record<keyof typeof PRIORITY, Readonly<Record<'heavy' | 'light', StageLane>>>>;

  constructor({ concurrency, ...options }: LanesOptions) {
    const lanes = (niceness: number, heavyPlaces: number) => {
      const lane = (processes: number, places: number) =>
        new StageLane({ ...options, niceness, idleMs: IDLE_MS, processes, places });
      return { heavy: lane(heavyPlaces, 1), light: lane(concurrency, Math.ceil(LIGHT_PLACES / concurrency)) };
    };
    this.#lanes = {
      usual: lanes(0, concurrency),
      patient: lanes(PATIENT_NICENESS, patientPlaces(concurrency)),
    };
  }

  /** Starts the first process of each kind. Throws SETUP_FAILED. */
  async open(): Promise<void> {
    await Promise.all(Object.values(this.#lanes.usual).map((lane) => lane.open()));
  }

  async close(): Promise<void> {
    const lanes = Object.values(this.#lanes).flatMap((both) => Object.values(both));
    await Promise.all(lanes.map((lane) => lane.close()));
  }

  /** The activities of a side, each run in a process. They are called in a context of Temporal. */
  activities(work: Readonly<Record<string, ActivityWork>>, answers: Answers = {}): Record<string, StageActivity> {
    const run =
      (activity: string, weight: ActivityWork[1]): StageActivity =>
      async (argument) => {
        const { cancellationSignal: signal, info } = Context.current();
        const isPatient = info.priority?.priorityKey === PRIORITY.patient;
        const name = `${info.workflowExecution?.workflowId} ${info.activityId}`;
        const lanes = this.#lanes[isPatient ? 'patient' : 'usual'];
        const answer = await answers[activity]?.(argument as never);
        const input = answer ? { ...(argument as object), ...answer } : argument;
        return lanes[weight].run({ name, activity, input, signal });
      };
    const entries = Object.entries(work).map(([name, [, weight]]) => [name, run(name, weight)]);
    return Object.fromEntries(entries);
  }
}
