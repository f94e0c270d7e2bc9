import { html, raw } from 'hono/html';
import { partitionSpans } from '../../core/calendar/partition-spans.ts';
import { countOf, inThousands } from '../../core/text/wording.ts';
import { type InputReport, MOST_SAMPLES } from '../../custodian/preview/input-report.ts';
import type { KeptWarnings } from '../../custodian/preview/kept-warnings.ts';
import { rejectWords } from '../../custodian/preview/reject-words.ts';
import { clearanceCommand } from '../../custodian/source/clearances.ts';
import { actionForm, type ConsolePage, dataTable, type Html, wordTable } from '../frame.ts';
import type { Session } from '../sessions.ts';
import type { CustodianPageData } from './custodian-data.ts';
import {
  deliveryTable,
  nameTable,
  objectTable,
  partTable,
  previewTable,
  reasonTable,
  rowTable,
  sampleTable,
} from './input-tables.ts';

const inputAddress = (release: string): string => `/releases/${release}`;
const riskAddress = (release: string): string => `/releases/${release}/risk`;

const list = (sentences: readonly string[]): Html =>
  sentences.length === 0 ? html`` : html`<ul class="plain">${sentences.map((one) => html`<li>${one}</li>`)}</ul>`;

const warningList = (sentences: readonly string[]): Html =>
  html`${sentences.map((one) => html`<p class="notice attention">${one}</p>`)}`;

/** What waits for a custodian, and what the sources of releases ask them to look at. */
export const custodianHomePage = (data: CustodianPageData['home']): ConsolePage => ({
  title: 'What waits for a custodian',
  data,
  body: html`
<h2>Orders and signatures</h2>
${data.unknown === null ? '' : html`<p class="notice fail">What waits cannot be seen at the moment. ${data.unknown}</p>`}
${
  data.waiting.length === 0
    ? html`${data.unknown === null ? html`<p>No release waits for an order or a signature of a policy key.</p>` : ''}`
    : html`<ul class="cards">${data.waiting.map(
        ({ release, code, sentence, mend }) =>
          html`<li><span class="who-acts">${release}</span><p>${sentence || mend} <span class="soft">${code}</span></p><a href="/preview">Preview</a></li>`,
      )}</ul>
<p class="soft">Orders are signed with a policy key, on a command line: there is no key here. Afterwards an operator retries the release.</p>`
}
<h2>Warnings of the sources</h2>
${data.warnings.length === 0 ? html`<p>No source asks for a look.</p>` : [...Map.groupBy(data.warnings, ({ release }) => release)].map(([release, those]) => warningsOf(release, those))}`,
});

const warningsOf = (release: string, those: readonly KeptWarnings[]): Html => html`<section>
<h3><a href="${inputAddress(release)}">${release}</a></h3>
${list(those.flatMap(({ found, warnings }) => warnings.map(({ sentence }) => `${sentence} (${found})`)))}</section>`;

/** The form of a preview. */
export const previewFormPage = (names: readonly string[], session: Session): ConsolePage => ({
  title: 'Preview',
  data: { series: names },
  body:
    names.length === 0
      ? html`<p>There is no series yet. Start this console with the series file: <code>opaline console --private --series series.yaml</code></p>`
      : html`<p>Shows what would be read of the rows of a window, before anything is charged.</p>
<p class="notice attention">It is recorded. A series file of these people that takes other parameters afterwards has to say that it was chosen with a look at this data.</p>
${actionForm(session, {
  action: '/preview',
  label: 'Show the rows',
  style: 'main',
  inside: html`<fieldset><legend>What to look at</legend>
<label>Series <select name="series">${names.map((name) => html`<option>${name}</option>`)}</select></label>
<label>First day of the window <input name="window" type="date" required></label></fieldset>`,
})}`,
});

/** What a preview showed. The JSON is without values of rows: these are for the eyes of whoever asked. */
export function previewPage({ sample, ...data }: CustodianPageData['preview']): ConsolePage {
  const { series, window, shown, hints, notice, isCleared } = data;
  const { objects, faults, warnings, totals, empty } = shown;
  return {
    title: `Preview of ${series}, ${window}`,
    data: { confidential: true, series, window, ...shown, hints, unsaid: data.unsaid },
    body: html`
<p>${notice}</p>
${warningList(warnings)}
${faults.length === 0 ? '' : html`<h2>Objects at fault</h2>${list(faults.map(({ object, code }) => `${code}: ${object}`))}`}
<h2>Objects</h2>
${objects.length === 0 ? html`<p>No object of this window is there.</p>` : ''}
${wordTable(...previewTable(objects))}
${reasonList(objects.flatMap(({ rejected }) => Object.keys(rejected)))}
${totals.length === 0 ? '' : dataTable(...partTable(totals))}
${empty.length === 0 ? '' : html`<p>With nothing to count: ${partitionSpans(empty)}.</p>`}
${wordTable(...nameTable(shown))}
${wordTable(...sampleTable(sample))}
${hints.length === 0 ? '' : html`<h2>What would read more of it, if it is right</h2><pre tabindex="0"><code>${hints.map((hint) => JSON.stringify(hint, null, 2)).join('\n')}</code></pre>`}
${
  isCleared
    ? html`<h2>To be cleared</h2><p>The release waits until a policy key has signed which deliveries count: <code>${clearanceCommand({ series, window, version: 1 })}</code>, with <code>--except</code> for those that do not.</p>${wordTable(...deliveryTable(shown))}`
    : ''
}`,
  };
}

const reasonList = (reasons: readonly string[]): Html => {
  const words = rejectWords(reasons);
  return words.length === 0
    ? html``
    : html`<details><summary>What these reasons mean, and what helps</summary>${list(words)}</details>`;
};

export const inputListPage = (releases: readonly string[]): ConsolePage => ({
  title: 'Releases',
  data: { releases },
  body:
    releases.length === 0
      ? html`<p>No release was read here yet. <a href="/preview">Preview</a> a window before its first release.</p>`
      : wordTable(
          'Releases whose source was read, the newest window first',
          ['Release', 'What was read and left out', 'How exposed its rows are'],
          releases.map((release) => [
            release,
            html`<a href="${inputAddress(release)}">Input<span class="unseen"> of ${release}</span></a>`,
            html`<a href="${riskAddress(release)}">Risk<span class="unseen"> of ${release}</span></a>`,
          ]),
        ),
});

/** What a release read and what it left out. */
export function inputPage(report: InputReport, rows: number): ConsolePage {
  const { release, round, objects, totals, faults, withoutData, beyondBound, warnings, samples } = report;
  return {
    title: `Input of ${release}`,
    data: report,
    body: html`
<p>Round ${round} of its source. ${withoutData.length === 0 ? 'Every partition has data.' : `Without data: ${withoutData.join(', ')}.`}
${beyondBound === null ? '' : `Beyond the bound of their card: ${inThousands(beyondBound)}.`} <a href="${riskAddress(release)}">How exposed its rows are</a></p>
${warningList(warnings)}
${list(faults.map(({ object, code, partitions }) => `${code} in ${object}${partitions.length > 0 ? `: ${partitionSpans(partitions)}` : ', which feeds no partition'}.`))}
${objects.length === 0 ? html`<p>No object was counted.</p>` : ''}
${wordTable(...objectTable(objects))}
${wordTable(...reasonTable(objects))}
${reasonList(objects.flatMap(({ rejected }) => Object.keys(rejected)))}
${totals.length === 0 ? '' : dataTable(...partTable(totals))}
<h2>Rejected rows</h2>
<form class="filter" action="${inputAddress(release)}"><label>Rows of each object and reason <input name="rows" type="number" min="1" max="${MOST_SAMPLES}" value="${rows || 10}" required></label><button class="plain">Show raw rows</button></form>
${rows > 0 && samples.length === 0 ? html`<p>No row was rejected.</p>` : ''}
${wordTable(...rowTable(samples))}`,
  };
}

/** The risk report beside a release; or how one is made. */
export const riskReportPage = (release: string, risk: CustodianPageData['risk'], session: Session): ConsolePage => ({
  title: `Risk of ${release}`,
  data: risk?.report ?? { release, report: null },
  body: risk
    ? html`<p class="soft">${risk.content.kicker}</p><p><strong>${risk.content.heading}</strong></p>${raw(risk.content.main.text)}`
    : html`<p>There is no risk report beside this release yet. Making one measures the rows that the source holds now; no release waits for it.</p>
${actionForm(session, { action: '/reports', label: 'Make the reports that are missing', fields: { release } })}`,
});

/** What may be drawn at all. */
export function policyPage(data: CustodianPageData['policy']): ConsolePage {
  const { number: version, digest, demo, keys, populations, revokedSeries } = data;
  return {
    title: `Policy, number ${version}`,
    data,
    body: html`
<p>What the private worker goes by, whoever asks. It is changed as a file, with a higher number, beside the private worker. <code class="digest">${digest}</code></p>
${demo ? html`<p class="notice attention">Its keys are those of a trial.</p>` : ''}
${Object.entries(populations).map(([name, one]) => populationPart(name, one))}
<h2>Keys</h2>
${wordTable(
  'Policy keys and what they may sign',
  ['Name', 'May sign', 'State', 'Key'],
  keys.map(({ name, keyId, may, revoked }) => [
    name,
    may.join(', '),
    revoked ? 'revoked' : 'holds',
    html`<code class="digest">${keyId}</code>`,
  ]),
)}
<p>${revokedSeries.length === 0 ? 'No series file is revoked.' : `${countOf(revokedSeries.length, 'series file')} revoked.`}</p>`,
  };
}

const SIGNS: Readonly<Record<string, string>> = { epsilon: 'ε', delta: 'δ', rho: 'ρ' };

const amounts = (one: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(one)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${SIGNS[name] ?? name} ${value}`]))
    .join(', ');

function populationPart(name: string, one: CustodianPageData['policy']['populations'][string]): Html {
  const facts: [string, string][] = [
    ['Sources', one.sources.join(', ')],
    ['Protects', `one ${one.unit}, ${one.neighbours}`],
    ['Mechanisms', one.mechanisms.join(', ')],
    ['Counts', one.accounting === 'rho' ? 'ρ' : 'ε and δ'],
    ['One release at most', amounts(one.release)],
    ['A day, for ever', amounts(one.caps.block)],
    ['Any 365 days', amounts(one.caps.year)],
    ['Late after', countOf(one.lateDays, 'day')],
    ['Deliveries', one.clearance ? 'wait until a policy key has cleared them' : 'count without an order'],
  ];
  return html`<h2>${name}</h2><dl class="facts">${facts.map(([what, value]) => html`<dt>${what}</dt><dd>${value}</dd>`)}</dl>`;
}
