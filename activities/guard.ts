import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ERRORS, type ErrorCode, OpalineError } from '../contracts/errors.ts';

/** Keeps what an error says for the people of one side; gives the id under which they find it. */
export type Diagnose = (activity: string, error: unknown) => Promise<string>;

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
  | { event: 'done'; seconds: number }
  | { event: 'cancelled'; seconds: number }
  | { event: 'failed'; seconds: number; code: ErrorCode }
);

export type Report = (report: ActivityReport) => void;

type Activity = (...input: never[]) => Promise<unknown>;

/** How often an activity tells Temporal that its process lives; workflows/activities.ts waits five times as long. */
const BEAT_MS = 3_000;

/**
 * Wraps activities for a worker: a heartbeat while they run, and failures that say a code of the table and nothing
 * else. An error that is not ours may quote data (DuckDB quotes rows), so its text goes to `diagnose` and the failure
 * carries only an id. No stack: it would put file paths into histories.
 */
export function guard<Activities extends { [name: string]: Activity }>(
  activities: Activities,
  diagnose: Diagnose,
  report: Report = () => {},
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    guardOne(name, activity, diagnose, report),
  ]);
  return Object.fromEntries(guarded) as Activities;
}

function guardOne(name: string, activity: Activity, diagnose: Diagnose, report: Report): Activity {
  return async (...input) => {
    const context = Context.current();
    const about = { activity: name, input: input[0], attempt: context.info.attempt };
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1000;
    report({ ...about, event: 'started' });
    const beat = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      const result = await Promise.race([activity(...input), context.cancelled]);
      report({ ...about, event: 'done', seconds: seconds() });
      return result;
    } catch (error) {
      if (error instanceof CancelledFailure) report({ ...about, event: 'cancelled', seconds: seconds() });
      else report({ ...about, event: 'failed', seconds: seconds(), code: codeOf(error) });
      throw await publicFailure(name, error, diagnose);
    } finally {
      clearInterval(beat);
    }
  };
}

const codeOf = (error: unknown): ErrorCode => (error instanceof OpalineError ? error.code : 'UNEXPECTED');

async function publicFailure(name: string, error: unknown, diagnose: Diagnose): Promise<Error> {
  if (error instanceof CancelledFailure) return error;
  const code = codeOf(error);
  const message =
    error instanceof OpalineError
      ? error.message
      : `Something unexpected happened in ${name}; the details are in the diagnostics under ${await diagnose(name, error)}.`;
  const failure = ApplicationFailure.create({ message, type: code, nonRetryable: !ERRORS[code].retryable });
  failure.stack = '';
  return failure;
}
