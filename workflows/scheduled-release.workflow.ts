import { ApplicationFailure, setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import type { ScheduledRelease, ScheduledReleaseInput } from '../contracts/schedule.ts';
import { wrongScheduledInput } from '../contracts/sent-values.ts';
import { publicStages } from './activities.ts';
import { refuseInput } from './refuse-input.ts';
import { startChildRelease } from './start-release.ts';

/**
 * What a schedule starts: it finds the window of the scheduled time, starts its release and ends, so that a gate that
 * stays open for weeks never holds up or drops the next start. The time is that of the schedule and not of the clock:
 * a start that is caught up a week later still releases its own window.
 */
export async function scheduledReleaseWorkflow(input: ScheduledReleaseInput): Promise<ScheduledRelease> {
  refuseInput(wrongScheduledInput(input));
  const scheduledAt = workflowInfo().searchAttributes.TemporalScheduledStartTime?.[0];
  if (!(scheduledAt instanceof Date))
    throw ApplicationFailure.nonRetryable('Only a schedule starts this workflow; it tells the time.', 'USAGE');
  const run = await publicStages.scheduledWindow({ series: input.series, scheduledAt: scheduledAt.toISOString() });
  return { ...run, started: await startChildRelease(run) };
}

// Seconds long: it ends under the code that it began with. The public worker's default, AUTO_UPGRADE, is for the others.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, scheduledReleaseWorkflow);
