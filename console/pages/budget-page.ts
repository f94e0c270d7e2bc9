import { html } from 'hono/html';
import type { PopulationBudget } from '../../client/ledger/series-overview.ts';
import { inWords } from '../../contracts/release-state.ts';
import type { LedgerPlan } from '../../core/ledger/plan-releases.ts';
import { costText } from '../../core/ledger/shown-amount.ts';
import { countOf } from '../../core/text/wording.ts';
import { localTime } from '../../services/calendar/local-time.ts';
import type { PageData } from '../data.ts';
import {
  actionForm,
  addressOfSeries,
  type Cell,
  type ConsolePage,
  type Html,
  releaseAddress,
  wordTable,
} from '../frame.ts';
import type { Session } from '../sessions.ts';
import { budgetMeters, epsilonInWords } from './amount-words.ts';
import { releaseTable } from './list-pages.ts';

/** What was charged, and what is left of the caps. */
export const ledgerPage = (data: PageData['ledger']): ConsolePage => ({
  title: 'Privacy budget',
  data,
  body:
    data.populations.length === 0
      ? html`<p>Nothing has been charged yet. The first release of a series begins the ledger of its population.</p>`
      : html`<p>Every draw is charged before it is made, and a charge is never given back. Retries cost 0 ε. ${epsilonOfUnits(data.populations)}</p>
${data.populations.map(
  (budget) => html`<section><h2><a href="/ledger/${budget.population}">${budget.population}</a></h2>
<p>${countOf(budget.charges.length, 'release')} charged, ${countOf(budget.refusals.length, 'attempt')} refused; ${countOf(budget.entries, 'entry').replace('entrys', 'entries')} in the ledger.</p>
${budgetMeters(budget.left)}</section>`,
)}`,
});

/** What ε means for the units that were charged. */
const epsilonOfUnits = (populations: readonly Pick<PopulationBudget, 'charges'>[]): string =>
  [...new Set(populations.flatMap(({ charges }) => charges.map(({ unit }) => unit ?? 'unit')))]
    .map(epsilonInWords)
    .join(' ');

/** One population: each charge, each refusal, each block. */
export const populationPage = (budget: PopulationBudget): ConsolePage => ({
  title: `Privacy budget of ${budget.population}`,
  data: budget,
  body: html`${budgetMeters(budget.left)}
<p>Shares are those of the newest days: of what one day may ever cost, and of the fullest 365 days of data around it. ${epsilonOfUnits([budget])}</p>
${budget.charges.length === 0 ? html`<p>Nothing has been charged.</p>` : chargeTable(budget)}
${budget.caps ? blockTable(budget) : ''}
${wordTable(
  'Attempts that policy refused',
  ['Release', 'Refused for', 'Reason', 'Asked by'],
  budget.refusals.map(({ release, code, reason, subject }) => [release, inWords(code), reason, subject]),
  'Refused, at no cost',
)}`,
});

/** Charges that a page shows: the newest. */
const MOST = 120;

const chargeTable = ({ charges, caps }: Pick<PopulationBudget, 'charges' | 'caps'>): Html =>
  wordTable(
    `The newest charges${caps ? `; the cap of a year is ${costText(caps.year)}` : ''}`,
    ['Release', 'State', 'Cost', 'Days of data', 'Fullest 365 days then'],
    charges
      .slice(-MOST)
      .reverse()
      .map((one): Cell[] => [
        html`<a href="${releaseAddress(one.release)}">${one.release}</a>`,
        inWords(one.state),
        costText(one),
        one.firstDay === one.lastDay ? one.firstDay : `${one.firstDay} to ${one.lastDay}`,
        costText(one.year),
      ]),
    'Charges',
  );

const blockTable = ({ blocks, caps }: PopulationBudget): Html =>
  wordTable(
    `Spent of each block (part and day), for ever; its cap is ${costText(caps!.block)}`,
    ['Days', 'Parts', 'Spent'],
    blocks.slice(0, MOST).map((one) => [`${one.firstDay} to ${one.lastDay}`, one.parts.join(', '), costText(one)]),
    'Blocks',
  );

/** One series: its schedule, its releases, its budget and what a year more would cost. */
export function overviewPage(data: PageData['series'], session: Session): ConsolePage {
  const { series, title, timeZone, population, required, custodians, releases, budget, year } = data;
  return {
    title: series,
    data,
    body: html`<p>${title}</p>
<dl class="facts"><dt>Population</dt><dd><a href="/ledger/${population}">${population}</a></dd>
<dt>Approvals needed</dt><dd>${required}</dd>
<dt>Custodians, who never approve</dt><dd>${custodians.join(', ') || 'none named'}</dd>
<dt>Clock</dt><dd>${timeZone}</dd></dl>
<h2>Schedule</h2>
${schedulePart(data, session)}
<h2>Releases</h2>
${releases.length === 0 ? html`<p>None yet.</p>` : releaseTable(releases)}
<h2>Privacy budget</h2>
${budgetMeters(budget.left)}
${budget.caps ? html`<p>Caps of the policy: ${costText(budget.caps.block)} for a day, for ever; ${costText(budget.caps.year)} over 365 days of data.</p>` : html`<p>Nothing has been charged yet.</p>`}
${year ? yearPart(year) : ''}
${chargeTable(budget)}`,
  };
}

function schedulePart({ series, schedule, timeZone }: PageData['series'], session: Session): Html {
  const isOperator = session.person.roles.includes('operator');
  const at = (action: string): string => `${addressOfSeries(series)}/${action}`;
  const trigger = isOperator
    ? actionForm(session, {
        action: at('trigger'),
        label: 'Trigger a window',
        inside: html`<label>First day of the window <input name="window" type="date" required></label>
<label class="check"><input type="checkbox" name="sure" value="yes" required> Its charge is never given back</label>`,
      })
    : '';
  if (!schedule) return html`<p>It has no schedule; its releases are started by people.</p>${trigger}`;
  const { paused, note, next, last, missing, inStep } = schedule;
  return html`<p>${paused ? `Paused${note ? `: ${note}` : ''}.` : `Active; the next start is ${next ? localTime(next, timeZone) : 'not known'}.`} ${last ? `The last one was due ${localTime(last, timeZone)}.` : ''}</p>
${inStep ? '' : html`<p class="notice attention">The schedule is not that of the newest file. The platform team applies the file again.</p>`}
${missing.map(({ window, scheduledAt }) => html`<p class="notice attention">The window ${window} was due ${localTime(scheduledAt, timeZone)}, and was not started.${isOperator ? actionForm(session, { action: at('trigger'), label: `Trigger ${window}`, fields: { window, sure: 'yes' } }) : ''}</p>`)}
${
  isOperator
    ? html`<div class="acts">${
        paused
          ? actionForm(session, { action: at('resume'), label: 'Resume' })
          : actionForm(session, {
              action: at('pause'),
              label: 'Pause',
              inside: html`<label>Why <input name="note" required maxlength="200"></label>`,
            })
      }</div>${trigger}`
    : ''
}`;
}

const yearPart = ({ releases, total, firstRefused, caps }: LedgerPlan): Html => html`<h3>The year's projection</h3>
<p>${countOf(releases.length, 'more release')} would charge ${costText(total)} in all to somebody who is in every one. ${
  firstRefused === null
    ? `No cap is reached: the year's cap is ${costText(caps.year)}.`
    : `A cap is reached at ${firstRefused}: what comes then is refused, and nothing of it is charged.`
}</p>
<details><summary>Release by release</summary>${wordTable(
  'What each would cost',
  ['Release', 'Cost', 'Fullest 365 days', 'The ledger would'],
  releases.map((one) => [one.release, costText(one.cost), costText(one.year), one.refusal ?? 'charge it']),
)}</details>`;
