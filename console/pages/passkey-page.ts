import { html } from 'hono/html';
import { type ConsolePage, type Html, wordTable } from '../frame.ts';
import type { NamedPasskey, Session } from '../sessions.ts';

export type PasskeyData = {
  subject: string;
  isApprover: boolean;
  /** Passkeys of the person that the trust file has. */
  known: NamedPasskey[];
  /** What was just made, and counts nowhere yet. */
  made: NamedPasskey | null;
  /** What the browser is asked to make one with, as JSON. */
  options: string;
};

/** Where an approver makes a passkey, and sees what the roots have to sign before it counts. */
export function passkeyPage({ options, ...data }: PasskeyData, { token }: Session): ConsolePage {
  const { subject, isApprover, known, made } = data;
  return {
    title: 'Your passkey',
    data,
    body: html`<p>A passkey signs decisions with your finger, face or PIN. It never leaves your authenticator, and this console has no copy of it.</p>
${
  known.length === 0
    ? html`<p>The trust file has no passkey of ${subject}.</p>`
    : wordTable(
        `Passkeys of ${subject} in the trust file`,
        ['Fingerprint', 'Signs at', 'Algorithm'],
        known.map(({ fingerprint, passkey }) => [
          html`<code>${fingerprint}</code>`,
          passkey.origins.join(', '),
          passkey.algorithm,
        ]),
      )
}
${made && known.every(({ fingerprint }) => fingerprint !== made.fingerprint) ? entryPart(subject, made) : ''}
${
  isApprover
    ? html`<h2>Make one</h2><p>The page then shows what goes into the trust file. It counts only when those who keep the root keys have signed a version with it.</p>
<p><button id="register" class="main" data-options="${options}" data-token="${token}">Make a passkey</button></p>
<p id="outcome" role="status"></p>
<noscript><p class="notice attention">A passkey needs the script of this page, which your browser does not run.</p></noscript>`
    : html`<p>Approvers have passkeys; your roles do not sign.</p>`
}`,
  };
}

function entryPart(subject: string, { passkey, fingerprint }: NamedPasskey): Html {
  const entry = JSON.stringify({ subject, passkey, valid: 'everywhere' }, null, 2);
  return html`<h2>What goes into the trust file</h2>
<p class="notice attention">Read the fingerprint to those who keep the root keys by another way, such as by telephone. Whoever serves this page could show a key of their own.</p>
<dl class="facts"><dt>Fingerprint</dt><dd><code id="fingerprint">${fingerprint}</code></dd></dl>
<p>An entry of <code>approvers</code> in the draft of the next version:</p>
<pre class="statement" id="entry" tabindex="0">${entry}</pre>
<pre tabindex="0"><code id="commands">opaline trust init next.json --after TRUST.json
opaline trust sign TRUST.json next.json --key ROOT.pem</code></pre>`;
}
