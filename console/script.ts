/**
 * The one script of the console. It keeps the line of stages and the grid up to date while a page is open, and asks an
 * authenticator to sign. It holds no markup: all that it writes is text.
 */
export const SCRIPT = `'use strict';
(() => {
  const live = document.body.dataset.live;
  const byId = (id) => document.getElementById(id);
  const notice = (text) => {
    if (byId('changed')) return;
    const line = document.createElement('p');
    line.id = 'changed';
    line.className = 'notice attention';
    line.setAttribute('role', 'status');
    line.textContent = text + ' ';
    const link = document.createElement('a');
    link.href = location.href;
    link.textContent = 'Load it again';
    line.append(link);
    byId('main').prepend(line);
  };
  if (live && window.EventSource) {
    const events = new EventSource(live);
    let first = null;
    events.addEventListener('state', (event) => {
      const now = JSON.parse(event.data);
      first ??= now.mark;
      if (now.mark !== first) notice('This page has changed.');
      for (const id of ['state', 'meaning', 'stage']) if (byId(id) && now[id]) byId(id).textContent = now[id];
      const steps = document.querySelectorAll('#steps li');
      (now.steps || []).forEach((step, place) => {
        if (!steps[place]) return;
        steps[place].className = step.is === 'to do' ? 'to-do' : step.is;
        steps[place].textContent = step.name + (step.is === 'done' ? ' \\u2713' : '');
        if (step.is === 'now') steps[place].setAttribute('aria-current', 'step');
        else steps[place].removeAttribute('aria-current');
      });
      const marks = { pending: '\\u00b7', binned: '\\u25cb', drawn: '\\u25cf', failed: '\\u2717', abandoned: '\\u2013' };
      for (const cell of now.cells || []) {
        const place = document.querySelector('[data-cell="' + CSS.escape(cell.part + '/' + cell.day) + '"]');
        if (!place || place.className === cell.state) continue;
        place.className = cell.state;
        place.firstChild.textContent = marks[cell.state] || '?';
        place.lastChild.textContent = cell.state;
      }
    });
    events.addEventListener('ended', () => { events.close(); notice('Your session has ended.'); });
  }

  const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
  const textOf = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
  const send = async (address, token, value) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-Opaline-Token': token },
      body: JSON.stringify(value),
    });
    const { next, message } = await answer.json();
    if (!next) throw new Error(message || 'It was refused.');
    location.assign(next);
  };
  const touch = (button, ask) => button && button.addEventListener('click', async () => {
    button.disabled = true;
    let failure = 'Nothing was signed. ';
    byId('outcome').textContent = 'Your authenticator asks you.';
    try {
      await ask(button.dataset, () => {
        byId('back').remove();
        failure = 'It was signed. Whether it was recorded is in the review of the release. ';
        byId('outcome').textContent = 'Signed. It is being recorded; this takes some seconds.';
      });
    } catch (error) {
      byId('outcome').textContent = failure + error.message;
      button.disabled = false;
    }
  });
  touch(byId('sign'), async ({ challenge, party, credentials, token }, sayIsSigned) => {
    const allowCredentials = credentials.split(' ').map((id) => ({ type: 'public-key', id: bytesOf(id) }));
    const publicKey = { challenge: bytesOf(challenge), rpId: party, allowCredentials, userVerification: 'required' };
    const { rawId, response } = await navigator.credentials.get({ publicKey });
    sayIsSigned();
    await send('/sign/' + challenge, token, {
      credentialId: textOf(rawId),
      authenticatorData: textOf(response.authenticatorData),
      clientDataJSON: textOf(response.clientDataJSON),
      signature: textOf(response.signature),
    });
  });
  touch(byId('register'), async ({ options, token }) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
    const made = await navigator.credentials.create({ publicKey });
    await send('/passkey', token, made.toJSON());
  });
})();
`;
