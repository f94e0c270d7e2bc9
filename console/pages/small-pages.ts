import { html } from 'hono/html';
import type { ConsoleRecord } from '../../client/console-records.ts';
import { inWords } from '../../contracts/release-state.ts';
import { type ConsolePage, wordTable } from '../frame.ts';

/** Where somebody begins who has no session. `login`: there is a provider to log in with. */
export const entryPage = (login: boolean): ConsolePage => ({
  title: 'Opaline console',
  status: 401,
  data: { code: 'SESSION_MISSING', message: 'No session, or it has ended.' },
  body: login
    ? html`<p>You are not logged in, or your session has ended.</p><p><a href="/login">Log in</a></p>`
    : html`<p>You have no session, or it has ended. The terminal in which the console runs shows a link that opens one, once.</p>`,
});

export type PageRefusal = { status: NonNullable<ConsolePage['status']>; code: string; message: string };

export const pageRefusal = (status: PageRefusal['status'], code: string, message: string): PageRefusal => ({
  status,
  code,
  message,
});

export const refusalPage = ({ status, code, message }: PageRefusal): ConsolePage => ({
  title: status === 404 ? 'Not here' : 'This did not work',
  status,
  data: { code, message },
  body: html`<p class="notice fail">${message}</p><p class="soft">${inWords(code)}</p><p><a href="/">To what needs whom, now</a></p>`,
});

/** What people did here and what they were refused. The moments are of their own acts, in UTC: it is of no one series. */
export const logPage = (data: { records: ConsoleRecord[]; days: number }): ConsolePage => ({
  title: 'Log',
  data,
  body: html`<p>What people did in this console in the last ${data.days} days, and what was refused. It is a diary and no proof: what counts at a gate is signed, and is on the page of its release.</p>
${
  data.records.length === 0
    ? html`<p>Nothing yet.</p>`
    : wordTable(
        'The newest first',
        ['When (UTC)', 'Person', 'Action', 'About', 'Outcome'],
        data.records.map(({ at, subject, action, about, outcome, code }) => [
          html`<span class="moment">${at.slice(0, 19).replace('T', ' ')}</span>`,
          subject,
          action.includes('/') ? action : inWords(action),
          about,
          outcome === 'done' ? 'done' : `refused: ${inWords(code ?? '')}`,
        ]),
      )
}`,
});
