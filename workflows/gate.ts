import { condition } from '@temporalio/workflow';
import type { DecisionKind } from '../contracts/decision.ts';
import { lastNeeded } from '../contracts/passkey.ts';
import { coolingEnd, FAVOUR, type GateKind, publicationTime, whyNot } from '../contracts/release-state.ts';
import { REFUSALS_MAX } from '../contracts/stage-limits.ts';
import {
  type Answer,
  type AuditResult,
  type DecideRequest,
  type Failure,
  type KeptDecision,
  type OpenedGate,
  READ_APPROVERS,
  type ReauditRequest,
} from '../contracts/stages.ts';
import { catchFailure, publicStages } from './activities.ts';
import { GateScreen } from './gate-screen.ts';
import type { ReleaseProgress } from './release-progress.ts';
import { offer, offerPlain, refusal } from './requests.ts';

/** Audits the release under the declaration of another series file, named by its digest. */
type AuditAgain = (declaration: string) => Promise<AuditResult>;

type Gate = { kind: GateKind; progress: ReleaseProgress; audit: AuditResult; isAuditing: boolean; screen: GateScreen };

/**
 * Waits until people have approved, rejected or withdrawn; an approval at the gate of a retraction is to retract.
 * `opened`: when the gate was opened, and what was decided at it before, as the stores say: nobody signs twice when
 * Temporal has lost the release. An expired gate can be reopened: same manifest, 0 ε. What people sign is bound to the
 * manifest digest, so a reset that applies the Updates again changes nothing.
 */
export async function passGate(
  progress: ReleaseProgress,
  audit: AuditResult,
  record: OpenedGate,
  kind: GateKind,
  auditAgain?: AuditAgain,
): Promise<void> {
  const gate: Gate = { kind, progress, audit, isAuditing: false, screen: new GateScreen() };
  await readApprovers(gate);
  offerDecisions(gate);
  offerReading(gate);
  if (auditAgain) offerReaudit(gate, auditAgain);
  progress.enter('waiting', 'gate');
  progress.decisions.push(...record.decisions);
  if (record.isWithdrawn) progress.enter('withdrawn', 'gate');
  else if (record.decisions.some(({ decision }) => decision === 'reject')) progress.enter('rejected', 'gate');
  const isDecided = () => progress.state !== 'waiting' || isApproved(progress);
  for (let since = Date.parse(record.openedAt); ; since = Date.now()) {
    const expiresAt = since + progress.plan.expiresAfterDays * 86_400_000;
    progress.expiresAt = new Date(expiresAt).toISOString();
    const rest = expiresAt - Date.now();
    if (!isDecided() && rest > 0) await condition(isDecided, rest);
    if (isDecided()) break; // asked again: a decision and the end of the time may come in one task
    progress.enter('expired', 'gate');
    await condition(() => progress.state !== 'expired');
    if (progress.state !== 'waiting') break;
  }
  if (progress.state === 'waiting') {
    // It follows from what was stored of the approvals alone: another execution of the release comes to the same time.
    const last = lastApproval(progress);
    progress.coolingUntil = last && coolingEnd(last.arrivedAt, last.coolingHours);
    progress.enter('approved-waiting', 'gate');
  }
  await passWithdrawals(progress);
}

/** Waits until every withdrawal is judged that came in time: one that was kept is not to meet a publication. */
const passWithdrawals = (progress: ReleaseProgress): Promise<void> => condition(() => progress.withdrawing === 0);

/** Waits for the day of publication, and for the end of the cooling time; a withdrawal ends the wait. */
export async function passEmbargo(progress: ReleaseProgress): Promise<void> {
  const { coolingUntil, plan } = progress;
  const moment = publicationTime({ ...plan, coolingUntil });
  if (progress.state !== 'approved-waiting' || moment === null) return;
  const wait = Date.parse(moment) - Date.now();
  if (wait > 0) await condition(() => progress.state !== 'approved-waiting', wait);
  await passWithdrawals(progress);
}

/** The approval with which there were enough; null: there are not enough yet. */
const lastApproval = ({ decisions, plan }: ReleaseProgress): KeptDecision | null =>
  lastNeeded(
    decisions.filter(({ decision }) => decision !== 'reject'),
    plan,
  );

const isApproved = (progress: ReleaseProgress): boolean => lastApproval(progress) !== null;

/** Reads who may sign at the gate now. When it cannot be read the gate stays as it was, and reads it again later. */
async function readApprovers({ progress, screen }: Gate): Promise<void> {
  screen.begin(Date.now()); // at once, so that of many who ask together one is served
  const list = await publicStages.approvers(progress.run).catch(catchFailure);
  if (!('code' in list)) screen.approvers = list;
}

/**
 * Offers to read the approvers again: a person whose key is new asks for it before the decision counts. Why an Update:
 * whoever asks decides after the answer. It carries nothing, and the pauses between two readings keep the history short.
 */
function offerReading(gate: Gate): void {
  const serve = async (): Promise<Answer> => {
    await readApprovers(gate);
    return gate.progress.accepted();
  };
  offerPlain(READ_APPROVERS, 'read the approvers again', serve, () => {
    const seconds = Math.ceil(gate.screen.pause(Date.now()) / 1000);
    return seconds > 0 ? `The approvers were read a moment ago; they can be read again in ${seconds} s.` : null;
  });
}

/** Offers a second audit before any approval: with it comes another manifest, and that is what people decide on (C15). */
function offerReaudit(gate: Gate, auditAgain: AuditAgain): void {
  const { progress } = gate;
  const serve = async ({ declaration }: ReauditRequest): Promise<Answer> => {
    gate.isAuditing = true;
    const audit = await auditAgain(declaration).catch(catchFailure);
    gate.isAuditing = false;
    if ('code' in audit) return { accepted: false, ...audit };
    progress.firstVerdict = gate.audit.verdict;
    gate.audit = audit;
    progress.audit = audit;
    return progress.accepted();
  };
  offer(progress, 'reaudit', serve, () => refusal('ACTION_NOT_OFFERED', whyNoReaudit(gate)));
}

function whyNoReaudit({ progress, isAuditing }: Gate): string | null {
  if (isAuditing) return 'The second audit is at work.';
  if (progress.firstVerdict) return 'A release is audited again once, and this one was.';
  return progress.decisions.length > 0 ? 'Somebody has approved it, and an approval is of the audit as it was.' : null;
}

function offerDecisions(gate: Gate): void {
  const { progress } = gate;
  for (const action of ['approve', 'reject', 'withdraw', 'reopen'] as const) {
    const kind = action === 'approve' ? FAVOUR[gate.kind] : action;
    offer(
      progress,
      action,
      (request) => decide(gate, kind, request),
      // The activity judges what is served: it has the newest list of approvers.
      ({ envelope }, isServed) => whyClosed(gate, kind) ?? (isServed ? null : screenDecision(gate, kind, envelope)),
    );
  }
}

const screenDecision = (
  { kind, progress: { run }, audit: { manifestDigest }, screen }: Gate,
  action: DecisionKind,
  envelope: DecideRequest['envelope'],
): Failure | null => screen.refusal(envelope, { ...run, manifestDigest, gate: kind, action }, Date.now());

/** Why the gate takes no decision at all; to withdraw is always possible. */
function whyClosed({ isAuditing, progress }: Gate, action: DecisionKind): Failure | null {
  if (isAuditing) return { code: 'ACTION_NOT_OFFERED', message: 'A second audit is at work; decide when it is done.' };
  return progress.refusals >= REFUSALS_MAX && action !== 'withdraw'
    ? { code: 'TOO_MANY_REFUSALS', message: 'The gate has recorded fifty refusals and takes no more.' }
    : null;
}

async function decide(gate: Gate, action: DecisionKind, { envelope, note }: DecideRequest): Promise<Answer> {
  const { progress, screen, audit } = gate;
  // The approvers could not be read when the gate opened.
  if (!screen.approvers) {
    await readApprovers(gate);
    const failure = screenDecision(gate, action, envelope);
    if (failure) return { accepted: false, ...failure };
  }
  const choice = action === 'retract' ? 'approve' : action;
  const subjects = progress.decisions.map(({ subject }) => subject);
  const about = { gate: gate.kind, action, ...audit, envelope, note, decided: subjects, refusals: progress.refusals };
  if (action === 'withdraw') progress.withdrawing += 1;
  const result = await publicStages
    .decide({ ...progress.run, ...about })
    // The gate stays as it was. Whoever asked learns of it, and asks again: a decision that was kept is found then.
    .catch((error) => ({ accepted: false as const, ...catchFailure(error), recorded: false }));
  if (action === 'withdraw') progress.withdrawing -= 1;
  if (!result.accepted) {
    const { recorded, ...refused } = result;
    if (recorded) {
      progress.refusals += 1;
      screen.note(envelope);
    }
    return refused;
  }
  if (gate.isAuditing || gate.audit.manifestDigest !== audit.manifestDigest)
    return { accepted: false, code: 'DIGEST_STALE', message: 'It was audited again meanwhile; look at it once more.' };
  // While the activity checked the signature, a rejection, or the last approval, may have come in: also in this task,
  // in which the gate has not gone on yet.
  const isOver = progress.state === 'waiting' && isApproved(progress);
  if (whyNot(choice, progress.state) !== null || (choice !== 'withdraw' && isOver))
    return { accepted: false, code: 'ACTION_NOT_OFFERED', message: whyTooLate(progress) };
  screen.note(envelope);
  const { accepted, ...decision } = result;
  progress.onDecision(decision.digest);
  const next = NEXT[choice];
  if (next) progress.enter(next, 'gate');
  if (choice === 'withdraw' || choice === 'reopen') return progress.accepted();
  if (!progress.decisions.some(({ subject }) => subject === decision.subject)) progress.decisions.push(decision);
  return progress.accepted();
}

/** State that a decision brings a gate to by itself. */
const NEXT = { approve: null, reject: 'rejected', withdraw: 'withdrawn', reopen: 'waiting' } as const;

const whyTooLate = ({ state }: ReleaseProgress): string =>
  state === 'waiting'
    ? 'Others have approved the release meanwhile: it takes no further decision.'
    : `Others have decided meanwhile: the release is ${state} by now.`;
