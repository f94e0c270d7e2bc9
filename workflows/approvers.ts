import { ApplicationFailure, defineUpdate, isCancellation, setHandler } from '@temporalio/workflow';
import { type Answer, READ_APPROVERS, type Run } from '../contracts/stages.ts';
import { publicStages } from './activities.ts';
import type { GateScreen } from './gate-screen.ts';
import type { ReleaseProgress } from './release-progress.ts';

/** Reads who may sign at the gate now. When it cannot be read the gate stays as it was, and reads it again later. */
export async function readApprovers(run: Run, screen: GateScreen): Promise<void> {
  screen.begin(Date.now()); // at once, so that of many who ask together one is served
  try {
    screen.know(await publicStages.approvers(run));
  } catch (error) {
    if (isCancellation(error)) throw error;
  }
}

/**
 * Offers to read the approvers again: a person whose key is new asks for it before the decision counts. Why an Update:
 * whoever asks decides after the answer. It carries nothing, and the pauses between two readings keep the history short.
 */
export function offerReading(progress: ReleaseProgress, screen: GateScreen): void {
  const read = async (): Promise<Answer> => {
    await readApprovers(progress.run, screen);
    return { accepted: true, state: progress.state };
  };
  setHandler(defineUpdate<Answer, []>(READ_APPROVERS), read, {
    validator: (...sent: unknown[]) => {
      const pause = screen.pause(Date.now());
      if (sent.some((one) => one !== undefined && one !== null))
        throw ApplicationFailure.nonRetryable('To read the approvers again takes no argument.', 'USAGE');
      if (pause > 0) throw ApplicationFailure.nonRetryable(readLately(pause), 'ACTION_NOT_OFFERED');
    },
  });
}

const readLately = (pause: number): string =>
  `The approvers were read a moment ago; they can be read again in ${Math.ceil(pause / 1000)} s.`;
