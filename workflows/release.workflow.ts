import { allHandlersFinished, CancellationScope, condition, workflowInfo } from '@temporalio/workflow';
import { wrongReleaseInput } from '../contracts/sent-values.ts';
import type { ReleaseInput, ReleaseStatus, Run, SourceChanges } from '../contracts/stages.ts';
import { catchFailure, privateStages, publicStages } from './activities.ts';
import { end, publishApproved, withholdCharge } from './ending.ts';
import { passEmbargo, passGate } from './gate.ts';
import { notifyChanges, notifyPeople, reportToBackfill } from './notify-people.ts';
import { makePartitions } from './partitions.ts';
import { ReleaseProgress } from './release-progress.ts';
import { offer, refuseInput } from './requests.ts';
import { offerRetryStage, orStall, unlessNoWindow } from './stall.ts';

/** One release: ingest, bin, privatize, derive, audit, gate, publish. */
export async function releaseWorkflow(input: ReleaseInput): Promise<ReleaseStatus> {
  refuseInput(wrongReleaseInput(input));
  const progress = new ReleaseProgress(input);
  progress.offerStatus();
  const lastReport = reportToBackfill(progress);
  const lastNotice = notifyPeople(progress, 'release');
  const stages = new CancellationScope();
  offerRetryStage(progress);
  offer(progress, 'cancel', () => {
    progress.enter('cancelled', progress.stage);
    stages.cancel();
    return progress.accepted();
  });
  try {
    await stages.run(() => runStages(progress));
  } catch (error) {
    await end(progress, error);
  }
  await Promise.all([condition(allHandlersFinished), lastReport, lastNotice()]);
  return progress.status();
}

async function runStages(progress: ReleaseProgress): Promise<void> {
  const { correction } = progress;
  const execution = workflowInfo().firstExecutionRunId; // stays the same when the workflow is reset
  progress.setPlan(
    await orStall(progress, () => publicStages.plan({ ...progress.run, correction, execution }), unlessNoWindow),
  );
  await makePartitions(progress);
  const { run, charge } = progress;
  const input = { ...run, correction, charge: charge ?? '' };
  progress.enter('running', 'derive');
  await orStall(progress, () => publicStages.derive(input));
  progress.enter('auditing', 'audit');
  let isRetry = false;
  progress.audit = await orStall(progress, async () => {
    // What somebody took away comes back: a staged file, which the audit compares, and receipts of shadow runs.
    if (isRetry) await privateStages.shadow(run);
    if (isRetry) await publicStages.derive(input);
    isRetry = true;
    return publicStages.audit(input);
  });
  // Approvers are to know which objects were replaced since ingest. What cannot be compared stops no release (C13).
  const changes = await privateStages.changedObjects(run).catch(catchFailure);
  if (!('code' in changes)) progress.sourceChanges = changes;
  const again = (declaration: string) => publicStages.reaudit({ ...input, declaration });
  const { firstVerdict, ...audit } = progress.audit;
  progress.firstVerdict = firstVerdict;
  const openedAt = new Date().toISOString(); // the workflow's own clock: a retry says the same
  const record = await orStall(progress, () => publicStages.openGate({ ...run, ...audit, openedAt }));
  await passGate(progress, audit, record, 'publication', again);
  await passEmbargo(progress);
  if (progress.state === 'approved-waiting') await publishApproved(progress, progress.audit.manifestDigest);
  else await withholdCharge(progress);
}

/**
 * Asks the private worker, at any time after ingest, what has changed in the source of a release. `scheduledAt`: a
 * schedule asks, at this time, and people are notified.
 */
export async function sourceCheckWorkflow(run: Run, scheduledAt?: string): Promise<SourceChanges> {
  refuseInput(wrongReleaseInput(run));
  const changes = await privateStages.changedObjects(run);
  if (scheduledAt !== undefined) await notifyChanges(run, changes, scheduledAt);
  return changes;
}
