import { html, raw } from 'hono/html';
import { type ChangesSince, changesInWords } from '../../client/release/changes-since.ts';
import { oddInWords, oddTotals, oddTotalsInWords, sideOfRange } from '../../client/release/odd-totals.ts';
import { type AuditCheck, FINDINGS } from '../../contracts/audit-report.ts';
import { type Partition, parseReleasePath, partitionPath } from '../../contracts/names.ts';
import { inWords, RELEASE_STATE_TABLE } from '../../contracts/release-state.ts';
import { addDays, dayInWords, dayNumber } from '../../core/calendar/civil-day.ts';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { costText } from '../../core/ledger/shown-amount.ts';
import { countOf } from '../../core/text/wording.ts';
import {
  FINDING_WORDS,
  VERDICT_HEADINGS,
  VERDICT_WORDS,
  verdictShape,
} from '../../services/audit-page/verdict-words.ts';
import { numeral } from '../../services/series-pages/bar-charts.ts';
import { pickMapRows, placeCells, placeMap } from '../../services/series-pages/place-map.ts';
import type { Chart } from '../charts.ts';
import type { PageData } from '../data.ts';
import { addressOfSeries, type ConsolePage, dataTable, type Html, releaseAddress, wordTable } from '../frame.ts';
import { markdownPage } from '../markdown-html.ts';
import { when } from '../safe-text.ts';
import { epsilonInWords, timesLeft } from './amount-words.ts';
import { decisionTable, publicationNotice } from './release-page.ts';

export type ReviewData = PageData['review'];

/** What would be published, how it was attacked, what it costs, and who decides. `forms`: the part that signs. */
export function reviewPage(data: ReviewData, charts: readonly Chart[], forms: Html): ConsolePage {
  const { release, review } = data;
  const { verdict, checks } = review.report;
  const odd = oddInWords(review.report);
  const tally = FINDINGS.map((word) => checks.filter((one) => one.verdict === word).length);
  return {
    title: `Review of ${release.release}`,
    data,
    live: `/events/${release.release}`,
    body: html`
<p><a href="${releaseAddress(release.release)}">${release.release}</a> is <span class="state" id="state">${inWords(release.state)}</span>. <span id="meaning">${release.meaning}</span></p>
${publicationNotice(release)}
<div class="banner ${verdict}">${raw(verdictShape(verdict, VERDICT_WORDS[verdict]).text)}<div>${odd === null ? '' : html`<p><strong>${odd}.</strong></p>`}<p><strong>${VERDICT_HEADINGS.release[verdict]}</strong></p>
<p>${countOf(checks.length, 'attack')} and checks: ${tally[0]} held, ${tally[1]} to be looked at and acknowledged one by one, ${tally[2]} broken, ${tally[3]} not tried.</p>
${review.first ? html`<p>This is the second audit, under a corrected declaration. The first one said ${review.first.verdict}; both are published.</p>` : ''}</div></div>
<nav aria-label="On this page"><ul class="steps">${SECTIONS.map(([id, name]) => (name === '' ? '' : html`<li><a href="#${id}">${name}</a></li>`))}</ul></nav>
${SECTIONS.map(([id, , title, body]) => section(id, title, body(data, { charts, signing: forms })))}
${decisionTable(data)}`,
  };
}

/** Tables that the release itself has for its readers: figures of each part with their intervals and shares. */
const figures: Body = ({ review, briefing }) =>
  html`<p>${review.summary.description}</p>
${review.summary.tables.map(({ heading, sentences, headings, rows }) => html`<h3>${heading}</h3>${sentences.map((sentence) => html`<p>${sentence}</p>`)}<div class="words">${dataTable(heading, headings, rows)}</div>`)}
${briefing.forecast.map((sentence) => html`<p>${sentence}</p>`)}
<details><summary>${countOf(review.files.length, 'file')}</summary>${wordTable(
    'Files of the publication',
    ['File', 'Bytes'],
    review.files.map(({ name, size }) => [name, numeral(size)]),
  )}</details>`;

/** Totals with their intervals beside the weeks before; what is outside of what is usual has a mark. */
function comparison({ review, briefing }: ReviewData): Html {
  const { totals, report } = review;
  if (totals.length === 0) return html`<p>A release of this kind has no totals of parts and days.</p>`;
  const before = new Map((report.history?.days ?? []).map((one) => [one.partition, one]));
  const weeks = weeksBefore(review);
  const most = Math.max(0, ...[...before.values()].map((one) => one.before.length));
  const heads = weeks
    ? weeks.map(({ first }) => `Week\u00a0from ${dayInWords(first).slice(4).replace(' ', '\u00a0')}`)
    : Array.from({ length: most }, (_, place) => `${place + 1} before`);
  const rows = totals.map((one) => {
    const usual = before.get(partitionPath(one))?.usual ?? null;
    const side = sideOfRange({ count: one.count, usual });
    return [
      `${one.part}, ${dayInWords(one.day)}`,
      numeral(one.count),
      one.low === null || one.high === null ? '–' : `${numeral(one.low)} to ${numeral(one.high)}`,
      usual ? `${numeral(usual[0])} to ${numeral(usual[1])}` : 'not known',
      side ? html`<span class="mark">${side === 'lower' ? '▼' : '▲'} ${side}</span>` : '',
      ...countsBefore(review, one, weeks),
    ];
  });
  const odd = oddTotals(report);
  return html`<p>${
    odd.length > 0
      ? `${countOf(odd.length, 'total')} ${odd.length === 1 ? 'differs' : 'differ'} from the weeks before by more than noise and the usual ups and downs explain: ${oddTotalsInWords(report)}.`
      : (report.checks.find(({ id }) => id === 'usual-taps')?.sentence ?? 'Nothing was compared.')
  } Each interval misses the exact number with a chance of at most 5 %.${weeks?.some(({ isRead }) => !isRead) ? ' Of a week that was not read the audit knew no publication that counts.' : ''}</p>
${dataTable('Totals of parts and days, noisy', ['Part and day', 'Total', 'Interval', 'Usual', 'Mark', ...heads], rows)}
${placesChanged(review)}
${briefing.since ? sinceWords(briefing.since) : html`<p>No release of this series was published before it.</p>`}`;
}

type Reported = Pick<ReviewData['review'], 'report' | 'summary'>;
type Weeks = { first: string; isRead: boolean }[] | null;

const DAYS_OF_WEEK = 7;

/**
 * The weeks before, the newest first, down to the oldest that the audit read; null where releases are not of one week
 * each.
 */
function weeksBefore({ report, summary: { days } }: Reported): Weeks {
  const windows = (report.history?.read ?? []).map(({ release }) => parseReleasePath(release)!.window);
  const back = (weeks: number): string => addDays(days.first, -weeks * DAYS_OF_WEEK);
  const many = (dayNumber(days.first) - dayNumber(windows.at(-1) ?? days.first)) / DAYS_OF_WEEK;
  if (addDays(days.last, 1) !== back(-1) || !Number.isInteger(many)) return null;
  return Array.from({ length: many }, (_, at) => ({ first: back(at + 1), isRead: windows.includes(back(at + 1)) }));
}

/**
 * Totals of the same weekday, each below its week. A report has them without their days: where one is missing for a
 * reason that the report does not give, none is put below a week.
 */
function countsBefore({ report: { history }, summary }: Reported, { part, day }: Partition, weeks: Weeks): string[] {
  const counts = history?.days.find(({ partition }) => partition === partitionPath({ part, day }))?.before.map(numeral);
  if (!history || !counts || !weeks) return counts ?? [];
  const reasons = weeks.map(({ first, isRead }) => {
    const then = addDays(first, dayNumber(day) - dayNumber(summary.days.first));
    const isUnusual = history.unusual.some(
      ({ from, to, parts }) => from <= then && then <= to && (parts?.includes(part) ?? true),
    );
    return !isRead ? 'not read' : isUnusual ? 'unusual' : null;
  });
  const isWhole = reasons.filter((one) => one === null).length === counts.length;
  return isWhole
    ? reasons.map((one) => one ?? counts.shift()!)
    : [`${counts.join(', ') || '–'} (of which weeks is not known)`];
}

const placesChanged = ({ report: { history } }: ReviewData['review']): Html =>
  wordTable(
    'Places that changed most, by more than noise',
    ['Place', 'Part', 'Now', 'Before'],
    (history?.places ?? []).map(({ place, part, count, before }) => [place, part, numeral(count), numeral(before)]),
  );

function sinceWords(since: ChangesSince): Html {
  const { head, differences } = changesInWords(since);
  return html`<p>${head}</p>${differences.length === 0 ? '' : html`<ul class="plain">${differences.map((line) => html`<li>${line}</li>`)}</ul>`}`;
}

function drawings({ review }: ReviewData, { charts }: Beside): Html | null {
  if (charts.length === 0) return null;
  const hours = [...new Set(review.byHour.flatMap((one) => one.hours.map(({ hour }) => hour)))].sort();
  const countAt = new Map(
    review.byHour.flatMap((one) => one.hours.map(({ hour, count }) => [`${one.part} ${hour}`, count])),
  );
  return html`<p>Each chart has a scale of its own, so that small parts show beside large ones. Lines on bars are intervals; pale bars are what is usual.</p>
<div class="charts">${charts.map(({ title, description, address }) => html`<figure><figcaption>${title}</figcaption><img src="${address}" width="350" height="178" alt="${description}"></figure>`)}</div>
${
  hours.length === 0
    ? ''
    : html`<details><summary>The hours as a table</summary>${dataTable(
        'Taps by hour over all days; rows that no cell shows are fitted, and have no interval',
        ['Hour', ...review.byHour.map(({ part }) => part)],
        hours.map((hour) => [hour, ...review.byHour.map(({ part }) => numeral(countAt.get(`${part} ${hour}`)))]),
      )}</details>`
}`;
}

/** Rows of places that a page shows; all of them are in the files. */
const MOST_PLACES = 40;

function places({ review: { summary } }: ReviewData): Html | null {
  if (!summary.places) return null;
  const { unit, partHeading, sentences, rows, columns } = summary.places;
  const mapRows = pickMapRows(rows);
  const parts = [...new Set(mapRows.map(({ part }) => part))];
  const largest = rows.toSorted((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0)).slice(0, MOST_PLACES);
  return html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<div class="charts">${parts.map(
    (part, place) =>
      html`<figure class="map"><figcaption>${part}</figcaption>${raw(
        placeMap(
          mapRows.filter((row) => row.part === part),
          unit,
          { id: `map${place}`, title: `Places of ${part}, ${unit}` },
        ).text,
      )}</figure>`,
  )}</div>
<details><summary>The largest places as a table</summary>${dataTable(
    `The ${largest.length} largest of ${rows.length}: ${unit}`,
    ['Place', partHeading, ...columns],
    largest.map(placeCells),
  )}</details>`;
}

function gaps({ review, release }: ReviewData): Html {
  const holes = new Set(review.holes.map(partitionPath));
  const changes = release.sourceChanges?.changed ?? [];
  const odd = oddTotalsInWords(review.report);
  const skip = review.report.checks.find(({ id, verdict }) => id === 'usual-taps' && verdict === 'not-tried');
  const until = openUntil(release);
  return html`${odd === null ? '' : html`<p class="notice attention">Not as usual: ${odd}. Ask a custodian, who is named on the page of the <a href="${addressOfSeries(release.series)}">series</a>, whether all of it came, before you sign.${until === null ? '' : ` You may decide until ${until}; nothing becomes public meanwhile.`}</p>`}
${skip ? html`<p class="notice attention">${skip.sentence}</p>` : ''}
${review.holes.length === 0 ? html`<p>A table came for every part and day.${odd || skip ? ' That does not say that all of its rows came.' : ''}</p>` : html`<p>Without data: ${partitionSpans(review.holes)} (${[...new Set(review.holes.map(({ code }) => inWords(code)))].join(', ')}). Readers are told so.</p>`}
${changes.length > 0 ? html`<p class="notice attention">Changed in the source since it was read: ${changes.map(({ object, change }) => `${object} (${change})`).join(', ')}.</p>` : ''}
${holes.size > 0 ? html`<p>${countOf(holes.size, 'partition')} of ${release.partitions.length} ${holes.size === 1 ? 'is a hole' : 'are holes'}.</p>` : ''}`;
}

const BY_SEVERITY = ['fail', 'attention', 'not-tried', 'pass'] as const;

function audit({ review }: ReviewData): Html {
  const groups = BY_SEVERITY.map((word) => review.report.checks.filter(({ verdict }) => verdict === word));
  const [failures, attention, skips, passes] = groups as [AuditCheck[], AuditCheck[], AuditCheck[], AuditCheck[]];
  return html`${failures.length + attention.length === 0 ? html`<p>No attack found more than the certificate allows.</p>` : checkList([...failures, ...attention])}
<details><summary>${countOf(passes.length, 'check')} that held</summary>${checkList(passes)}</details>
${skips.length > 0 ? html`<details><summary>${countOf(skips.length, 'check')} with nothing to be tried on</summary><p>This release has nothing that they could attack, or too little is known yet: each says why. They count neither for nor against it.</p>${checkList(skips)}</details>` : ''}`;
}

const checkList = (checks: readonly AuditCheck[]): Html =>
  html`<ol class="checks">${checks.map(
    ({ id, verdict, attack, sentence }) =>
      html`<li class="${verdict}">${raw(verdictShape(verdict, FINDING_WORDS[verdict]).text)}<div><h3>${attack}</h3><p><span class="${verdict}"><span class="word">${FINDING_WORDS[verdict]}.</span></span> ${sentence}</p><p class="numbers"><code>${id}</code></p></div></li>`,
  )}</ol>`;

function costs({ briefing: { privacy } }: ReviewData): Html {
  if (!privacy) return html`<p>Nothing is charged.</p>`;
  const { unit, release, window, left } = privacy;
  return html`<dl class="facts"><dt>This release</dt><dd>${costText(release)}</dd>
<dt>These days, in ${countOf(window.charges, 'version')}</dt><dd>${costText(window)}</dd>
${left ? html`<dt>Left of these days, for ever</dt><dd>${costText(left.block)} of ${costText(left.caps.block)}: ${versionsInWords(timesLeft(release, [left.block, left.year]))} possible at this price</dd><dt>Left of the fullest year around them</dt><dd>${costText(left.year)} of ${costText(left.caps.year)}</dd>` : ''}</dl>
<p>${epsilonInWords(unit)}</p>
<p>It is charged already, whatever is decided. A rejected release keeps its charge; a new version is a new one.</p>`;
}

const versionsInWords = (times: number): string =>
  times === 0 ? 'no other version is' : times === 1 ? 'one more version is' : `${times} more versions are`;

/** Until when a release that waits can be decided. */
const openUntil = ({ gateOpenUntil, state, timeZone }: ReviewData['release']): string | null =>
  gateOpenUntil && state === 'waiting' ? when(gateOpenUntil, timeZone) : null;

function people({ briefing, release, review }: ReviewData): Html {
  const { people: who } = briefing;
  const isOver = RELEASE_STATE_TABLE[release.state].final;
  const until = openUntil(release);
  return html`<dl class="facts">
${who ? html`<dt>Approved by</dt><dd>${who.signed.join(', ') || 'nobody'}</dd>` : ''}
${
  who && !isOver
    ? html`<dt>Needed</dt><dd>${who.required}</dd><dt>Could sign</dt><dd>${who.others.join(', ') || 'nobody else'}</dd><dt>Then</dt><dd>${release.afterApproval}</dd>`
    : ''
}
${until ? html`<dt>Decide by</dt><dd>${until}</dd>` : ''}
<dt>Digest of the manifest</dt><dd><code class="digest">${review.manifestDigest}</code></dd></dl>`;
}

const statement: Body = ({ review }) =>
  html`<p class="soft">The box holds all of it: scroll in it for more.</p>
<div class="paper" role="region" aria-label="Statement" tabindex="0">${markdownPage(review.statement.join('\n'))}</div>`;

/** What readers see before the first number: whoever decides has it beside the decision. */
const decide: Body = ({ review: { summary } }, { signing }) =>
  html`<div class="notice"><p>Readers are told:</p><ul class="plain">${[summary.opening.purpose, ...summary.opening.notes].map((note) => html`<li>${note}</li>`)}</ul></div>${signing}`;

type Beside = { charts: readonly Chart[]; signing: Html };
type Body = (data: ReviewData, beside: Beside) => Html | null;

/** The parts of the page: each with its name in the list of them, where it is in there, and with its heading. */
const SECTIONS: readonly (readonly [id: string, name: string, title: string, body: Body])[] = [
  ['figures', 'Figures', 'What would be published', figures],
  ['compare', 'Beside the last weeks', 'Beside the last weeks', comparison],
  ['charts', 'Charts', 'Charts', drawings],
  ['places', '', 'Places', places],
  ['missing', 'Missing or odd', 'What is missing or odd', gaps],
  ['audit', 'Audit', 'How it was attacked', audit],
  ['cost', 'Cost', 'What it costs', costs],
  ['people', 'People', 'Who signed, and who could', people],
  ['statement', 'Statement', 'The statement, as readers will see it', statement],
  ['decide', 'Decide', 'Decide', decide],
];

/** A part with nothing in it is there for the links that lead to it. */
const section = (id: string, title: string, body: Html | null): Html =>
  body === null
    ? html`<section id="${id}"></section>`
    : html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${body}</section>`;
