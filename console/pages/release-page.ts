import { html } from 'hono/html';
import { besideText } from '../../client/release/explain-release.ts';
import { PARTITION_MARKS, partitionGrid } from '../../client/release/partition-grid.ts';
import { inWords, RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { countOf } from '../../core/text/wording.ts';
import type { PageData } from '../data.ts';
import {
  type ActionForm,
  actionForm,
  addressOfSeries,
  type ConsolePage,
  dataTable,
  type Html,
  releaseAddress,
  reviewAddress,
  wordTable,
} from '../frame.ts';
import { FORM_ACTIONS, type FormAction, type ReleaseView, type Step } from '../release-view.ts';
import { when } from '../safe-text.ts';
import type { Session } from '../sessions.ts';

/** One release: where it stands, what holds it up, and what a person of this session can do. */
export function statusPage(data: PageData['release'], session: Session): ConsolePage {
  const { release, versions } = data;
  const name = release.release;
  return {
    title: name,
    data,
    live: `/events/${name}`,
    body: html`
<p><span class="state" id="state">${inWords(release.state)}</span>. <span id="meaning">${release.meaning}</span></p>
<div id="steps">${stepLine(release.steps)}</div>
${notices(release)}
${actions(release, session)}
${release.partitions.length === 0 ? '' : html`<section aria-labelledby="grid-title"><h2 id="grid-title">Parts and days</h2>${grid(release)}${faults(release)}</section>`}
<h2>Facts</h2>
${facts(release)}
${decisionTable(data)}
${
  versions.length === 0
    ? ''
    : html`<h2>Other versions of these days</h2>${dataTable(
        'Versions: each one that was drawn was charged',
        ['Release', 'State'],
        versions.map((one) => [html`<a href="${releaseAddress(one.release)}">${one.release}</a>`, inWords(one.state)]),
      )}`
}
${release.operator ? operators(release) : ''}`,
  };
}

export const stepLine = (steps: readonly Step[]): Html =>
  html`<ol class="steps">${steps.map(({ name, is }) => html`<li class="${is === 'to do' ? 'to-do' : is}"${is === 'now' ? html` aria-current="step"` : ''}>${name}${is === 'done' ? ' ✓' : ''}</li>`)}</ol>`;

export const publicationNotice = ({ publishedAt, timeZone }: ReleaseView): Html =>
  publishedAt
    ? html`<p class="notice">It is published at ${when(publishedAt, timeZone)}, unless somebody withdraws it before.</p>`
    : html``;

function notices(release: ReleaseView): Html {
  const { stall, ending, waitingFor, isMissing, timeZone, sourceChanges, retraction } = release;
  const changes = sourceChanges?.changed.map(({ object, change }) => `${object} (${change})`) ?? [];
  return html`${publicationNotice(release)}${stall ? html`<p class="notice fail">${stall.sentence} ${stall.mend} A retry costs 0 ε.</p>` : ''}
${ending ? html`<p class="notice fail">${ending.message} ${ending.mend}</p>` : ''}
${isMissing ? html`<p class="notice fail">It is reported as published, and no publication of it is where readers look.</p>` : ''}
${waitingFor ? html`<p class="notice attention">Missing until ${when(waitingFor.until, timeZone)}: ${waitingFor.names.join(', ')} (${waitingFor.total} in all).</p>` : ''}
${changes.length > 0 ? html`<p class="notice attention">Changed in the source since it was read: ${changes.join(', ')}.</p>` : ''}
${retraction && retraction.state !== 'retracted' ? html`<p class="notice attention">Its retraction has ${retraction.signed} of ${retraction.required} signatures.</p>` : ''}`;
}

function actions({ release, actions: offered, state, canSign, isMissing }: ReleaseView, session: Session): Html {
  const isReviewed = !['running', 'waiting-for-objects', 'partitions-failed', 'stalled'].includes(state);
  return html`<div class="acts">
${isReviewed ? html`<p><a href="${reviewAddress(release)}">${canSign.approve || canSign.reject ? 'Review and decide' : canSign.retract ? 'Review, or retract' : 'Review'}</a></p>` : ''}
${isMissing && session.person.roles.includes('operator') ? actionForm(session, { action: `${releaseAddress(release)}/retryStage`, label: 'Publish it again (0 ε)' }) : ''}
${offered.map((action) => actionForm(session, formOf(release, action)))}
</div>`;
}

/** What cannot be taken back is asked for by two touches, without a script too. */
function formOf(release: string, action: FormAction): ActionForm {
  const { label, sure } = FORM_ACTIONS[action];
  const own = { action: `${releaseAddress(release)}/${action}`, label };
  if (sure === null) return { ...own, style: 'main' };
  const mark = html`<label class="check"><input type="checkbox" name="sure" value="yes" required> ${sure}</label>`;
  return { ...own, style: 'danger', inside: mark };
}

/** Parts down, days across. */
function grid({ partitions, operator }: ReleaseView): Html {
  const { days, rows } = partitionGrid(partitions);
  return html`<div class="wide" role="region" aria-label="Grid of parts and days" tabindex="0"><table class="grid">
<caption>${operator ? '● drawn, ○ counted, · to do' : '● drawn, · being made'}, ✗ failed, – abandoned</caption>
<thead><tr><th scope="col">Part</th>${days.map((day) => html`<th scope="col">${day.slice(5)}</th>`)}</tr></thead>
<tbody>${rows.map(({ part, states }) => html`<tr><th scope="row">${part}</th>${states.map((state, at) => html`<td class="${state}" data-cell="${part}/${days[at]}"><span aria-hidden="true">${PARTITION_MARKS[state]}</span><span class="unseen">${state}</span></td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** What failed, by cause, with what mends it. */
function faults({ partitions, retryCost }: ReleaseView): Html {
  const gaps = partitions.filter(({ state }) => state === 'failed' || state === 'abandoned');
  const groups = Map.groupBy(gaps, ({ state, code, object }) => `${state} ${code} ${object}`);
  return html`${wordTable(
    'What has no data, and why',
    ['Partitions', 'State', 'Cause', 'How it comes about, and what mends it'],
    [...groups.values()].map((those) => {
      const { state, code, object, message, mend } = those[0]!;
      return [
        partitionSpans(those),
        state,
        `${inWords(code ?? '')}${object ? ` in ${object}` : ''}${message ? `. ${message}` : ''}`,
        `${besideText(those)}${mend ?? ''}`,
      ];
    }),
  )}${retryCost.map((sentence) => html`<p>${sentence}</p>`)}`;
}

function facts(release: ReleaseView): Html {
  const { series, timeZone, verdict, firstVerdict, attention, decisions, required, refusals } = release;
  const isOver = RELEASE_STATE_TABLE[release.state].final;
  const points = attention.length === 0 ? 'Nothing' : countOf(attention.length, 'point');
  const rows: (readonly [string, Html | string] | false | '' | null)[] = [
    ['Series', html`<a href="${addressOfSeries(series)}">${series}</a>`],
    ['Privacy budget', release.isCharged ? 'It is charged, once. Retries cost 0 ε.' : 'Nothing has been charged.'],
    [
      'Audit',
      verdict === null
        ? 'Not yet'
        : firstVerdict
          ? `First ${firstVerdict}; under a corrected declaration ${verdict}`
          : verdict,
    ],
    !isOver && ['To be acknowledged', points],
    [
      'Signed by',
      `${decisions.map(({ subject, decision, reason }) => `${subject} (${decision}, ${inWords(reason)})`).join(', ') || 'nobody'}${isOver ? '' : `; ${required > 0 ? `${required} needed` : 'not at the gate yet'}`}`,
    ],
    refusals > 0 && ['Refused', `${countOf(refusals, 'attempt')} to decide did not count`],
    release.state === 'waiting' && release.gateOpenUntil && ['Decide by', when(release.gateOpenUntil, timeZone)],
    release.publishNotBefore && ['Published not before', when(release.publishNotBefore, timeZone)],
    release.location && ['Published at', release.location],
    release.manifestDigest && ['Digest of the manifest', html`<code class="digest">${release.manifestDigest}</code>`],
    ['Times', `as the clock of ${timeZone} shows them`],
  ];
  return html`<dl class="facts">${rows.map((row) => row && html`<dt>${row[0]}</dt><dd>${row[1]}</dd>`)}</dl>`;
}

export const decisionTable = ({ decisions }: Pick<PageData['release'], 'decisions'>): Html =>
  wordTable(
    'What its gate has kept and refused',
    ['Person', 'Decision', 'Reason', 'Own words'],
    decisions.map(({ subject, outcome, decision, reason, acknowledged, note, code }) => [
      subject,
      outcome === 'kept' ? decision : `refused: ${inWords(code ?? '')}`,
      `${inWords(reason)}${acknowledged.length > 0 ? `, ${countOf(acknowledged.length, 'point')} acknowledged` : ''}`,
      note ?? '',
    ]),
    'Decisions and refusals',
  );

function operators({ operator }: ReleaseView): Html {
  const { stage, since, causes, commands, failing, unread } = operator!;
  return html`<section><h2>For operators</h2>
<p class="soft">Times and attempts of private stages are for operators alone.</p>
<dl class="facts"><dt>Stage</dt><dd id="stage">${stage}</dd>${since ? html`<dt>In this state since</dt><dd>${since}</dd>` : ''}${unread.length > 0 ? html`<dt>Not read</dt><dd>${unread.join(', ')}</dd>` : ''}</dl>
<ul class="plain">${[...causes, ...failing].map((cause) => html`<li>${cause}</li>`)}</ul>
${commands.length === 0 ? '' : html`<details><summary>The same on a command line</summary><pre tabindex="0"><code>${commands.join('\n')}</code></pre></details>`}</section>`;
}
