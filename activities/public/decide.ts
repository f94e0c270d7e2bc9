import type { Decision } from '../../contracts/decision.ts';
import { OpalineError } from '../../contracts/errors.ts';
import { REFUSALS_MAX } from '../../contracts/stage-limits.ts';
import { badSignature, type DecideInput, type DecideResult, type Failure, type Run } from '../../contracts/stages.ts';
import { reserveOfRelease } from '../../core/ledger/budget.ts';
import {
  type DecisionRecord,
  putDecisionRecord,
  putRefusalRecord,
  readDecisionRecord,
} from '../../services/decisions/decision-record.ts';
import { type Gate, gateFor, judgeSigner, requireArrival } from '../../services/decisions/gate-signers.ts';
import { gateTurns } from '../../services/decisions/gate-turns.ts';
import { whyNoApproval } from '../../services/decisions/kept-decisions.ts';
import { readGrounds } from '../../services/release/drawn-release.ts';
import type { PublicContext } from '../../services/release/public-context.ts';
import { ownerOf } from '../../services/signing/credential.ts';
import { envelopeDigest, isOverManifest, readDecision } from '../../services/signing/decision-statement.ts';
import { isSameSubject } from '../../services/signing/subjects.ts';
import { readSeries } from '../../services/stores/series-objects.ts';
import { newestVersion } from '../../services/trust/trust-chain.ts';
import {
  type Approver,
  coolingAt,
  elsewhereAt,
  isSignedByApprover,
  quorumAt,
} from '../../services/trust/trusted-approvers.ts';

const TOO_MANY: Failure = {
  code: 'TOO_MANY_REFUSALS',
  message: 'The gate has recorded fifty refusals and takes no more decisions; talk to the operators.',
};

/**
 * Checks a signed decision and keeps it, or answers why it is refused. A refusal is recorded, and counts, when an
 * approver of the trust file has signed the decision, over this manifest and for this action: anybody can send the rest,
 * and it leaves no trace. A record in the store is believed only when its signature holds. It throws only when a store
 * or the trust file fails.
 *
 * Safe to run twice: a decision that was kept is accepted again, so that a retry after a crash gives the first answer and
 * not ALREADY_DECIDED. The same envelope sent again later gets that answer too: whoever counts decisions counts distinct
 * subjects.
 *
 * @contract C16
 * @contract safe-to-retry
 */
export async function decide(context: PublicContext, input: DecideInput): Promise<DecideResult> {
  const decision = readStatement(input);
  if ('code' in decision) return dismiss(decision);
  const mistake = staleness(input, decision) ?? wrongAction(input, decision);
  if (mistake) return dismiss(mistake);
  const gate = await gateOf(context, input);
  const signer = judgeSigner(gate, decision, input.envelope);
  if ('code' in signer && !isSignedByApprover(newestVersion(gate.trust), decision, input.envelope))
    return dismiss(signer);
  const own = envelopeDigest(input.envelope);
  const turns = await gateTurns(gate, input);
  const before = [...turns.withdrawals, ...(input.action === 'reopen' ? turns.reopenings : [])];
  const isBehind = before.some((turn) => turn !== own && !decision.predicate.after.includes(turn));
  const entry = 'code' in signer || isBehind ? null : await readDecisionRecord(context.releaseStore, input, own);
  if (entry && !('code' in signer)) return accept(gate, input, decision, signer, entry);

  if (input.refusals >= REFUSALS_MAX && input.action !== 'withdraw') return dismiss(TOO_MANY);
  if ('code' in signer) return refuse(context, input, decision, signer);
  const refusal = isBehind ? BEHIND : whyNotNow(gate, input, decision, signer);
  if (refusal) return refuse(context, input, decision, refusal);
  const arrival = { at: context.now(), publisherKey: context.publisherKey };
  const record = await putDecisionRecord(context.releaseStore, input, input, arrival);
  return accept(gate, input, decision, signer, record);
}

/** A statement of the time before somebody withdrew or reopened: whoever sends it may have kept it since. */
const BEHIND: Failure = {
  code: 'DIGEST_STALE',
  message: 'Somebody has withdrawn or reopened it since the decision was signed; look again, and sign again.',
};

const dismiss = (refusal: Failure): DecideResult => ({ accepted: false, recorded: false, ...refusal });

/** What decisions on the release are judged by now. */
export async function gateOf(context: PublicContext, input: Run): Promise<Gate> {
  const grounds = await readGrounds(context, await readSeries(context.releaseStore, input));
  const chargedAt = reserveOfRelease(grounds.ledger.entries, input)?.sequence ?? 0;
  return gateFor({ ...grounds, chargedAt }, input);
}

/** Throws COPY_DIFFERS when somebody else has put the record there. */
function accept(
  gate: Gate,
  input: DecideInput,
  statement: Decision,
  signer: Approver,
  record: DecisionRecord,
): DecideResult {
  const { decision, reason } = statement.predicate;
  return {
    accepted: true,
    ...ownerOf(signer),
    decision,
    reason,
    digest: envelopeDigest(input.envelope),
    arrivedAt: requireArrival(gate, statement, record),
    coolingHours: input.gate === 'publication' ? coolingAt(gate) : 0,
  };
}

async function refuse(
  { releaseStore }: PublicContext,
  input: DecideInput,
  { predicate: { subject } }: Decision,
  refusal: Failure,
): Promise<DecideResult> {
  const record = { code: refusal.code, subject, envelope: input.envelope };
  await putRefusalRecord(releaseStore, input, input.refusals + 1, record);
  return { accepted: false, recorded: true, ...refusal };
}

function readStatement({ envelope }: DecideInput): Decision | Failure {
  try {
    return readDecision(envelope);
  } catch (error) {
    if (!(error instanceof OpalineError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** A decision on another manifest, or another release, says nothing about this one. */
function staleness(input: DecideInput, decision: Decision): Failure | null {
  if (isOverManifest(decision, input)) return null;
  return { code: 'DIGEST_STALE', message: 'The decision names another manifest than the one at the gate; look again.' };
}

function wrongAction({ gate, action }: DecideInput, { predicate }: Decision): Failure | null {
  if (predicate.decision === action && predicate.gate === gate) return null;
  return badSignature(
    `The signed statement says ${predicate.decision} at the gate of a ${predicate.gate}, but it was sent to ${action} at that of a ${gate}.`,
  );
}

/** Why a decision that an approver signed, on the right manifest, does not count; null when it does. */
function whyNotNow(gate: Gate, input: DecideInput, decision: Decision, signer: Approver): Failure | null {
  // A key has one owner in the trust file, so that one person is one name.
  const isTurn = input.action === 'withdraw' || input.action === 'reopen';
  if (!isTurn && input.decided.some((subject) => isSameSubject(subject, signer.subject)))
    return { code: 'ALREADY_DECIDED', message: 'The subject has decided on this manifest before.' };
  const quorum = quorumAt(gate);
  if (decision.predicate.required < quorum)
    return badSignature(
      `The decision asks for ${decision.predicate.required} approvals, and ${quorum} are required; sign again.`,
    );
  const elsewhere = elsewhereAt(gate);
  if (decision.predicate.elsewhere < elsewhere)
    return badSignature(
      `The decision asks for ${decision.predicate.elsewhere} approvals made elsewhere, and ${elsewhere} are required; sign again.`,
    );
  return input.action === 'approve' ? whyNoApproval(input, decision) : null;
}
