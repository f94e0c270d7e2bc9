import { Context, type Info } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { type ErrorCode, OpalineError, wrongUse } from '../contracts/errors.ts';
import { wrongActivityInput } from '../contracts/sent-values.ts';
import { isRepeated } from '../contracts/stage-limits.ts';
import type { Failure } from '../contracts/stages.ts';
import { type Diagnose, publicFailure } from '../services/failure.ts';

/**
 * What became of one attempt of an activity, for logs and metrics: public names, and how long it took. The durations of
 * the private worker belong to the custodian side (C18).
 */
export type ActivityReport = {
  activity: string;
  /** First argument of the activity; it holds the ids of release and partition. */
  input: unknown;
  attempt: number;
} & (
  | { event: 'started' }
  | { event: 'done' | 'cancelled'; seconds: number }
  | { event: 'failed'; seconds: number; code: ErrorCode }
);

export type ReportActivity = (report: ActivityReport) => void;

type Activity = (...input: never[]) => Promise<unknown>;

/**
 * How often an activity reports to Temporal that its worker is alive. The answer says whether it was cancelled, so that a
 * cancelled one is noticed within this time; workflows/activities.ts waits far longer before it believes a worker dead.
 */
export const BEAT_MS = 500;

/**
 * Wraps activities for a worker: a heartbeat and a report while they run, and failures that say a code of the table and
 * nothing else.
 */
export function guard<Activities extends { [name: string]: Activity }>(
  activities: Activities,
  diagnose: Diagnose,
  report: ReportActivity = () => {},
): Activities {
  const wrap =
    (name: string, activity: Activity): Activity =>
    async (input: unknown) => {
      const context = Context.current();
      const mistake = wrongActivityInput(name, input);
      // A wrong input has its code alone: a report looks for the ids of a release, which it may not have.
      const about = { activity: name, input: mistake ? null : input, attempt: context.info.attempt };
      const start = performance.now();
      const seconds = () => (performance.now() - start) / 1000;
      report({ ...about, event: 'started' });
      const beat = setInterval(() => context.heartbeat(), BEAT_MS);
      try {
        if (mistake) throw wrongUse(mistake);
        const result = await activity(input as never);
        report({ ...about, event: 'done', seconds: seconds() });
        return result;
      } catch (error) {
        const isCancelled = error instanceof CancelledFailure;
        if (isCancelled) report({ ...about, event: 'cancelled', seconds: seconds() });
        else report({ ...about, event: 'failed', seconds: seconds(), code: codeOf(error) });
        throw isCancelled ? error : temporalFailure(await publicFailure(name, error, diagnose), name, context.info);
      } finally {
        clearInterval(beat);
      }
    };
  const entries = Object.entries(activities).map(([name, activity]) => [name, wrap(name, activity)]);
  return Object.fromEntries(entries) as Activities;
}

const codeOf = (error: unknown): ErrorCode => (error instanceof OpalineError ? error.code : 'UNEXPECTED');

/** What Temporal learns: code, sentence and number of the attempt. A stack would put file paths into histories. */
function temporalFailure(
  { code, message }: Failure,
  activity: string,
  { attempt, scheduledTimestampMs }: Info,
): ApplicationFailure {
  const minutes = (Date.now() - scheduledTimestampMs) / 60_000;
  const nonRetryable = !isRepeated(activity, code, attempt, minutes);
  const failure = ApplicationFailure.create({ message, type: code, nonRetryable, details: [attempt] });
  failure.stack = '';
  return failure;
}
