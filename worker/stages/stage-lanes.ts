import { Context } from '@temporalio/activity';
import type { PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import { type LaneOptions, StageLane } from './stage-lane.ts';

/** Heavy activities read and count a source, or compute for seconds and more: each has a process while it runs. */
type Weight = 'heavy' | 'light';
export type Weights<Activities> = Readonly<Record<keyof Activities & string, Weight>>;

export const PRIVATE_WEIGHTS: Weights<PrivateActivities> = {
  missingObjects: 'light',
  changedObjects: 'light',
  ingest: 'heavy',
  reingest: 'heavy',
  reserve: 'light',
  bin: 'heavy',
  privatize: 'light',
  abandon: 'light',
  shadow: 'heavy',
  commit: 'light',
  withhold: 'light',
};

export const PUBLIC_WEIGHTS: Weights<PublicActivities> = {
  scheduledWindow: 'light',
  plan: 'light',
  carry: 'heavy',
  derive: 'heavy',
  audit: 'heavy',
  reaudit: 'heavy',
  approvers: 'light',
  decide: 'light',
  publish: 'heavy',
  planRetraction: 'light',
  retract: 'light',
  noticeChannels: 'light',
  notify: 'light',
  updatePages: 'light',
};

/**
 * Light activities at once in all processes: they wait for stores most of the time, so few of them would leave two cores
 * idle. A heavy one that waits for its turn holds one of these places.
 */
const LIGHT = 24;

/** Activities that a worker takes at once, of which `concurrency` heavy ones run. */
export const activityPlaces = (concurrency: number): number => concurrency + LIGHT;

/** The processes of a worker: one for each heavy activity that may run, and as many that share the light ones. */
export class StageLanes {
  readonly #lanes: Readonly<Record<Weight, StageLane>>;

  constructor({ concurrency, ...options }: Omit<LaneOptions, 'processes' | 'places'> & { concurrency: number }) {
    this.#lanes = {
      heavy: new StageLane({ ...options, processes: concurrency, places: 1 }),
      light: new StageLane({ ...options, processes: concurrency, places: Math.ceil(LIGHT / concurrency) }),
    };
  }

  /** Starts the first process of each kind. Throws SETUP_FAILED. */
  async open(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.open()));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
  }

  /** The activities of a side, each run in a process. They are called in a context of Temporal. */
  activities<Activities>(
    weights: Weights<Activities>,
  ): Record<keyof Activities & string, (input: unknown) => Promise<unknown>> {
    const entries = Object.entries<Weight>(weights);
    return Object.fromEntries(
      entries.map(([activity, weight]) => [activity, this.#runner(activity, weight)]),
    ) as Record<keyof Activities & string, (input: unknown) => Promise<unknown>>;
  }

  #runner(activity: string, weight: Weight) {
    return (input: unknown): Promise<unknown> => {
      const { cancellationSignal: signal, info } = Context.current();
      const name = `${info.workflowExecution?.workflowId} ${info.activityId}`;
      return this.#lanes[weight].run({ name, activity, input, signal });
    };
  }
}
