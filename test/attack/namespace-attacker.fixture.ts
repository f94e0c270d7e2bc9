import { randomUUID } from 'node:crypto';
import { TASK_QUEUES } from '../../contracts/names.ts';
import type { PrivateActivities, PublicActivities } from '../../contracts/stages.ts';
import type { TestStack } from '../support/test-stack.ts';

/** One activity that is called directly, with any payload. */
export type Call = { queue: keyof typeof TASK_QUEUES; activity: string; input: unknown };

/** What came back: the answer as JSON, or the code of the failure. `text` is all of it, for a search. */
export type Reached = { answer: unknown; code: string | null; text: string };

/** Long polls of the server end by themselves before. */
const PATIENCE_MS = 90_000;

const COMMAND = { schedule: 1, complete: 4 } as const;

const json = (value: unknown) => ({
  payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from(JSON.stringify(value ?? null)) }],
});
const seconds = (count: number) => ({ seconds: count as unknown as Long });
type Long = NonNullable<Parameters<Service['startWorkflowExecution']>[0]['workflowRunTimeout']>['seconds'];
type Service = TestStack['client']['temporal']['workflowService'];

/**
 * Whoever has a credential for the namespace: a workflow and a worker of their own, on a queue of their own, that
 * schedule activities on the queues of both workers. It speaks to the server itself, with no library in between.
 */
export class NamespaceAttacker {
  readonly #client: TestStack['client']['temporal'];
  readonly #service: Service;
  readonly #namespace = 'default';

  constructor({ client }: TestStack) {
    this.#client = client.temporal;
    this.#service = client.temporal.workflowService;
  }

  readonly private = (activity: keyof PrivateActivities, input: unknown): Promise<Reached> =>
    this.call({ queue: 'private', activity, input });
  readonly public = (activity: keyof PublicActivities, input: unknown): Promise<Reached> =>
    this.call({ queue: 'public', activity, input });

  async call(call: Call): Promise<Reached> {
    const [reached] = await this.callAll([call]);
    return reached!;
  }

  /** Schedules all of them in one workflow, each tried once, and gives what each reached, in their order. */
  async callAll(calls: readonly Call[]): Promise<Reached[]> {
    const taskQueue = { name: `attack-${randomUUID()}` };
    await this.#service.startWorkflowExecution({
      namespace: this.#namespace,
      workflowId: taskQueue.name,
      requestId: randomUUID(),
      workflowType: { name: 'attack' },
      taskQueue,
    });
    let commands: object[] = calls.map(({ queue, activity, input }, place) => ({
      commandType: COMMAND.schedule,
      scheduleActivityTaskCommandAttributes: {
        activityId: String(place),
        activityType: { name: activity },
        taskQueue: { name: TASK_QUEUES[queue] },
        input: json(input),
        scheduleToCloseTimeout: seconds(60),
        startToCloseTimeout: seconds(30),
        retryPolicy: { maximumAttempts: 1 },
      },
    }));
    for (;;) {
      const task = await this.#client.withDeadline(Date.now() + PATIENCE_MS, () =>
        this.#service.pollWorkflowTaskQueue({ namespace: this.#namespace, taskQueue }),
      );
      if (task.taskToken.length === 0) continue;
      const reached = reachedIn(task.history?.events ?? [], calls.length);
      if (reached) commands = [{ commandType: COMMAND.complete, completeWorkflowExecutionCommandAttributes: {} }];
      await this.#service.respondWorkflowTaskCompleted({
        namespace: this.#namespace,
        taskToken: task.taskToken,
        commands,
      });
      if (reached) return reached;
      commands = [];
    }
  }
}

type Events = NonNullable<NonNullable<Awaited<ReturnType<Service['pollWorkflowTaskQueue']>>['history']>['events']>;

/** What every call reached; null while one of them is under way. */
function reachedIn(events: Events, calls: number): Reached[] | null {
  const places = new Map<string, number>();
  const reached = new Map<number, Reached>();
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) places.set(String(event.eventId), Number(scheduled.activityId));
    const completed = event.activityTaskCompletedEventAttributes;
    const failed = event.activityTaskFailedEventAttributes;
    const timedOut = event.activityTaskTimedOutEventAttributes;
    const ended = completed ?? failed ?? timedOut;
    if (!ended) continue;
    const data = completed?.result?.payloads?.[0]?.data;
    const text = data ? Buffer.from(data).toString('utf8') : JSON.stringify(failed ?? timedOut ?? null);
    reached.set(places.get(String(ended.scheduledEventId))!, {
      answer: completed ? (data ? JSON.parse(text) : null) : undefined,
      code: completed ? null : (failed?.failure?.applicationFailureInfo?.type ?? 'TIMED_OUT'),
      text,
    });
  }
  if (reached.size < calls) return null;
  return Array.from({ length: calls }, (_, place) => reached.get(place)!);
}
