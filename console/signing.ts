import type { Hono } from 'hono';
import { type DecisionWish, sendDecision, statementToSign } from '../client/release/decide-release.ts';
import { passkeyEnvelope } from '../client/release/passkey-envelope.ts';
import { on } from '../client/workflow-calls.ts';
import { DECISION_REASONS, DECISIONS, type DecisionKind, type Envelope } from '../contracts/decision.ts';
import { OpalineError } from '../contracts/errors.ts';
import type { Passkey } from '../contracts/formats/trust.ts';
import { type ReleaseReference, releasePath } from '../contracts/names.ts';
import { readStatement } from '../services/signing/decision-statement.ts';
import type { Asked, ConsoleEnv } from './access.ts';
import { outcomeOf } from './actions.ts';
import { reviewAddress } from './frame.ts';
import { effectWords, signPage } from './pages/sign-page.ts';
import { pageRefusal, refusalPage } from './pages/small-pages.ts';
import { clean } from './safe-text.ts';
import type { OpenStatement } from './sessions.ts';
import { type ConsoleTools, NOT_HERE, releaseOf, sessionOf } from './tools.ts';

/** A statement is to be signed within so long. */
const OPEN_MS = 10 * 60_000;

/** Characters of what a person writes for the record. */
const MOST_NOTE = 2000;

/**
 * Signing by passkey: a form asks for a statement, its page shows the words of the very bytes, and what an authenticator
 * has signed is sent to the gate as it is. The gate and every reader check it; nothing here can sign or approve.
 *
 * @contract C16
 */
export function addSigning(app: Hono<ConsoleEnv>, tools: ConsoleTools, now: () => number): void {
  const { data } = tools;

  app.post('/releases/:series/:window/:version/statement', async (c) => {
    const release = releaseOf(c);
    if (!release) return tools.refuse(c, NOT_HERE);
    const form = await c.req.parseBody({ all: true });
    const decision = DECISIONS.find((one) => one === form.decision);
    if (!decision) return tools.refuse(c, NOT_HERE);
    const back = reviewAddress(releasePath(release));
    const { person, challenges } = sessionOf(c);
    const refuse = (code: string, text: string) =>
      tools.settle(c, { done: false, code, text }, decision, releasePath(release), back);
    if (!person.roles.includes('approver')) return refuse('ROLE_MISSING', 'Approvers sign, and nobody else.');
    const note = textOf(form.note).slice(0, MOST_NOTE).trim();
    sessionOf(c).draft = { release: releasePath(release), form };
    if (!DECISION_REASONS[decision].some((one) => one === form.reason))
      return refuse('REASON_MISSING', 'Choose a public reason first: it is signed, and everybody can read it.');
    if (note === '') return refuse('NOTE_MISSING', 'Say why, in a few words of your own.');
    const wish = wishOf(release, decision, form);
    const status = await data.client.status(release);
    const open = decision === 'approve' ? status.attention.filter((one) => !wish.acknowledged?.includes(one)) : [];
    if (open.length > 0)
      return refuse('ATTENTION_NOT_ACKNOWLEDGED', `To be acknowledged by itself: ${open.join(', ')}.`);
    const answer = await refusalInstead(() => statementToSign(data.client, wish, { subject: person.subject }));
    if ('accepted' in answer) return refuse(answer.code, answer.message);
    const { statement, words, challenge, passkeys } = answer;
    for (const [name, { at }] of challenges) if (now() - at > OPEN_MS) challenges.delete(name);
    const effect = effectWords(readStatement(statement).predicate, status);
    challenges.set(challenge, { release, decision, statement, words, effect, passkeys, note, at: now() });
    return c.redirect(`/sign/${challenge}`, 303);
  });

  app.get('/sign/:challenge', async (c) => {
    const open = openStatement(c, now());
    if (!open) return tools.show(c, refusalPage(GONE));
    // What is signed is shown letter for letter: nothing is cut, and no word takes the place of another.
    return tools.show(c, signPage(open, c.req.param('challenge'), sessionOf(c)));
  });

  app.post('/sign/:challenge', async (c) => {
    const open = openStatement(c, now());
    if (!open) return tools.refuse(c, GONE);
    const { release, decision, statement, passkeys, note } = open;
    const body: unknown = await c.req.json().catch(() => null);
    const answer = await refusalInstead(async () => {
      const envelope = envelopeOf(statement, passkeys, body);
      // One touch is for one statement, whatever becomes of it.
      sessionOf(c).challenges.delete(c.req.param('challenge'));
      return sendDecision(data.client, release, envelope, note);
    });
    if (answer.accepted) sessionOf(c).draft = null;
    const outcome = outcomeOf(answer, `Your decision is signed and recorded: ${decision}.`);
    data.forget();
    await tools.record(c, decision, releasePath(release), outcome.done ? null : outcome.code);
    sessionOf(c).flash = clean(outcome);
    return c.json({ ...clean(outcome), next: reviewAddress(releasePath(release)) }, outcome.done ? 200 : 409);
  });
}

const GONE = pageRefusal(
  404,
  'STATEMENT_GONE',
  'There is no such statement of this session, or it is too old. Begin at the review of the release.',
);

function openStatement(c: Asked, now: number): OpenStatement | null {
  const open = sessionOf(c).challenges.get(c.req.param('challenge') ?? '');
  return open && now - open.at <= OPEN_MS ? open : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a person wants to say, as the form has it; the client and the gate judge it. */
function wishOf(release: ReleaseReference, decision: DecisionKind, form: Record<string, unknown>): DecisionWish {
  const reasons = DECISION_REASONS[decision];
  const points = [form.acknowledge ?? []].flat().map(textOf);
  const reason = reasons.find((one) => one === form.reason) ?? reasons[0];
  const sentence = textOf(form.sentence).trim();
  return {
    release,
    decision,
    acknowledged: points,
    reason,
    gate: form.gate === 'retraction' ? 'retraction' : undefined,
    ...(decision === 'retract' && sentence !== '' && { sentence }),
    shown: textOf(form.shown) || null,
  };
}

/** The envelope of what a browser sent. Throws SIGNATURE_INVALID. */
function envelopeOf(statement: Buffer, passkeys: readonly Passkey[], body: unknown): Envelope {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const bytes = (name: string): Buffer => Buffer.from(textOf(fields[name]), 'base64url');
  const passkey = passkeys.find(({ credentialId }) => credentialId === fields.credentialId);
  if (!passkey) throw new OpalineError('SIGNATURE_INVALID', 'This passkey is not one of yours in the trust file.');
  return passkeyEnvelope(statement, passkey, {
    authenticatorData: bytes('authenticatorData'),
    clientDataJSON: bytes('clientDataJSON'),
    signature: bytes('signature'),
  });
}

/** What is refused by a code is an answer here: the page says it, and the log keeps it. */
const refusalInstead = <Given>(ask: () => Promise<Given>) =>
  ask().catch(on(OpalineError, ({ code, message }) => ({ accepted: false as const, code, message })));
