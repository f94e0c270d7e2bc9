import { condition, isCancellation } from '@temporalio/workflow';
import type { DecisionKind } from '../contracts/decision.ts';
import { REFUSALS_MAX } from '../contracts/stage-limits.ts';
import type { Answer, AuditResult, DecideRequest, DecideResult } from '../contracts/stages.ts';
import { publicStages } from './activities.ts';
import { failureCode } from './failure-code.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer } from './update.ts';

/**
 * Waits until people have approved, rejected or withdrawn. `favour` is what an approval has to say: of a publication it
 * is to retract it. An expired gate can be reopened: same manifest, 0 ε. The
 * approvals are bound to the manifest digest, so a reset that applies the Updates again changes nothing.
 */
export async function passGate(
  progress: ReleaseProgress,
  audit: AuditResult,
  favour: Exclude<DecisionKind, 'reject'> = 'approve',
): Promise<void> {
  const decided = () => progress.state !== 'waiting' || inFavour(progress) >= progress.plan.required;
  offerDecisions(progress, audit, favour);
  progress.enter('waiting', 'gate');
  for (;;) {
    const open = progress.plan.expiresAfterDays * 86_400_000;
    progress.expiresAt = new Date(Date.now() + open).toISOString();
    if (await condition(decided, open)) break;
    progress.enter('expired', 'gate');
    await condition(() => progress.state !== 'expired');
    if (progress.state !== 'waiting') break;
  }
  if (progress.state === 'waiting') progress.enter('approved-waiting', 'gate');
}

/** Waits for the day of publication; a withdrawal ends the wait. */
export async function passEmbargo(progress: ReleaseProgress): Promise<void> {
  if (progress.state !== 'approved-waiting' || !progress.plan.publishNotBefore) return;
  const wait = Date.parse(progress.plan.publishNotBefore) - Date.now();
  if (wait > 0) await condition(() => progress.state !== 'approved-waiting', wait);
}

const inFavour = (progress: ReleaseProgress): number =>
  new Set(progress.decisions.filter(({ decision }) => decision !== 'reject').map(({ subject }) => subject)).size;

function offerDecisions(progress: ReleaseProgress, audit: AuditResult, favour: DecisionKind): void {
  for (const action of ['approve', 'reject'] as const) {
    offer(
      progress,
      action,
      (request) => decide(progress, audit, action === 'approve' ? favour : action, request),
      (request) => malformed(progress, request),
    );
  }
  offer(progress, 'withdraw', () => leave(progress, 'withdrawn'));
  offer(progress, 'reopen', () => leave(progress, 'waiting'));
}

function leave(progress: ReleaseProgress, state: 'withdrawn' | 'waiting'): Answer {
  progress.enter(state, 'gate');
  return { accepted: true, state };
}

async function decide(
  progress: ReleaseProgress,
  { manifestDigest, verdict, attention }: AuditResult,
  action: DecisionKind,
  { envelope, note }: DecideRequest,
): Promise<Answer> {
  const decided = progress.decisions.map(({ subject }) => subject);
  const refusals = progress.refusals;
  const about = { action, manifestDigest, verdict, attention, envelope, note, decided, refusals };
  let result: DecideResult;
  try {
    result = await publicStages.decide({ ...progress.run, ...about });
  } catch (error) {
    // The gate stays as it was. Whoever asked is told, and asks again: a decision that was kept is found then.
    if (isCancellation(error)) throw error;
    return { accepted: false, ...failureCode(error) };
  }
  if (!result.accepted) {
    progress.refusals += 1;
    return result;
  }
  // While the activity checked the signature, a rejection, or the same subject a second time, may have come in.
  if (progress.state !== 'waiting' || inFavour(progress) >= progress.plan.required)
    return { accepted: false, code: 'ACTION_NOT_OFFERED', message: decidedMeanwhile(progress) };
  if (!progress.decisions.some(({ subject }) => subject === result.subject)) {
    const { subject, decision, reason, digest } = result;
    progress.decisions.push({ subject, decision, reason, digest });
  }
  if (result.decision === 'reject') progress.enter('rejected', 'gate');
  return { accepted: true, state: progress.state };
}

const decidedMeanwhile = ({ state }: ReleaseProgress): string =>
  state === 'waiting'
    ? 'Others have approved the release meanwhile; it needs no further approval.'
    : `Others have decided meanwhile: the release is ${state} by now.`;

function malformed(progress: ReleaseProgress, request: DecideRequest): string | null {
  if (progress.refusals >= REFUSALS_MAX) return 'The gate has recorded fifty refusals and takes no more.';
  if (typeof request.envelope?.payload !== 'string' || typeof request.note !== 'string')
    return 'A decision needs a signed envelope and a note.';
  return null;
}
