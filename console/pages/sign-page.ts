import { html } from 'hono/html';
import { publicationWords } from '../../client/release/release-briefing.ts';
import { DECISION_REASONS, type Decision, type DecisionKind } from '../../contracts/decision.ts';
import { releasePath } from '../../contracts/names.ts';
import { FAVOUR, inWords } from '../../contracts/release-state.ts';
import type { ReleaseStatus } from '../../contracts/stages.ts';
import { costText } from '../../core/ledger/shown-amount.ts';
import { countOf } from '../../core/text/wording.ts';
import { actionForm, type ConsolePage, type Html, releaseAddress, reviewAddress } from '../frame.ts';
import type { OpenStatement, Session } from '../sessions.ts';
import type { ReviewData } from './review-page.ts';

/** The forms with which an approver says what to sign; what others read in their place. */
export function decisionForms({ release, review, briefing }: ReviewData, session: Session): Html {
  const { canSign, state, verdict, release: name } = release;
  if (!session.person.roles.includes('approver'))
    return html`<p>Approvers decide, each with a passkey or a key file of their own. Nobody can in their place.</p>`;
  const isNamed = briefing.people?.others.includes(session.person.subject) ?? true;
  const own = release.decisions.find(({ subject }) => subject === session.person.subject);
  const isRetracting = release.retraction?.by.includes(session.person.subject) ?? false;
  // The points of the audit that have to be acknowledged, each by itself.
  const points = briefing.points.filter((one) => one.verdict === 'attention');
  const approveReason = points.length > 0 ? 'attention-accepted' : 'audit-passed';
  const base = { name, shown: review.manifestDigest };
  const form = (decision: DecisionKind, label: string, more: Partial<FormParts> = {}) =>
    decisionForm(session, { decision, label, ...base, effect: EFFECTS[decision](release, briefing), ...more });
  const forms = [
    canSign.approve && !own && form('approve', 'Approve …', { points, reason: approveReason }),
    canSign.reject && !own && form('reject', 'Reject …'),
    // Who has not signed rejects while that is possible.
    canSign.withdraw && (own || !canSign.reject) && form('withdraw', 'Withdraw …'),
    canSign.reopen && form('reopen', 'Offer it again …', { reason: 'not-decided-in-time' }),
    canSign.retract && !isRetracting && form('retract', 'Retract …'),
    canSign.withdrawRetraction &&
      form('withdraw', 'Withdraw the retraction …', { gate: 'retraction', effect: STAYS_PUBLIC }),
  ].filter((one) => one !== false);
  return html`${verdict === 'fail' && state === 'waiting' ? html`<p class="notice fail">The audit failed: nobody can approve this release.</p>` : ''}
${own ? html`<p class="notice">You have ${WORDS[own.decision].done} this.</p>` : isNamed || forms.length === 0 ? '' : html`<p class="notice attention">${session.person.subject} is not among those who could sign: the trust file has no key of that name for this series.</p>`}
${isRetracting && state === 'published' ? html`<p class="notice">You have signed its retraction, which has ${release.retraction!.signed} of ${release.retraction!.required} signatures.</p>` : ''}
${
  forms.length === 0
    ? html`<p>${state === 'publishing' ? 'It is being published. When it is public, it can be retracted here.' : `Nothing is to be decided now. ${release.meaning}`}</p>`
    : html`${forms}
<p class="soft">The next page shows the exact words that you sign. With a key file it is <code>opaline approve ${name} --key KEY.pem</code>.</p>`
}`;
}

const endsIt = ({ privacy }: ReviewData['briefing']): string =>
  `It is final: this release never becomes public, and its charge stays. A new version is a new charge${privacy?.left ? `; one like this takes ${costText(privacy.release)} of the ${costText(privacy.left.block)} left for these days` : ''}.`;

/** What comes of each decision, for whoever is about to take it. */
const EFFECTS: Record<DecisionKind, (release: ReviewData['release'], briefing: ReviewData['briefing']) => string> = {
  approve: ({ afterApproval }) => `${afterApproval} From then on it can only be retracted, in public and for ever.`,
  reject: (_, briefing) => endsIt(briefing),
  withdraw: (_, briefing) => `Stops a release that was approved, before it is public. ${endsIt(briefing)}`,
  reopen: () => 'The same release waits at the gate again, at 0 ε. Nothing becomes public by this.',
  retract: () =>
    'Needs as many people as its publication. Then everybody reads beside the files that they were taken back, and why, for ever. Copies that readers have stay with them; the charge stays.',
};
const STAYS_PUBLIC = 'Ends the retraction that was begun: the release stays public.';

/** A decision in words: above its form, once it was taken, and before it is signed. */
const WORDS: Readonly<Record<DecisionKind, { title: string; done: string; you: string }>> = {
  approve: { title: 'Approve', done: 'approved', you: 'You approve that everybody gets' },
  reject: { title: 'Reject', done: 'rejected', you: 'You refuse, for good,' },
  withdraw: { title: 'Withdraw', done: 'withdrawn', you: 'You withdraw, for good and before they are public,' },
  reopen: { title: 'Offer it again', done: 'reopened', you: 'You offer at the gate again, and do not publish,' },
  retract: { title: 'Retract what is public', done: 'retracted', you: 'You take back, for everybody and for ever,' },
};

type FormParts = {
  decision: DecisionKind;
  label: string;
  name: string;
  shown: string;
  /** What comes of it. */
  effect: string;
  points?: readonly { id: string; sentence: string }[];
  /** Given where there is no choice. */
  reason?: string;
  gate?: 'retraction';
};

const decisionForm = (
  session: Session,
  { decision, label, name, shown, effect, points = [], reason, gate }: FormParts,
): Html => {
  const { release, form } = session.draft ?? {};
  const before = release === name && form?.decision === decision && form.gate === gate ? form : {};
  return actionForm(session, {
    action: `${releaseAddress(name)}/statement`,
    label,
    style: decision === 'approve' || decision === 'reopen' ? 'main' : 'danger',
    fields: { decision, shown, ...(gate && { gate }), ...(reason && { reason }) },
    inside: html`<fieldset><legend>${gate ? 'Withdraw the retraction' : WORDS[decision].title}</legend>
${points.map(({ id, sentence }) => html`<label class="check"><input type="checkbox" name="acknowledge" value="${id}" required> <span>I have read and accept: ${sentence} <code>${id}</code></span></label>`)}
${reason ? '' : html`<label>Public reason <select name="reason" required><option value="">choose a reason</option>${DECISION_REASONS[decision].map((one) => html`<option value="${one}"${one === before.reason ? html` selected` : ''}>${inWords(one)}</option>`)}</select></label>`}
${decision === 'retract' ? html`<label>One sentence for everybody, for ever (may stay empty) <input name="sentence" maxlength="500" value="${String(before.sentence ?? '')}"></label>` : ''}
<label>Why, in your own words; kept, and never published <textarea name="note" required maxlength="2000">${String(before.note ?? '')}</textarea></label>
<p class="effect">${effect}</p></fieldset>`,
  });
};

const DAYS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What comes of a statement that is about to be signed, in plain words. */
export function effectWords(statement: Decision['predicate'], status: ReleaseStatus): string {
  const { decision, gate, required, elsewhere, releases } = statement;
  const days = status.partitions.map(({ day }) => Date.parse(day)).sort((a, b) => a - b);
  const span = days.length > 0 ? DAYS.formatRange(days[0]!, days.at(-1)!) : releases.join(', ');
  const figures = `the figures of ${span.replace(/\s*–\s*/, ' to ')}.`;
  const isOfRetraction = gate === 'retraction';
  if (decision !== FAVOUR[gate])
    return `${isOfRetraction ? 'You end the retraction of' : WORDS[decision].you} ${figures}`;
  const isLast = elsewhere === 0 && required <= 1 + (isOfRetraction ? 0 : status.decisions.length);
  const others = elsewhere > 0 ? `, ${elsewhere} of them not made in this console` : '';
  const count = `It takes ${countOf(required, 'signature')}${others}${isLast ? ': yours is the last' : ''}.`;
  const whose = isLast && required === 1 ? 'One signature is enough: yours.' : count;
  if (isOfRetraction) return `${WORDS.retract.you} ${figures} ${whose}`;
  return `${isLast ? 'You publish' : WORDS.approve.you} ${figures} ${whose} ${publicationWords(status)}`;
}

/** The words that are signed, made of the bytes that are signed, and the button that asks for the passkey. */
export function signPage(open: OpenStatement, challenge: string, { token }: Session): ConsolePage {
  const { words, effect, passkeys, release, decision } = open;
  const name = releasePath(release);
  const [passkey] = passkeys;
  return {
    title: `${WORDS[decision].title}: ${name}`,
    data: { release: name, decision, effect, words, challenge },
    body: html`<p class="notice" id="effect">${effect}</p>
<h2>The exact words</h2>
<p>These, and nothing else, are what your passkey signs:</p>
<pre class="statement" id="words" tabindex="0">${words.join('\n')}</pre>
<p>“The release folder alone” means that you saw no source data and no exact count. To ask whether all files came is no breach of it.</p>
<p>“Elsewhere than at one host of pages” is a rule of the trust file, and no fault: an authenticator does not show these words, so you rely on whoever runs this console to have these signed and no others. If you do not, sign with a key file on a computer of your own.</p>
<noscript><p class="notice attention">A passkey needs the script of this page, which your browser does not run. A key file signs without it: <code>opaline ${decision} ${name} --key KEY.pem</code>.</p></noscript>
<p><button id="sign" class="main" data-challenge="${challenge}" data-party="${passkey?.relyingParty ?? ''}" data-credentials="${passkeys.map(({ credentialId }) => credentialId).join(' ')}" data-token="${token}">Sign with your passkey</button></p>
<p id="outcome" role="status"></p>
<p id="back"><a href="${reviewAddress(name)}#decide">Back to the review, without signing</a></p>`,
  };
}
