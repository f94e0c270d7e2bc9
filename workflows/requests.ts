import { ApplicationFailure, defineUpdate, setHandler } from '@temporalio/workflow';
import { type ReleaseAction, whyNot } from '../contracts/release-state.ts';
import { wrongRequest } from '../contracts/sent-values.ts';
import type { Answer, Failure, ReleaseUpdates } from '../contracts/stages.ts';
import type { ReleaseProgress } from './release-progress.ts';

/**
 * Ends a workflow that was started with something else than it takes: at once, with a code, and before anything is made
 * of it. An error of the language would have its first task repeated for ever.
 */
export function refuseInput(mistake: string | null): void {
  if (mistake) throw ApplicationFailure.nonRetryable(mistake, 'USAGE');
}

export const refusal = (code: Failure['code'], message: string | null): Failure | null =>
  message === null ? null : { code, message };

/**
 * Offers an Update. Why not a Signal: whoever asks gets an answer. The validator is synchronous (the SDK never awaits an
 * async one) and leaves no history of what it refuses. Its bounds may change with a build: it is not asked when a
 * history is replayed.
 */
function offerUpdate<Result, Request>(
  name: string,
  handle: (request: Request) => Promise<Result> | Result,
  refuse: (values: unknown[]) => Failure | null,
): void {
  setHandler(defineUpdate<Result, [Request]>(name), handle, {
    validator: (...args: unknown[]) => {
      const failure = refuse(args);
      if (failure) throw ApplicationFailure.nonRetryable(failure.message, failure.code);
    },
  });
}

/** Offers an Update that takes no argument; `notNow` says why it is not offered at the moment. */
export function offerPlain<Result>(
  name: string,
  purpose: string,
  handle: () => Promise<Result> | Result,
  notNow: () => string | null,
): void {
  const isEmpty = (args: unknown[]) => args.every((one) => one === undefined || one === null);
  offerUpdate(name, handle, (args) =>
    isEmpty(args) ? refusal('ACTION_NOT_OFFERED', notNow()) : refusal('USAGE', `To ${purpose} takes no argument.`),
  );
}

/**
 * Offers one action of the state table. The validator refuses what the state does not offer, what is out of bounds or of
 * another shape, and what `refuse` turns away. Of two people at once both may pass it before either is served; so state
 * and `refuse` are asked once more then (`isServed`). That is part of the history: a replay has to come to the same.
 */
export function offer<Action extends ReleaseAction>(
  progress: ReleaseProgress,
  action: Action,
  handle: (request: ReleaseUpdates[Action]) => Promise<Answer> | Answer,
  refuse: (request: ReleaseUpdates[Action], isServed: boolean) => Failure | null = () => null,
): void {
  type Request = ReleaseUpdates[Action];
  const notOffered = () => refusal('ACTION_NOT_OFFERED', whyNot(action, progress.state));
  const serve = (request: Request): Promise<Answer> | Answer => {
    const failure = notOffered() ?? refuse(request, true);
    return failure ? { accepted: false, ...failure } : handle(request);
  };
  offerUpdate(
    action,
    serve,
    ([request, ...rest]) =>
      notOffered() ?? refusal('USAGE', wrongRequest(action, request, rest)) ?? refuse(request as Request, false),
  );
}
