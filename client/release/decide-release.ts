import type { DecisionKind, Envelope, Reason } from '../../contracts/decision.ts';
import { OpalineError, wrongUse } from '../../contracts/errors.ts';
import { type ReleaseReference, releasePath } from '../../contracts/names.ts';
import { type GateKind, whyNot } from '../../contracts/release-state.ts';
import type { Answer } from '../../contracts/stages.ts';
import { findRelease, requireAuditedRelease } from '../../services/publication/audited-release.ts';
import {
  decisionStatement,
  isOverManifest,
  readDecision,
  statementBytes,
  usualGate,
} from '../../services/signing/decision-statement.ts';
import { decisionWords } from '../../services/signing/decision-words.ts';
import { passkeyChallenge, signEnvelope } from '../../services/signing/envelope.ts';
import { readPrivateKey } from '../../services/signing/keys.ts';
import type { OpalineClient } from '../opaline-client.ts';
import { refuse, type SignedAction } from '../workflow-calls.ts';
import { decisionBasis, requireApprovable, type Signer } from './decision-basis.ts';
import { askRetraction, retractionStatus, sendRetraction } from './retract-release.ts';

/** What a person wants to say at a gate of a release. */
export type DecisionWish = {
  release: ReleaseReference;
  /** Absent: that of a publication, unless it is to retract. */
  gate?: GateKind | undefined;
  decision: DecisionKind;
  reason: Reason;
  /** What everybody sees with a retraction, for ever. */
  sentence?: string | undefined;
  acknowledged?: readonly string[];
  /** Digest of the manifest that the person was shown, where one was. */
  shown?: string | null;
};

/** What each decision asks of the workflow that keeps the gate. */
const actionOf = (decision: DecisionKind): SignedAction => (decision === 'retract' ? 'approve' : decision);

/**
 * The exact statement that a person is to sign, with its words, made of nothing else, and what a passkey is asked to
 * sign, in base64url; or why the gate does not take it. The digest is that of the audited manifest, read from the signed
 * receipt of the audit: not one that the workflow or the release store names; and it has to be the one that the person
 * was shown. Throws USAGE, SUBJECT_UNKNOWN, RELEASE_UNKNOWN, and COPY_DIFFERS or
 * VERIFICATION_FAILED when what is to be decided on is not what was audited.
 *
 * @contract C16
 */
export async function statementToSign(client: OpalineClient, wish: DecisionWish, signer: Signer) {
  const { release, decision, reason, sentence, acknowledged = [], shown = null } = wish;
  const gate = wish.gate ?? usualGate(decision);
  const refusal = decision === 'retract' ? null : await whyNotOffered(client, { ...wish, gate });
  if (refusal) return refuse('ACTION_NOT_OFFERED', refusal);
  const { manifestDigest, manifest } = await readAudited(client, wish);
  if (shown !== null && shown !== manifestDigest)
    throw new OpalineError(
      'VERIFICATION_FAILED',
      'The release was audited again since it was shown; nothing is signed. Look at it once more.',
    );
  const { passkeys, isOwn, ...basis } = await decisionBasis(client, { ...manifest, manifestDigest, gate }, signer);
  if (isOwn && decision === 'approve')
    return refuse(
      'OWN_RELEASE',
      `${basis.subject} started this release, and the trust file has another approve it; nothing is signed.`,
    );
  const terms = { gate, decision, reason, sentence, acknowledged, ...basis };
  const statement = statementBytes(decisionStatement({ release, manifestDigest, ...terms }));
  const challenge = passkeyChallenge(statement).toString('base64url');
  return { subject: basis.subject, statement, words: decisionWords(statement), challenge, passkeys };
}

/** What the statement is made from. An approval is of files that are all there as they were audited. */
async function readAudited(client: OpalineClient, { release, decision }: DecisionWish) {
  if (decision === 'approve') return requireApprovable(client, release);
  if (decision !== 'retract') return requireAuditedRelease(client, release);
  const audit = await findRelease(client, release);
  if (audit) return audit;
  throw new OpalineError('RELEASE_UNKNOWN', `There is no release ${releasePath(release)} that could be public.`);
}

async function whyNotOffered(
  client: OpalineClient,
  { release, gate, decision, acknowledged = [] }: DecisionWish,
): Promise<string | null> {
  const { state, attention } =
    gate === 'retraction' ? await retractionStatus(client, release) : await client.status(release);
  const refusal = whyNot(actionOf(decision), state);
  if (refusal === null) requirePoints(acknowledged, attention);
  return refusal;
}

/**
 * Sends a decision to the gate that it names; who signed it, and where, is the gate's business. `note`: free text, kept
 * in the release store and never published. A retraction is begun with the first decision for it. Throws
 * SIGNATURE_INVALID for what is no decision, and USAGE for one that does not name the release.
 */
export async function sendDecision(
  client: OpalineClient,
  release: ReleaseReference,
  envelope: Envelope,
  note: string,
): Promise<Answer> {
  const { predicate, subject } = readDecision(envelope);
  if (!predicate.releases.includes(releasePath(release))) throw wrongUse('The decision is on another release.');
  const { gate, decision } = predicate;
  const request = { envelope, note };
  if (gate === 'publication') return client.ask(release, actionOf(decision), request);
  if (decision !== 'retract') return askRetraction(client, release, actionOf(decision), request);
  const audit = await findRelease(client, release);
  if (!audit || !isOverManifest({ subject }, { ...release, manifestDigest: audit.manifestDigest }))
    return refuse('DIGEST_STALE', 'The decision names another manifest than the audited one.');
  return sendRetraction(client, { ...release, seriesDigest: audit.manifest.seriesDigest }, request);
}

/** Signs a decision with a key file (PKCS#8 PEM) and sends it; `note` as in sendDecision. Throws KEY_INVALID too. */
export async function decideRelease(
  client: OpalineClient,
  { note, privateKey, ...wish }: DecisionWish & { note: string; privateKey: string },
): Promise<Answer> {
  readPrivateKey(privateKey); // a file that is no key is reported first
  const draft = await statementToSign(client, wish, { privateKey });
  if ('accepted' in draft) return draft;
  return sendDecision(client, wish.release, signEnvelope(draft.statement, privateKey), note);
}

/** A misspelt point would be in a public statement as if somebody had read it. Throws USAGE. */
function requirePoints(claims: readonly string[], attention: readonly string[]): void {
  const stranger = claims.find((point) => !attention.includes(point));
  if (stranger === undefined) return;
  const points = attention.length > 0 ? `its points are ${attention.join(', ')}` : 'it has none';
  throw wrongUse(`${stranger} is no attention point of the release; ${points}.`);
}
