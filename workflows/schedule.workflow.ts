import {
  ApplicationFailure,
  ChildWorkflowCancellationType,
  ParentClosePolicy,
  setWorkflowOptions,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import { newRelease, PRIORITY, releasePath, sourceCheckWorkflowId } from '../contracts/names.ts';
import type { ScheduledRelease, ScheduledReleaseInput } from '../contracts/schedule.ts';
import { wrongScheduledInput } from '../contracts/sent-values.ts';
import type { ReleaseInput, Run } from '../contracts/stages.ts';
import { publicStages } from './activities.ts';
import { refuseInput } from './requests.ts';

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
  const at = scheduledAt.toISOString();
  const { earlier, ...run } = await publicStages.scheduledWindow({ series: input.series, scheduledAt: at });
  const isStarted = await startChildRelease(run);
  for (const one of earlier) await startSourceCheck(one, at);
  return { ...run, started: isStarted };
}

/** Has the source of a publication looked at again, beside everything else; a look that is under way is enough. */
async function startSourceCheck(run: Run, at: string): Promise<void> {
  await startChild('sourceCheckWorkflow', {
    ...CHILD,
    workflowId: sourceCheckWorkflowId(run),
    args: [run, at],
    staticSummary: `Sources of ${releasePath(run)}`,
  }).catch(passStarted);
}

/** Children outlive what starts them. */
const CHILD = {
  parentClosePolicy: ParentClosePolicy.ABANDON,
  cancellationType: ChildWorkflowCancellationType.ABANDON,
};

/** For a `catch`: whatever runs already needs no second start. */
function passStarted(error: unknown): void {
  // By its name: the SDK's package for workflows does not export the class.
  if (!(error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError')) throw error;
}

// Seconds long: it ends under the code that it began with. The public worker's default, AUTO_UPGRADE, is for the others.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, scheduledReleaseWorkflow);

/**
 * Starts a release under its fixed id, as a child that outlives its parent. False when the id has run before: a manual
 * and a scheduled run of one window are one release.
 */
export async function startChildRelease(run: Run, priorityKey: number = PRIORITY.usual): Promise<boolean> {
  const child = await startChild('releaseWorkflow', {
    ...CHILD,
    ...newRelease(run),
    args: [{ ...run, correction: null } satisfies ReleaseInput],
    priority: { priorityKey },
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
  }).catch(passStarted);
  return child !== undefined;
}
