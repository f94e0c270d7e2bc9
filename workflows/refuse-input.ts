import { ApplicationFailure } from '@temporalio/workflow';

/**
 * Ends a workflow that was started with something else than it takes: at once, with a code, and before anything is made
 * of it. An error of the language would have its first task repeated for ever.
 */
export function refuseInput(mistake: string | null): void {
  if (mistake) throw ApplicationFailure.nonRetryable(mistake, 'USAGE');
}
