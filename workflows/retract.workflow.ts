import { allHandlersFinished, condition } from '@temporalio/workflow';
import { wrongReleaseInput } from '../contracts/sent-values.ts';
import type { ReleaseStatus, Run } from '../contracts/stages.ts';
import { publicStages, readFailure } from './activities.ts';
import { makeSeriesPages } from './ending.ts';
import { passGate } from './gate.ts';
import { notifyPeople } from './notify-people.ts';
import { ReleaseProgress } from './release-progress.ts';
import { refuseInput } from './requests.ts';
import { offerRetryStage, orStall } from './stall.ts';

/**
 * Takes a publication back: the same gate as before it was published, then a tombstone. Nothing is deleted, drawn or
 * charged (C13); whoever has copies can see why they should not be used.
 */
export async function retractWorkflow(run: Run): Promise<ReleaseStatus> {
  refuseInput(wrongReleaseInput(run));
  const progress = new ReleaseProgress({ ...run, correction: null });
  progress.offerStatus();
  const lastNotice = notifyPeople(progress, 'retraction');
  offerRetryStage(progress);
  try {
    const { audit, required, elsewhere, expiresAfterDays } = await publicStages.planRetraction(run);
    progress.plan = { ...progress.plan, required, elsewhere, expiresAfterDays };
    progress.audit = audit;
    // What was signed for an earlier one that was given up does not count for this one.
    const record = { openedAt: new Date().toISOString(), decisions: [], isWithdrawn: false };
    await passGate(progress, audit, record, 'retraction');
    if (progress.state === 'approved-waiting') await retract(progress, audit.manifestDigest);
  } catch (error) {
    progress.ending = readFailure(error);
    progress.enter('failed', progress.stage);
  }
  await Promise.all([condition(allHandlersFinished), lastNotice()]);
  return progress.status();
}

async function retract(progress: ReleaseProgress, manifestDigest: string): Promise<void> {
  progress.enter('publishing', 'publish');
  const decisions = progress.decisions.map(({ digest }) => digest);
  const retractedAt = new Date().toISOString(); // the workflow's own clock: a retry says the same
  // People have signed it: it is not lost, however long a store is away.
  const input = { ...progress.run, manifestDigest, decisions, retractedAt };
  await orStall(progress, () => publicStages.retract(input));
  await makeSeriesPages(progress);
  progress.enter('retracted', 'publish');
}
