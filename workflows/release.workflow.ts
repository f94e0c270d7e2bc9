import { allHandlersFinished, CancellationScope, condition, isCancellation, workflowInfo } from '@temporalio/workflow';
import type { ReleaseInput, ReleaseStatus } from '../contracts/stages.ts';
import { privateStages, publicStages } from './activities.ts';
import { compareSource } from './compare-source.ts';
import { failureCode } from './failure-code.ts';
import { passEmbargo, passGate } from './gate.ts';
import { makePartitions } from './partitions.ts';
import { ReleaseProgress } from './release-progress.ts';
import { tellBackfill } from './tell-backfill.ts';
import { offer } from './update.ts';

/** One release: ingest, bin, privatize, derive, audit, gate, publish. */
export async function releaseWorkflow(input: ReleaseInput): Promise<ReleaseStatus> {
  const progress = new ReleaseProgress(input);
  const told = tellBackfill(progress);
  const stages = new CancellationScope();
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
  await Promise.all([condition(allHandlersFinished), told]);
  return progress.status();
}

async function runStages(progress: ReleaseProgress): Promise<void> {
  const execution = workflowInfo().firstExecutionRunId; // stays the same when the workflow is reset
  progress.setPlan(await publicStages.plan({ ...progress.run, execution }));
  await makePartitions(progress);
  const { run, correction, charge } = progress;
  const staged = { ...run, correction, charge: charge ?? '', draws: progress.draws(), holes: progress.holes() };
  progress.enter('running', 'derive');
  await publicStages.derive(staged);
  progress.enter('auditing', 'audit');
  progress.audit = await publicStages.audit({ ...staged, shadow: await privateStages.shadow(run) });
  await compareSource(progress);
  await passGate(progress, progress.audit);
  await passEmbargo(progress);
  if (progress.state === 'approved-waiting') await publish(progress, progress.audit.manifestDigest);
  else await withhold(progress);
}

async function publish(progress: ReleaseProgress, manifestDigest: string): Promise<void> {
  progress.enter('publishing', 'publish');
  const decisions = progress.decisions.map(({ digest }) => digest);
  const publishedAt = new Date().toISOString(); // the workflow's own clock: a retry says the same
  const { location } = await publicStages.publish({ ...progress.run, manifestDigest, decisions, publishedAt });
  if (progress.charge) await publicStages.commit({ ...progress.run, charge: progress.charge });
  progress.location = location;
  progress.enter('published', 'publish');
}

/** A charge whose draws may exist stays spent (C12); the ledger says that nothing was published for it. */
async function withhold(progress: ReleaseProgress): Promise<void> {
  const { run, charge, state } = progress;
  if (charge) await publicStages.withhold({ ...run, charge, reason: state });
}

/** Ends a release that was cancelled, or that no retry can save: the workflow itself completes, with its state. */
async function end(progress: ReleaseProgress, error: unknown): Promise<void> {
  if (!isCancellation(error)) progress.ending = failureCode(error);
  await CancellationScope.nonCancellable(async () => {
    if (progress.state !== 'cancelled') progress.enter(isCancellation(error) ? 'cancelled' : 'failed', progress.stage);
    await withhold(progress);
  });
}
