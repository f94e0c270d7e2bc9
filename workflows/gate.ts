import { condition, isCancellation } from '@temporalio/workflow';
import type { DecisionKind } from '../contracts/decision.ts';
import { REFUSALS_MAX } from '../contracts/stage-limits.ts';
import type { Answer, AuditResult, DecideRequest, DecideResult, ReauditRequest } from '../contracts/stages.ts';
import { publicStages } from './activities.ts';
import { offerReading, readApprovers } from './approvers.ts';
import { failureCode } from './failure-code.ts';
import { GateScreen, type TurnedAway } from './gate-screen.ts';
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
  auditAgain?: AuditAgain,
): Promise<void> {
  const decided = () => progress.state !== 'waiting' || inFavour(progress) >= progress.plan.required;
  const gate: Gate = { progress, audit, isAuditing: false, screen: new GateScreen() };
  await readApprovers(progress.run, gate.screen);
  offerDecisions(gate, favour);
  offerReading(progress, gate.screen);
  if (auditAgain) offerReaudit(gate, auditAgain);
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

/** Audits the release under the declaration of another series file, named by its digest. */
type AuditAgain = (declaration: string) => Promise<AuditResult>;

type Gate = { progress: ReleaseProgress; audit: AuditResult; isAuditing: boolean; screen: GateScreen };

/** Offers a second audit before any approval: with it comes another manifest, and that is what people decide on (C15). */
function offerReaudit(gate: Gate, auditAgain: AuditAgain): void {
  const { progress } = gate;
  const tooLate = (): TurnedAway | null => {
    const message = whyNoReaudit(gate);
    return message ? { code: 'ACTION_NOT_OFFERED', message } : null;
  };
  const serve = async ({ declaration }: ReauditRequest): Promise<Answer> => {
    gate.isAuditing = true;
    try {
      const audit = await auditAgain(declaration);
      progress.firstVerdict = gate.audit.verdict;
      gate.audit = audit;
      progress.audit = audit;
      return { accepted: true, state: progress.state };
    } catch (error) {
      if (isCancellation(error)) throw error;
      return { accepted: false, ...failureCode(error) };
    } finally {
      gate.isAuditing = false;
    }
  };
  offer(progress, 'reaudit', serve, { turnAway: tooLate, again: tooLate });
}

function whyNoReaudit({ progress, isAuditing }: Gate): string | null {
  if (isAuditing) return 'The second audit is at work.';
  if (progress.firstVerdict) return 'A release is audited again once, and this one was.';
  return progress.decisions.length > 0 ? 'Somebody has approved it, and an approval is of the audit as it was.' : null;
}

function offerDecisions(gate: Gate, favour: DecisionKind): void {
  const { progress } = gate;
  for (const action of ['approve', 'reject'] as const) {
    const kind = action === 'approve' ? favour : action;
    offer(progress, action, (request) => decide(gate, kind, request), {
      turnAway: ({ envelope }) => whileAuditing(gate) ?? usedUp(progress.refusals) ?? screened(gate, kind, envelope),
      again: () => whileAuditing(gate) ?? usedUp(progress.refusals),
    });
  }
  offer(progress, 'withdraw', () => leave(progress, 'withdrawn'));
  offer(progress, 'reopen', () => leave(progress, 'waiting'));
}

function leave(progress: ReleaseProgress, state: 'withdrawn' | 'waiting'): Answer {
  progress.enter(state, 'gate');
  return { accepted: true, state };
}

const screened = (
  { progress: { run }, audit: { manifestDigest }, screen }: Gate,
  action: DecisionKind,
  envelope: DecideRequest['envelope'],
): TurnedAway | null => screen.refusal(envelope, { ...run, manifestDigest, action }, Date.now());

const whileAuditing = ({ isAuditing }: Gate): TurnedAway | null =>
  isAuditing ? { code: 'ACTION_NOT_OFFERED', message: 'A second audit is at work; decide when it is done.' } : null;

const usedUp = (refusals: number): TurnedAway | null =>
  refusals >= REFUSALS_MAX
    ? { code: 'TOO_MANY_REFUSALS', message: 'The gate has recorded fifty refusals and takes no more.' }
    : null;

async function decide(gate: Gate, action: DecisionKind, { envelope, note }: DecideRequest): Promise<Answer> {
  const { progress, screen } = gate;
  const { manifestDigest, verdict, attention } = gate.audit;
  // The approvers could not be read when the gate opened.
  if (!screen.isKnown) {
    await readApprovers(progress.run, screen);
    const refusal = screened(gate, action, envelope);
    if (refusal) return { accepted: false, ...refusal };
  }
  const decided = progress.decisions.map(({ subject }) => subject);
  const about = { action, manifestDigest, verdict, attention, envelope, note, decided, refusals: progress.refusals };
  let result: DecideResult;
  try {
    result = await publicStages.decide({ ...progress.run, ...about });
  } catch (error) {
    // The gate stays as it was. Whoever asked is told, and asks again: a decision that was kept is found then.
    if (isCancellation(error)) throw error;
    return { accepted: false, ...failureCode(error) };
  }
  if (!result.accepted) {
    const { recorded, ...refusal } = result;
    if (!recorded) return refusal;
    progress.refusals += 1;
    screen.note(envelope);
    return refusal;
  }
  if (gate.isAuditing || gate.audit.manifestDigest !== manifestDigest)
    return { accepted: false, code: 'DIGEST_STALE', message: 'It was audited again meanwhile; look at it once more.' };
  // While the activity checked the signature, a rejection, or the same subject a second time, may have come in.
  if (progress.state !== 'waiting' || inFavour(progress) >= progress.plan.required)
    return { accepted: false, code: 'ACTION_NOT_OFFERED', message: decidedMeanwhile(progress) };
  screen.note(envelope);
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
