import { allHandlersFinished, CancellationScope, condition, workflowInfo } from '@temporalio/workflow';
import { wrongReleaseInput } from '../contracts/sent-values.ts';
import type { ReleaseInput, ReleaseStatus } from '../contracts/stages.ts';
import { publicStages } from './activities.ts';
import { compareSource } from './compare-source.ts';
import { end, publishApproved, withholdCharge } from './ending.ts';
import { passEmbargo, passGate } from './gate.ts';
import { makePartitions } from './partitions.ts';
import { refuseInput } from './refuse-input.ts';
import { ReleaseProgress } from './release-progress.ts';
import { beginShadow } from './shadow-run.ts';
import { offerRetryStage, orStall, unlessNoWindow } from './stall.ts';
import { tellBackfill } from './tell-backfill.ts';
import { tellPeople } from './tell-people.ts';
import { offer } from './update.ts';

/** One release: ingest, bin, privatize, derive, audit, gate, publish. */
export async function releaseWorkflow(input: ReleaseInput): Promise<ReleaseStatus> {
  refuseInput(wrongReleaseInput(input));
  const progress = new ReleaseProgress(input);
  const told = tellBackfill(progress);
  const peopleTold = tellPeople(progress, 'release');
  const stages = new CancellationScope();
  offerRetryStage(progress);
  offer(progress, 'cancel', () => {
    progress.enter('cancelled', progress.stage);
    stages.cancel();
    return { accepted: true, state: progress.state };
  });
  try {
    await stages.run(() => runStages(progress));
  } catch (error) {
    await end(progress, error);
  }
  await Promise.all([condition(allHandlersFinished), told, peopleTold()]);
  return progress.status();
}

async function runStages(progress: ReleaseProgress): Promise<void> {
  const execution = workflowInfo().firstExecutionRunId; // stays the same when the workflow is reset
  progress.setPlan(await orStall(progress, () => publicStages.plan({ ...progress.run, execution }), unlessNoWindow));
  await makePartitions(progress);
  const { run, correction, charge } = progress;
  const staged = { ...run, correction, charge: charge ?? '', draws: progress.draws(), holes: progress.holes() };
  progress.enter('running', 'derive');
  const shadowRun = beginShadow(progress);
  await orStall(progress, () => publicStages.derive(staged));
  progress.enter('auditing', 'audit');
  const shadow = await orStall(progress, shadowRun);
  const audited = { ...staged, shadow };
  let isRetry = false;
  progress.audit = await orStall(progress, async () => {
    // A staged file that somebody took away comes back, and the audit compares it.
    if (isRetry) await publicStages.derive(staged);
    isRetry = true;
    return publicStages.audit(audited);
  });
  await compareSource(progress);
  const again = (declaration: string) => publicStages.reaudit({ ...audited, declaration });
  await passGate(progress, progress.audit, 'approve', again);
  await passEmbargo(progress);
  if (progress.state === 'approved-waiting') await publishApproved(progress, progress.audit.manifestDigest);
  else await withholdCharge(progress);
}
