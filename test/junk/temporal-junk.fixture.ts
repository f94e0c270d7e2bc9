import { randomUUID } from 'node:crypto';
import { TASK_QUEUES } from '../../contracts/names.ts';
import type { TestStack } from '../support/test-stack.ts';

/** What is sent, byte by byte: the encoding that it says it has, and what there is. */
export type RawPayload = { encoding: string; data: Buffer };

export const json = (value: unknown): RawPayload => ({
  encoding: 'json/plain',
  data: Buffer.from(JSON.stringify(value)),
});
export const text = (data: string): RawPayload => ({ encoding: 'json/plain', data: Buffer.from(data) });

/** This number of bytes of nested lists. */
export const nested = (bytes: number): RawPayload => text('['.repeat(bytes / 2) + ']'.repeat(bytes / 2));

/** Values that fit nowhere: as a start, as a request, as a signal. */
export const JUNK: readonly [what: string, RawPayload[]][] = [
  ['nothing', []],
  ['null', [json(null)]],
  ['a text', [json('release')]],
  ['a number', [json(1e308)]],
  ['a list', [json([1, 2])]],
  ['an empty object', [json({})]],
  ['10 kB of nested lists', [nested(10_000)]],
  ['40 kB of nested lists', [nested(40_000)]],
  ['40 kB of nested objects', [text(`${'{"a":'.repeat(6_600)}1${'}'.repeat(6_600)}`)]],
  ['JSON that breaks off', [text('{"a":')]],
  ['an encoding that nobody has', [{ encoding: 'binary/strange', data: Buffer.from([1, 2, 3]) }]],
  ['bytes', [{ encoding: 'binary/plain', data: Buffer.alloc(100) }]],
  ['a megabyte of text', [json('x'.repeat(1_000_000))]],
  ['a reserved name', [text('{"__proto__":{"polluted":true}}')]],
];

const inputOf = (payloads: readonly RawPayload[]) => ({
  payloads: payloads.map(({ encoding, data }) => ({ metadata: { encoding: Buffer.from(encoding) }, data })),
});

/** Whoever reaches Temporal, and sends what they like below the level at which the SDK would stop them. */
export class Stranger {
  private readonly stack: TestStack;

  constructor(stack: TestStack) {
    this.stack = stack;
  }

  private get service() {
    return this.stack.client.temporal.workflowService;
  }

  /** Starts a workflow under an id of its own, or the one named. Gives the id. */
  async start(type: string, payloads: readonly RawPayload[], workflowId: string = randomUUID()): Promise<string> {
    await this.service.startWorkflowExecution({
      namespace: 'default',
      workflowId,
      requestId: randomUUID(),
      workflowType: { name: type },
      taskQueue: { name: TASK_QUEUES.public },
      input: inputOf(payloads),
    });
    return workflowId;
  }

  async signal(workflowId: string, signalName: string, payloads: readonly RawPayload[]): Promise<void> {
    await this.service.signalWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      signalName,
      input: inputOf(payloads),
    });
  }

  /** Sends an Update; gives the type of the failure that it was answered with, or `accepted`. */
  async update(workflowId: string, name: string, payloads: readonly RawPayload[]): Promise<string> {
    const { outcome } = await this.service.updateWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId },
      request: { meta: { updateId: randomUUID() }, input: { name, args: inputOf(payloads) } },
      waitPolicy: { lifecycleStage: 3 },
    });
    return outcome?.failure ? (outcome.failure.applicationFailureInfo?.type ?? 'no type') : 'accepted';
  }

  /** Events in the history of a workflow. */
  async events(workflowId: string): Promise<number> {
    return (await this.stack.client.temporal.workflow.getHandle(workflowId).describe()).historyLength;
  }

  /** How a workflow ended: the type of the failure that it was ended with. Waits for it. */
  async ending(workflowId: string): Promise<string> {
    try {
      await this.stack.client.temporal.workflow.getHandle(workflowId).result();
      return 'completed';
    } catch (error) {
      const cause = (error as { cause?: { type?: string } }).cause;
      return cause?.type ?? 'no type';
    }
  }
}
