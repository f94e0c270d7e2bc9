import { Context } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ERRORS, OpalineError } from '../contracts/errors.ts';

/** Keeps what an error says for the people of one side; gives the id under which they find it. */
export type Diagnose = (activity: string, error: unknown) => Promise<string>;

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
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [name, guardOne(name, activity, diagnose)]);
  return Object.fromEntries(guarded) as Activities;
}

function guardOne(name: string, activity: Activity, diagnose: Diagnose): Activity {
  return async (...input) => {
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), BEAT_MS);
    try {
      return await Promise.race([activity(...input), context.cancelled]);
    } catch (error) {
      throw await publicFailure(name, error, diagnose);
    } finally {
      clearInterval(beat);
    }
  };
}

async function publicFailure(name: string, error: unknown, diagnose: Diagnose): Promise<Error> {
  if (error instanceof CancelledFailure) return error;
  const known = error instanceof OpalineError;
  const code = known ? error.code : 'UNEXPECTED';
  const message = known
    ? error.message
    : `Something unexpected happened in ${name}; the details are in the diagnostics under ${await diagnose(name, error)}.`;
  const failure = ApplicationFailure.create({ message, type: code, nonRetryable: !ERRORS[code].retryable });
  failure.stack = '';
  return failure;
}
