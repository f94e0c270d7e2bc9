import { defaultPayloadConverter, type PayloadConverter } from '@temporalio/workflow';

/** Takes the place of what was sent in an encoding that nobody here reads. No bound takes it for a value. */
const UNREADABLE = Symbol('unreadable');

/**
 * Reads what workflows are sent. The usual converter throws on an encoding that it does not know, or on broken JSON; in
 * an argument or a signal that fails the task, which is repeated for ever. Here it becomes something that the workflow
 * refuses as it refuses every other value that it does not take.
 */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => defaultPayloadConverter.toPayload(value),
  fromPayload: <Value>(payload: Parameters<PayloadConverter['fromPayload']>[0]): Value => {
    try {
      return defaultPayloadConverter.fromPayload<Value>(payload);
    } catch {
      return UNREADABLE as Value;
    }
  },
};
