import { OpalineError } from '../contracts/errors.ts';
import { limitsOf } from '../contracts/stage-limits.ts';

/**
 * Ends what an earlier build repeats for ever. The server keeps the policy with which an activity was scheduled, so that
 * one from a build without a limit outlives every upgrade; the workflow begins it again, with a limit. Throws
 * ENDLESS_ATTEMPTS.
 */
export function refuseEndless(activity: string, attempt: number): void {
  const { attempts } = limitsOf(activity);
  if (attempt > attempts)
    throw new OpalineError(
      'ENDLESS_ATTEMPTS',
      `An earlier build without a limit has repeated ${activity} ${attempt - 1} times; this build ends that.`,
    );
}
