import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, type WorkflowHandle } from '@temporalio/client';

/** How long an answer is waited for before its absence is the answer: a killed worker is back within this time. */
const ANSWER_MS = 30_000;
const ASK_AGAIN_MS = 500;

/** Asks until somebody answers, or whoever asked has left. Only for what has no effect when it is asked again. */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  hasLeft: () => boolean = () => false,
): Promise<Answer> {
  const givenUpAt = Date.now() + ANSWER_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ServiceError) || hasLeft() || Date.now() > givenUpAt) throw error;
      await delay(ASK_AGAIN_MS);
    }
  }
}

/**
 * Sends an Update to a workflow, and gives what it answers. The server forgets an Update that it has not written to the
 * history when the workflow moves on or a worker goes; then it is sent again under its own id, so that one that was
 * written takes effect once.
 */
export function sendUpdate<Answer>(handle: WorkflowHandle, name: string, request?: object): Promise<Answer> {
  const updateId = randomUUID();
  return untilAnswered(() => handle.executeUpdate<Answer, [object | undefined]>(name, { args: [request], updateId }));
}
