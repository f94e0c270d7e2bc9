import { short } from '../../core/text/wording.ts';
import { html } from '../../services/pages/markup.ts';
import type { RiskAdvice, Tried } from './advice.ts';
import { confidentialPage, figure, shareText, wideTable } from './confidential-page.ts';
import { frontierDrawing } from './drawings.ts';
import type { AdviceGoal } from './measures/frontier.ts';

/** A goal in words: `a PIF of at most 12 bits`. */
export const goalInWords = (goal: AdviceGoal): string =>
  goal.kind === 'risk'
    ? `a PIF of at most ${short(goal.most)} bits`
    : `at least ${short(100 * goal.least)} % of the information kept`;

/** The bins of a point that are not as they were: `on_time 15 minutes, mode dropped`. */
export const binsInWords = (columns: readonly string[], { rules, words }: Tried): string =>
  columns
    .map((name, column) => `${name} ${words[column]}`)
    .filter((_, column) => rules[column]!.kind !== 'keep')
    .join(', ') || 'as it is';

/** The advice for people: what was tried, what is worth a thought, and what was chosen. */
export async function advicePage(advice: RiskAdvice, title: string): Promise<string> {
  const { columns, frontier, chosen, snippet, tried, goal } = advice;
  const words = (one: Tried): string => binsInWords(columns, one);
  const description = frontier
    .map((one) => `${words(one)}: ${short(one.risk)} bits, ${shareText(one.utility)} kept`)
    .join('; ');
  const values = tried.map((one) => ({ kept: one.utility, risk: one.risk, best: frontier.includes(one) }));
  return confidentialPage({
    title: `advice on the bins of ${title}`,
    kicker: `Advice on the bins of ${title}: ${advice.rows} rows, ${tried.length} choices tried`,
    heading: chosen === null ? `Nothing that was tried reaches ${goalInWords(goal)}` : words(chosen),
    main: html`<section>
<h2>What to do with it</h2>
<p><strong>${advice.warning}</strong></p>
<p>${`The goal was ${goalInWords(goal)}. The table as it is has a PIF of ${short(advice.original)} bits.`}</p>
${snippet === null ? [] : html`<pre><code>${snippet}</code></pre>`}
</section>
<section>
<h2>Risk against use</h2>
<div class="box">${await figure('Every choice that was tried; filled ones are beaten by no other', frontierDrawing(values, description))}
${wideTable(
  'Choices that no other beats in both; published is the part of the taps that the mechanism would publish in cells',
  ['Bins', 'PIF, bits', 'Kept', 'Shared information lost, bits', 'Published'],
  frontier.map((one) => [words(one), one.risk, shareText(one.utility), one.loss, shareText(one.published)]),
)}</div>
</section>`,
  });
}
