import { ApplicationFailure, defineUpdate, setHandler } from '@temporalio/workflow';
import { withParts } from '../contracts/generation-1.ts';
import { type ReleaseAction, whyNot } from '../contracts/release-state.ts';
import type { Answer, ReleaseUpdates } from '../contracts/stages.ts';
import type { ReleaseProgress } from './release-progress.ts';

/**
 * Offers one action of the state table as an Update. Why an Update and not a Signal: whoever asks gets an answer. The
 * validator is synchronous (the SDK never awaits an async one) and refuses only what the state does not offer or what
 * is malformed, so that it leaves no history; refusals of policy are accepted, recorded and answered.
 */
export function offer<Action extends ReleaseAction>(
  progress: ReleaseProgress,
  action: Action,
  handle: (request: ReleaseUpdates[Action]) => Promise<Answer> | Answer,
  malformed: (request: ReleaseUpdates[Action]) => string | null = () => null,
): void {
  // Of two people at once both may pass the validator before either is served; all of it decides again then.
  const serve = (sent: ReleaseUpdates[Action]): Promise<Answer> | Answer => {
    const request = withParts(sent);
    const refusal = whyNot(action, progress.state) ?? malformed(request);
    return refusal ? { accepted: false, code: 'ACTION_NOT_OFFERED', message: refusal } : handle(request);
  };
  setHandler(defineUpdate<Answer, [ReleaseUpdates[Action]]>(action), serve, {
    validator: (request) => {
      const refusal = whyNot(action, progress.state);
      if (refusal) throw ApplicationFailure.nonRetryable(refusal, 'ACTION_NOT_OFFERED');
      if (typeof request !== 'object' || request === null)
        throw ApplicationFailure.nonRetryable(`${action} needs an argument.`, 'USAGE');
      const mistake = malformed(withParts(request));
      if (mistake) throw ApplicationFailure.nonRetryable(mistake, 'USAGE');
    },
  });
}
