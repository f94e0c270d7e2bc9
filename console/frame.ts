import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { PAGE_STYLE } from '../services/pages/style.ts';
import { clean } from './safe-text.ts';
import type { ActionOutcome, Person, Session } from './sessions.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A page of the console, and its twin for programs: both are made of the same data. */
export type ConsolePage = {
  title: string;
  /** What the JSON of this address is. */
  data: object;
  body: Html;
  /** Address of what is sent while the page is open; without a script the page is loaded again. */
  live?: string;
  status?: 200 | 400 | 401 | 403 | 404 | 409 | 413 | 421 | 429 | 500 | 503;
};

/** What frames the pages of a console. */
export type Site = {
  name: string;
  /** The pages that lead everywhere, by address. */
  ways: readonly (readonly [address: string, name: string])[];
  /** Do people sign here? Only then is there a script, and a page for passkeys. */
  isForSigning: boolean;
  /** What is above every page; null: nothing. */
  warning: string | null;
  /** What somebody is here. */
  rolesText(person: Person): string;
};

export const PUBLIC_SITE: Site = {
  name: 'Opaline',
  ways: [
    ['/', 'Now'],
    ['/releases', 'Releases'],
    ['/series', 'Series'],
    ['/ledger', 'Budget'],
    ['/log', 'Log'],
  ],
  isForSigning: true,
  warning: null,
  rolesText: ({ roles }) => (roles.length === 0 ? 'without a role' : roles.join(', ')),
};

/** Seconds after which a page that changes is loaded again where no script runs. */
const REFRESH_S = 15;

/** A whole page. `path`: where it is, to mark the way that leads to it. */
export function frame(site: Site, { title, body, live }: ConsolePage, path: string, session: Session | null): Html {
  const flash = session?.flash ?? null;
  if (session) session.flash = null;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${site.name}</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/style.css">
${site.isForSigning ? html`<script src="/console.js" defer></script>` : ''}
${live === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>`}
</head>
<body${live === undefined ? '' : html` data-live="${live}"`}>
<a class="skip" href="#main">Skip to the content</a>
${session ? navigation(site, path, clean({ person: session.person, token: session.token })) : ''}
<main id="main">
${site.warning === null ? '' : html`<p class="notice attention">${site.warning}</p>`}
${flash ? flashBox(flash) : ''}
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

const navigation = (
  { ways, isForSigning, rolesText }: Site,
  path: string,
  { person, token }: Pick<Session, 'person' | 'token'>,
): Html => html`<header class="bar">
<nav aria-label="Console">
<ul>
${ways.map(([address, name]) => html`<li><a href="${address}"${isWithin(path, address) ? raw(' aria-current="page"') : ''}>${name}</a></li>`)}
</ul>
</nav>
<div class="who"><span>${person.subject}, ${rolesText(person)}</span>
${isForSigning ? html`<a href="/passkey">Passkey</a>` : ''}
<form method="post" action="/leave"><input type="hidden" name="token" value="${token}"><button class="plain">Leave</button></form></div>
</header>`;

const isWithin = (path: string, address: string): boolean =>
  address === '/' ? path === '/' : path === address || path.startsWith(`${address}/`);

const flashBox = ({ done, text }: ActionOutcome): Html =>
  html`<p class="flash ${done ? 'pass' : 'fail'}" role="status"><strong>${done ? 'Done.' : 'Refused.'}</strong> ${text}</p>`;

/** A form with one button. Its token shows that it is a form of this session. */
export const actionForm = (
  { token }: Session,
  { action, label, fields = {}, inside = '', style = '' }: ActionForm,
): Html => html`<form method="post" action="${action}" class="act">
<input type="hidden" name="token" value="${token}">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${inside}<button class="${style}">${label}</button>
</form>`;

export type ActionForm = {
  action: string;
  label: string;
  fields?: Record<string, string>;
  inside?: Html | string;
  style?: 'danger' | 'main' | '';
};

/** A table that may be wider than its place: it scrolls by itself, also by keyboard. */
export const dataTable = (caption: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): Html =>
  html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
</tbody>
</table></div>`;

/** A table of words, below a heading of its own where it has one; nothing where it would be empty. */
export const wordTable = (...[caption, headings, rows, heading]: [...Parameters<typeof dataTable>, string?]): Html =>
  rows.length === 0
    ? html``
    : html`${heading === undefined ? '' : html`<h2>${heading}</h2>`}<div class="words">${dataTable(caption, headings, rows)}</div>`;

export type Cell = string | number | Html;

export const releaseAddress = (name: string): string => `/releases/${name}`;
export const reviewAddress = (name: string): string => `/releases/${name}/review`;
export const addressOfSeries = (name: string): string => `/series/${name}`;

/** The style of every page, after that of publications. */
export const STYLE = `${PAGE_STYLE}
main { max-width: 72rem; padding: 1rem 1rem 4rem; }
p, dl, ul.plain, ol.plain { max-width: 48rem; }
h1 { margin: .75rem 0 1rem; overflow-wrap: anywhere; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem; z-index: 3; }
.bar { max-width: none; display: flex; flex-wrap: wrap; gap: .25rem 2rem; justify-content: space-between; align-items: center; padding: .5rem 1rem; background: var(--card); border-bottom: 1px solid var(--line); }
.bar ul { display: flex; flex-wrap: wrap; gap: 0 1.25rem; list-style: none; margin: 0; padding: 0; max-width: none; }
.bar a { display: inline-block; padding: .5rem 0; }
.bar [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; border-bottom: 2px solid var(--link); }
.who { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; font-size: .875rem; color: var(--soft); }
.who form { margin: 0; }
button { font: inherit; min-height: 2.5rem; padding: .25rem 1rem; color: var(--paper); background: var(--link); border: 1px solid var(--link); border-radius: .25rem; cursor: pointer; }
button.danger { color: var(--fail); background: var(--card); border-color: var(--fail); }
button.plain { color: var(--link); background: none; border-color: var(--line); min-height: 2rem; padding: 0 .75rem; }
button[disabled] { opacity: .6; cursor: default; }
button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
label { display: grid; gap: .15rem; font-size: .875rem; color: var(--soft); }
label.check { display: flex; gap: .6rem; align-items: flex-start; color: var(--ink); font-size: 1rem; min-height: 1.75rem; }
label.check input { flex: none; width: 1.25rem; height: 1.25rem; margin: .15rem 0 0; min-width: 0; min-height: 0; }
select, input, textarea { font: inherit; min-height: 2.5rem; min-width: 9rem; max-width: 100%; padding: .25rem .5rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .25rem; }
textarea { width: 100%; min-height: 4.5rem; }
form.filter, form.act, .acts { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: .75rem 0; }
.acts form { margin: 0; }
.flash, .notice { padding: .75rem 1rem; background: var(--card); border: 1px solid var(--line); border-left: .35rem solid var(--bar); border-radius: .25rem; max-width: none; }
.flash.pass { border-left-color: var(--pass); } .flash.fail, .notice.fail { border-left-color: var(--fail); } .notice.attention { border-left-color: var(--attention); }
main h3 { margin-top: 1.5rem; } .checks h3, figure h3 { margin-top: 0; }
div.wide { position: relative; } .paper .wide { --paper: var(--card); }
.wide, .paper { --shade: color-mix(in srgb, var(--ink) 30%, transparent); background-repeat: no-repeat; background-attachment: local, local, scroll, scroll; }
.wide { background-image: linear-gradient(90deg, var(--paper) 40%, transparent), linear-gradient(270deg, var(--paper) 40%, transparent), linear-gradient(90deg, var(--shade), transparent), linear-gradient(270deg, var(--shade), transparent); background-position: 0 0, 100% 0, 0 0, 100% 0; background-size: 2.5rem 100%, 2.5rem 100%, .75rem 100%, .75rem 100%; }
.wide:not(.words .wide) td, .wide:not(.words .wide) th[scope=row] { white-space: nowrap; }
.act:has(.danger):not(:has(fieldset)) { border: 1px solid var(--line); border-radius: .25rem; padding: .5rem .75rem; align-items: center; }
.cards { list-style: none; margin: 0; padding: 0; display: grid; gap: .75rem; max-width: none; }
.cards > li { background: var(--card); border: 1px solid var(--line); border-radius: .25rem; padding: .85rem 1rem; display: grid; grid-template-columns: minmax(6.5rem, max-content) 1fr auto; gap: .25rem 1rem; align-items: center; }
.cards p { margin: 0; max-width: 60rem; }
.who-acts { font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.soft { color: var(--soft); font-size: .875rem; }
.state { font-weight: 600; white-space: nowrap; } .moment { white-space: nowrap; }
table { width: auto; min-width: min(100%, 24rem); }
td, th { padding-right: 1.25rem; }
td { text-align: right; } td.left, th { text-align: left; }
.words td { text-align: left; }
th[scope=row] { overflow-wrap: normal; }
.steps { display: flex; flex-wrap: wrap; list-style: none; padding: 0; margin: 1rem 0; gap: .5rem; max-width: none; }
.steps li { padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--soft); background: var(--card); }
.steps .done { color: var(--pass); } .steps .now { color: var(--ink); border-color: var(--link); border-width: 2px; font-weight: 600; }
.grid td { text-align: center; padding: .15rem .35rem; }
.grid .failed { color: var(--fail); font-weight: 700; } .grid .drawn { color: var(--pass); } .grid .abandoned { color: var(--attention); }
.grid thead th { padding: .15rem .35rem; text-align: center; font-weight: 400; font-size: .8125rem; white-space: nowrap; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem 2rem; }
.charts figure { margin: 0; } .charts img { width: 100%; max-width: 34rem; height: auto; }
.map rect { fill: var(--card); stroke: var(--line); }
.map circle { fill: var(--bar); fill-opacity: .4; stroke: var(--bar); stroke-width: .75; }
.map text { fill: var(--ink); font-size: 11px; paint-order: stroke; stroke: var(--card); stroke-width: 2px; }
.map path { fill: none; stroke: var(--soft); }
.mark { font-weight: 700; color: var(--attention); white-space: nowrap; }
.digest { font-size: .8125rem; word-break: break-all; }
.paper { background-color: var(--card); border: 1px solid var(--line); border-radius: .25rem; padding: 0 1.25rem 1rem; max-height: 40rem; overflow: auto; background-image: linear-gradient(var(--card) 40%, transparent), linear-gradient(0deg, var(--card) 40%, transparent), linear-gradient(var(--shade), transparent), linear-gradient(0deg, var(--shade), transparent); background-position: 0 0, 0 100%, 0 0, 0 100%; background-size: 100% 3rem, 100% 3rem, 100% 1rem, 100% 1rem; }
.paper h2 { font-size: 1.125rem; } .paper h3 { font-size: 1rem; }
pre.statement { background: var(--card); border: 1px solid var(--line); padding: .75rem; border-radius: .25rem; }
details { margin: .75rem 0; } summary { cursor: pointer; padding: .25rem 0; color: var(--link); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; max-width: none; }
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; min-width: 0; }
fieldset { border: 0; padding: .5rem 0 .75rem; margin: 0; min-width: 0; display: grid; gap: .75rem; }
legend { font-weight: 600; padding: 0; }
form.act:has(fieldset) { display: block; border: 1px solid var(--line); border-radius: .25rem; background: var(--card); padding: .75rem 1rem 1rem; margin: 1rem 0 1.5rem; max-width: 52rem; }
meter { width: 8rem; height: 1rem; vertical-align: middle; }
@media (max-width: 40rem) {
  .wide table:has(th:nth-child(5)):not(.grid) { min-width: 42rem; }
  .words .wide table:has(th:nth-child(4)) { min-width: 38rem; }
  .cards > li { grid-template-columns: 1fr; }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .5rem; }
}
@media (prefers-reduced-motion: reduce) { * { scroll-behavior: auto; transition: none; animation: none; } }
@media print {
  .bar, .skip, form, button { display: none !important; }
  body { background: #fff; } .paper { max-height: none; overflow: visible; } details > * { display: block; }
  figure, tr, .cards > li { break-inside: avoid; }
}
`;
