import { html } from 'hono/html';
import { DECISION_REASONS, type DecisionKind } from '../../contracts/decision.ts';
import { releasePath } from '../../contracts/names.ts';
import { actionForm, type ConsolePage, type Html, releaseAddress, reviewAddress } from '../frame.ts';
import type { OpenStatement, Session } from '../sessions.ts';
import type { ReviewData } from './review.ts';

/** The forms with which an approver says what to sign; what others read in their place. */
export function decisionForms({ release, review, briefing }: ReviewData, session: Session): Html {
  const { canSign, state, verdict, release: name } = release;
  if (!session.person.roles.includes('approver'))
    return html`<p>Approvers decide, each with a passkey or a key file of their own. Nobody can in their place.</p>`;
  const isNamed = briefing.people?.others.includes(session.person.subject) ?? true;
  const shownDigest = review.manifestDigest;
  const form = (decision: DecisionKind, label: string, more: Partial<FormParts> = {}) =>
    decisionForm(session, { decision, label, name, shown: shownDigest, ...more });
  const forms = [
    ...(canSign.approve
      ? [form('approve', 'Approve …', { points: pointsOf(briefing), reason: approveReason(briefing) })]
      : []),
    ...(canSign.reject ? [form('reject', 'Reject …', { style: 'danger' })] : []),
    ...(canSign.withdraw ? [form('withdraw', 'Withdraw …', { style: 'danger' })] : []),
    ...(canSign.reopen ? [form('reopen', 'Offer it again …')] : []),
    ...(canSign.retract ? [form('retract', 'Retract …', { style: 'danger', sentence: true })] : []),
    ...(canSign.withdrawRetraction
      ? [form('withdraw', 'Withdraw the retraction …', { style: 'danger', gate: 'retraction' })]
      : []),
  ];
  return html`${verdict === 'fail' && state === 'waiting' ? html`<p class="notice fail">The audit failed: nobody can approve this release.</p>` : ''}
${isNamed || forms.length === 0 ? '' : html`<p class="notice attention">${session.person.subject} is not among those who could sign now: the trust file has no key of that name, or it has signed.</p>`}
${forms.length === 0 ? html`<p>In this state there is nothing to decide.</p>` : forms}
<p class="soft">The next page shows the exact words that you sign. With a key file it is <code>opaline approve ${name} --key KEY.pem</code>.</p>`;
}

/** The points of the audit that have to be acknowledged, each by itself. */
const pointsOf = ({ points }: ReviewData['briefing']): FormParts['points'] =>
  points.filter(({ verdict }) => verdict === 'attention');

const approveReason = (briefing: ReviewData['briefing']): string =>
  pointsOf(briefing).length > 0 ? 'attention-accepted' : 'audit-passed';

type FormParts = {
  decision: DecisionKind;
  label: string;
  name: string;
  shown: string;
  points: readonly { id: string; sentence: string }[];
  /** Given where there is no choice. */
  reason: string;
  sentence: boolean;
  gate: 'retraction';
  style: 'danger';
};

type GivenParts = Pick<FormParts, 'decision' | 'label' | 'name' | 'shown'> & Partial<FormParts>;

const TITLES: Readonly<Record<DecisionKind, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  withdraw: 'Withdraw',
  reopen: 'Offer it again',
  retract: 'Retract what is public',
};

const decisionForm = (
  session: Session,
  { decision, label, name, shown, points = [], reason, sentence = false, gate, style }: GivenParts,
): Html =>
  actionForm(session, {
    action: `${releaseAddress(name)}/statement`,
    label,
    style: style ?? 'main',
    fields: { decision, shown, ...(gate && { gate }), ...(reason && { reason }) },
    inside: html`<fieldset><legend>${gate ? 'Withdraw the retraction' : TITLES[decision]}</legend>
${points.map(({ id, sentence: words }) => html`<label class="check"><input type="checkbox" name="acknowledge" value="${id}" required> <span>I have read and accept: ${words} <code>${id}</code></span></label>`)}
${reason ? '' : html`<label>Public reason <select name="reason">${DECISION_REASONS[decision].map((one) => html`<option>${one}</option>`)}</select></label>`}
${sentence ? html`<label>One sentence for everybody, for ever (may stay empty) <input name="sentence" maxlength="500"></label>` : ''}
<label>Why, in your own words; kept, and never published <textarea name="note" required maxlength="2000"></textarea></label></fieldset>`,
  });

export type SignData = Omit<OpenStatement, 'statement'> & { statement: null; challenge: string };

/** The words that are signed, made of the bytes that are signed, and the button that asks for the passkey. */
export function signPage(data: SignData, { token }: Session): ConsolePage {
  const { words, challenge, passkeys, release, decision } = data;
  const name = releasePath(release);
  const [passkey] = passkeys;
  return {
    title: `${TITLES[decision]}: ${name}`,
    data: { release: name, decision, words, challenge },
    body: html`<p>This, and nothing else, is what your passkey signs:</p>
<pre class="statement" id="words" tabindex="0">${words.join('\n')}</pre>
<p>Your authenticator may show the name of this console alone. Whoever runs the console could show one statement and have another one signed; if in doubt, sign with a key file on a computer of your own.</p>
<noscript><p class="notice attention">A passkey needs the script of this page, which your browser does not run. A key file signs without it: <code>opaline ${decision} ${name} --key KEY.pem</code>.</p></noscript>
<p><button id="sign" class="main" data-challenge="${challenge}" data-party="${passkey?.relyingParty ?? ''}" data-credentials="${passkeys.map(({ credentialId }) => credentialId).join(' ')}" data-token="${token}">Sign with your passkey</button></p>
<p id="outcome" role="status"></p>
<p><a href="${reviewAddress(name)}">Back to the review, without signing</a></p>`,
  };
}
