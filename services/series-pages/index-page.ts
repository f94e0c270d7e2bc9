import type { Summary } from '../../contracts/formats/summary.ts';
import { dayNumber } from '../../core/calendar/civil-day.ts';
import { html, type Markup } from '../pages/markup.ts';
import { seriesPage } from './page-frame.ts';
import { type SeriesEvent, seriesEvents, stateOf } from './publication-state.ts';
import { dayOf, daysOf, link } from './readers-page.ts';
import { pageOfRelease, releaseFolder, SERIES_FILES } from './series-files.ts';
import type { SeriesRelease } from './series-release.ts';

/** What the newest release says of its series; null without any release. */
export const newestSummary = (releases: readonly SeriesRelease[]) =>
  (releases.findLast(({ retraction }) => !retraction) ?? releases.at(-1))?.summary ?? null;

/** The address of the folder of a series, from what its newest release says; null when it says none. */
export const seriesAddress = (summary: Summary | null): string | null =>
  summary?.address?.replace(/[^/]+\/[^/]+\/$/, '') ?? null;

/** index.html of a series: what it is, and every release with its state, newest first. */
export function indexPage(series: string, releases: readonly SeriesRelease[], generation: number): Buffer {
  const summary = newestSummary(releases);
  const title = summary?.title ?? series;
  return seriesPage({
    title,
    ways: [
      ['Changes', SERIES_FILES.changes],
      ['Feed', SERIES_FILES.feed],
      ['List for programs', SERIES_FILES.releases],
      ['Catalogue record', SERIES_FILES.catalogue],
      ['Digests of all tables', SERIES_FILES.tables],
    ],
    generation,
    header: html`<p class="kicker">Series <code>${series}</code></p>
<h1>${title}</h1>
${summary ? [html`<p>${summary.description}</p>`, html`<p>Published by ${link(summary.publisher.name, summary.publisher.homepage)}. Licence: ${summary.licence}.</p>`] : []}`,
    main: [
      html`<section><h2>Releases</h2>
${releases.length === 0 ? [html`<p>Nothing is published yet.</p>`] : [releasesTable(releases)]}
${summary ? [...dueRule(summary)] : []}</section>`,
      html`<section><h2>What the states mean</h2>
<dl>
<dt>current</dt><dd>The newest version of its days. Use this one.</dd>
<dt>superseded</dt><dd>A newer version of the same days is there. Do not add or average versions: they are noisy counts of the same people.</dd>
<dt>retracted</dt><dd>The publisher has taken it back. Do not use it; its files stay.</dd>
</dl></section>`,
      html`<section><h2>Is this list whole?</h2>
<p><a href="${SERIES_FILES.head}"><code>${SERIES_FILES.head}</code></a> is signed by the publisher. It has the digests of all manifests and a number that only grows, which is ${generation} here. Keep a copy: a list that has a lower number later, or lacks a release of your copy, is not whole. All other pages can be made again by anyone from the folders of the releases:</p>
<pre tabindex="0"><code>opaline verify ${series} --trust trust.json --seen head.json</code></pre></section>`,
    ],
  });
}

/** When more is due, as a rule without a day: a page is read long after it was made. */
function dueRule({ nextExpected, days }: Summary): Markup[] {
  if (nextExpected === null) return [];
  const within = dayNumber(nextExpected) - dayNumber(days.last);
  return [
    html`<p>The next release is due within ${within} days of the last day of the newest one. If it is not here by then, ask the publisher why.</p>`,
  ];
}

function releasesTable(releases: readonly SeriesRelease[]): Markup {
  const rows = releases.toReversed().map((one) => {
    const { release, attestation } = one;
    const state = stateOf(one, releases);
    const reason =
      state.state === 'retracted' ? [html` <span class="reason">(${state.reasons.join(', ')})</span>`] : [];
    return html`<tr><th scope="row"><a href="${pageOfRelease(release)}">${wholeDays(daysOf(one))}</a></th><td>${release.version}</td><td><span class="state">${state.state}</span>${reason}</td><td>${dayOf(one, attestation.publishedAt)}</td><td><a href="${releaseFolder(release)}SHA256SUMS">files<span class="unseen"> of ${release.window} v${release.version}</span></a></td></tr>`;
  });
  return html`<div class="wide words" role="region" aria-label="Releases" tabindex="0">
<table>
<caption>Every release, newest days first</caption>
<thead><tr>${['Days', 'Version', 'State', 'Published', 'Files'].map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>`;
}

/** Days of which none is broken over two lines. */
const wholeDays = (days: string): Markup[] =>
  days.split(' to ').map((day, place) => html`${place === 0 ? '' : ' to '}<span class="day">${day}</span>`);

/** changes.html of a series: everything that happened, newest first. */
export function changesPage(series: string, releases: readonly SeriesRelease[], generation: number): Buffer {
  const title = newestSummary(releases)?.title ?? series;
  const events = seriesEvents(releases);
  return seriesPage({
    title: `Changes of ${title}`,
    ways: [
      ['All releases', SERIES_FILES.index],
      ['Feed', SERIES_FILES.feed],
    ],
    generation,
    header: html`<p class="kicker">Series <code>${series}</code></p>
<h1>Changes of ${title}</h1>
<p>What was published, corrected and retracted, as the publisher has signed it.</p>`,
    main: html`<section><h2>Newest first</h2>
<dl>
${events.map(changeEntry)}
</dl></section>`,
  });
}

const changeEntry = ({ at, sentence, of, kind }: SeriesEvent): Markup => html`<dt>${dayOf(of, at)}: ${kind}</dt>
<dd>${sentence} <a href="${pageOfRelease(of.release)}">Page of ${of.release.window} v${of.release.version}</a></dd>`;
