import { html } from 'hono/html';
import type { Need } from '../../client/needs.ts';
import type { ScheduleLine } from '../../client/schedule/schedule-lines.ts';
import { inWords, RELEASE_STATES } from '../../contracts/release-state.ts';
import { countOf } from '../../core/text/wording.ts';
import { localTime } from '../../services/calendar/local-time.ts';
import type { PageData } from '../data.ts';
import { addressOfSeries, type ConsolePage, type Html, releaseAddress, reviewAddress, wordTable } from '../frame.ts';
import { when } from '../safe-text.ts';
import type { Role } from '../sessions.ts';
import { budgetMeters } from './amount-words.ts';

/** What needs whom, now. */
export function homePage(data: PageData['home'], roles: readonly Role[]): ConsolePage {
  const { needs, running, schedules, budgets, doctor } = data;
  const own = needs.filter(({ who }) => (roles as readonly string[]).includes(who));
  const others = needs.filter((need) => !own.includes(need));
  return {
    title: 'What needs whom, now',
    data,
    live: '/events',
    body: html`
${needs.length === 0 ? html`<p class="notice">Nothing waits for anybody.</p>` : ''}
${own.length > 0 ? html`<h2>For you</h2>${needList(own, true)}` : ''}
${others.length > 0 ? html`<h2>For others</h2>${needList(others, false)}` : ''}
${doctor && doctor.length > 0 ? html`<h2>The installation</h2><ul class="cards">${doctor.map(({ sentence, command }) => html`<li><span class="who-acts">platform team</span><p>${sentence}<br><code class="soft">${command}</code></p><span></span></li>`)}</ul>` : ''}
${doctor === null && roles.includes('operator') ? html`<p class="soft">The installation is being looked at; load the page again for what is found.</p>` : ''}
${doctor && doctor.length === 0 ? html`<p class="soft">The installation was looked at, and nothing is wrong with it.</p>` : ''}
<h2>At work</h2>
${running.length === 0 ? html`<p>No release is being made.</p>` : releaseTable(running)}
<h2>What runs next</h2>
${schedules.length === 0 ? html`<p>No series has a schedule.</p>` : scheduleTable(schedules)}
<h2>Privacy budget that is left</h2>
${budgets.length === 0 ? html`<p>Nothing has been charged yet.</p>` : budgets.map(({ population, left }) => html`<h3><a href="/ledger/${population}">${population}</a></h3>${budgetMeters(left)}`)}`,
  };
}

const needList = (needs: readonly Need[], isOwn: boolean): Html =>
  html`<ul class="cards">${needs.map((need) => needCard(need, isOwn))}</ul>`;

const needCard = ({ who, sentence, place, until, timeZone, command }: Need, isOwn: boolean): Html => html`<li>
<span class="who-acts">${who}</span>
<p>${sentence}${until && timeZone ? html` <span class="soft">${place?.kind === 'review' ? 'Decide by' : 'Until'} ${when(until, timeZone)}.</span>` : ''}</p>
${place ? html`<a href="${addressOf(place)}">${isOwn || place.kind !== 'release' ? WORDS[place.kind] : 'Look'}<span class="unseen"> ${place.name}</span></a>` : html`<code class="soft">${command}</code>`}
</li>`;

const WORDS = { review: 'Review', release: 'Look and mend', series: 'To the series' };

const addressOf = ({ kind, name }: NonNullable<Need['place']>): string =>
  ({ review: reviewAddress, release: releaseAddress, series: addressOfSeries })[kind](name);

const scheduleTable = (schedules: readonly ScheduleLine[]): Html =>
  wordTable(
    'Schedules',
    ['Series', 'Next start', 'Clock', 'State'],
    schedules.map(({ series, next, timeZone, paused, note, missing }) => [
      html`<a href="${addressOfSeries(series)}">${series}</a>`,
      next ? localTime(next, timeZone) : 'none',
      timeZone,
      `${paused ? `paused${note ? `: ${note}` : ''}` : 'active'}${missing.length > 0 ? `, ${countOf(missing.length, 'window')} missing` : ''}`,
    ]),
  );

export const releaseTable = (rows: PageData['series']['releases']): Html => {
  const hasStart = rows.some(({ startedAt }) => startedAt !== null);
  return wordTable(
    'Releases, the newest window first',
    ['Release', 'State', 'Failed', 'Audit', 'Decide by', ...(hasStart ? ['Started'] : []), 'Clock'],
    rows.map(({ release, state, failed, partitions, verdict, until, startedAt, timeZone }) => [
      html`<a href="${releaseAddress(release)}">${release}</a>`,
      inWords(state),
      failed > 0 ? `${failed} of ${partitions}` : '',
      verdict ?? '',
      until ? localTime(until, timeZone) : '',
      ...(hasStart ? [startedAt ? localTime(startedAt, timeZone) : ''] : []),
      timeZone,
    ]),
  );
};

/** All releases, with filters that are links and a form, and need no script. */
export function releasesPage(data: PageData['releases']): ConsolePage {
  const { filter, series, releases, found } = data;
  const options = (all: readonly string[], choice: string, words: (one: string) => string) =>
    ['', ...all].map(
      (one) =>
        html`<option value="${one}"${one === choice ? html` selected` : ''}>${one === '' ? 'all' : words(one)}</option>`,
    );
  return {
    title: 'Releases',
    data,
    body: html`<form method="get" action="/releases" class="filter" role="search">
<label>Series <select name="series">${options(series, filter.series, String)}</select></label>
<label>State <select name="state">${options(RELEASE_STATES, filter.state, inWords)}</select></label>
<label>Name has <input name="name" type="search" value="${filter.name}" maxlength="100"></label>
<button>Show</button>
</form>
${releases.length === 0 ? html`<p>No release is like that.${filter.series === '' && filter.state === '' && filter.name === '' ? ' The first one is started by its schedule, or by a trigger on the page of its series.' : ''}</p>` : releaseTable(releases)}
${found > releases.length ? html`<p>The newest ${releases.length} of ${found} are shown. Narrow the list by series, state or name.</p>` : ''}`,
  };
}

export const seriesListPage = (data: PageData['seriesList']): ConsolePage => ({
  title: 'Series',
  data,
  body:
    data.series.length === 0
      ? html`<p>No series was applied yet. The platform team applies one with <code>opaline schedule apply SERIES.yaml</code>.</p>`
      : wordTable(
          'Series that were applied',
          ['Series', 'Title', 'Schedule', 'Next start', 'Clock'],
          data.series.map(({ name, title, timeZone, paused, next }) => [
            html`<a href="${addressOfSeries(name)}">${name}</a>`,
            title,
            paused === null ? 'none' : paused ? 'paused' : 'active',
            next ? localTime(next, timeZone) : '',
            timeZone,
          ]),
        ),
});
