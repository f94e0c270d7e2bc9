import { ApplicationFailure, defineUpdate, setHandler } from '@temporalio/workflow';
import type { ErrorCode } from '../contracts/errors.ts';
import { type ReleaseAction, whyNot } from '../contracts/release-state.ts';
import { wrongRequest } from '../contracts/sent-values.ts';
import type { Answer, ReleaseUpdates } from '../contracts/stages.ts';
import type { ReleaseProgress } from './release-progress.ts';

type Refusal = { code: ErrorCode; message: string };

/** What an action asks of a request, beside its shape and the state of the release. */
type Conditions<Request> = {
  /** Asked by the validator: what is turned away leaves nothing in the history. */
  turnAway?: (request: Request) => Refusal | null;
  /** Asked once more when the request is served. Part of the history: a replay has to come to the same. */
  again?: (request: Request) => Refusal | null;
};

/**
 * Offers one action of the state table as an Update. Why an Update and not a Signal: whoever asks gets an answer. The
 * validator is synchronous (the SDK never awaits an async one) and leaves no history of what it refuses: what the state
 * does not offer, what is out of bounds or of another shape, and junk at the gate. Its bounds may change with a build:
 * it is not asked when a history is replayed. Refusals of policy are accepted, recorded and answered.
 */
export function offer<Action extends ReleaseAction>(
  progress: ReleaseProgress,
  action: Action,
  handle: (request: ReleaseUpdates[Action]) => Promise<Answer> | Answer,
  { turnAway = () => null, again = () => null }: Conditions<ReleaseUpdates[Action]> = {},
): void {
  const notOffered = (): Refusal | null => {
    const message = whyNot(action, progress.state);
    return message ? { code: 'ACTION_NOT_OFFERED', message } : null;
  };
  const wrong = (sent: unknown, rest: unknown[]): Refusal | null => {
    const message = wrongRequest(action, sent, rest);
    return message ? { code: 'USAGE', message } : null;
  };
  // Of two people at once both may pass the validator before either is served; what may have changed decides again then.
  const serve = (request: ReleaseUpdates[Action]): Promise<Answer> | Answer => {
    const refusal = notOffered() ?? again(request);
    return refusal ? { accepted: false, ...refusal } : handle(request);
  };
  setHandler(defineUpdate<Answer, [ReleaseUpdates[Action]]>(action), serve, {
    validator: (sent, ...rest: unknown[]) => {
      const refusal = notOffered() ?? wrong(sent, rest) ?? turnAway(sent);
      if (refusal) throw ApplicationFailure.nonRetryable(refusal.message, refusal.code);
    },
  });
}
